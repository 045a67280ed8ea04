// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A client's session with the coordinators: in order and gap-free as long as it lasts, but what is under way when the
 * leader or the session is lost is lost with it. A leader's last answers may still arrive behind the first of the next.
 */
final class SimulatedSession implements CoordinatorChannel
{
    /** A client that is not granted a session for so long asks again. */
    private static final long ASK_RETRY_NS = 60_000_000;
    /** A client that hears of no new leader for so long opens another session. */
    private static final long ELECTION_PATIENCE_NS = 150_000_000;

    private enum State
    {
        IDLE, ASKING, CONNECTED, SILENT, CLOSED
    }

    private final World world;
    private final SimulatedCoordinator cluster;
    private final int nodeId;
    private final CoordinatorChannel.Listener listener;
    private final Deque<UnsafeBuffer> inbox = new ArrayDeque<>();
    private State state = State.IDLE;
    private long sinceNs;
    private long askNs;
    private long id;
    private long term;
    private long connections;
    private long toldTerm;
    private long toldDueNs;
    private long saidDueNs;

    /** Not connected yet, by {@link #poll}; nodeId is below 0 for a worker's. */
    SimulatedSession(
        final World world,
        final SimulatedCoordinator cluster,
        final int nodeId,
        final CoordinatorChannel.Listener listener)
    {
        this.world = world;
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.listener = listener;
    }

    int nodeId()
    {
        return nodeId;
    }

    @Override
    public int poll(final long nodeNs)
    {
        final long nowNs = world.events().nowNs();
        switch (state)
        {
            case IDLE ->
            {
                if (nowNs >= askNs)
                {
                    state(State.ASKING);
                    id = cluster.ask(this);
                }
            }
            case ASKING ->
            {
                if (nowNs - sinceNs >= ASK_RETRY_NS)
                {
                    lose();
                }
            }
            case SILENT ->
            {
                if (nowNs - sinceNs >= ELECTION_PATIENCE_NS)
                {
                    lose();
                }
            }
            case CONNECTED, CLOSED ->
            {
                // nothing to wait for
            }
        }
        int workCount = 0;
        while (!inbox.isEmpty())
        {
            final UnsafeBuffer message = inbox.poll();
            listener.onMessage(message, 0, message.capacity());
            workCount++;
        }

        return workCount;
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (State.CONNECTED != state || world.faults().strike(FaultClass.COORDINATOR_LAG, 0.1))
        {
            return false;
        }
        final UnsafeBuffer message = cluster.lies().command(CoordinatorEntry.copy(buffer, offset, length));
        saidDueNs = Math.max(saidDueNs, world.events().nowNs() + cluster.saidDelayNs(nodeId));
        cluster.said(id, term, message, saidDueNs);

        return true;
    }

    @Override
    public long connection()
    {
        return State.CONNECTED == state ? connections : 0;
    }

    boolean isOfNodeAndConnected()
    {
        return nodeId >= 0 && State.CONNECTED == state;
    }

    @Override
    public String describe()
    {
        return state + " session=" + id;
    }

    /** The process ends. */
    @Override
    public void close()
    {
        forget();
        state(State.CLOSED);
    }

    /** The stream of answers, and what is in it, is lost: the client opens another session. */
    void lose()
    {
        if (State.CLOSED != state)
        {
            forget();
            askNs = world.events().nowNs() + world.faults().draw(FaultClass.SESSION_LOSS, 1_000_000, 10_000_000);
            state(State.IDLE);
        }
    }

    private void forget()
    {
        inbox.clear();
        cluster.onClientGone(id);
        id = 0;
    }

    /** Its leader shows no life; it may have noticed that by now. */
    void onLeaderGone(final long goneTerm)
    {
        if (State.CONNECTED == state && term == goneTerm)
        {
            state(State.SILENT);
        }
    }

    /** The leader of a term says something, which arrives behind what it said before. */
    void tell(final long session, final long ofTerm, final UnsafeBuffer message)
    {
        toldDueNs = Math.max(
            toldTerm == ofTerm ? toldDueNs : 0, world.events().nowNs() + cluster.delayNs(nodeId));
        toldTerm = ofTerm;
        world.events().after(toldDueNs - world.events().nowNs(), () ->
        {
            if (id == session && State.CLOSED != state)
            {
                onTold(ofTerm, message);
            }
        });
    }

    /** Without a message the session is granted, or goes on with another leader. */
    private void onTold(final long ofTerm, final UnsafeBuffer message)
    {
        if (null != message)
        {
            if (State.ASKING != state)
            {
                inbox.add(message);
            }
            return;
        }
        if (State.ASKING == state)
        {
            connections++;
            term = ofTerm;
            state(State.CONNECTED);
        }
        else if (ofTerm > term)
        {
            term = ofTerm;
            state(State.CONNECTED);
        }
    }

    private void state(final State newState)
    {
        state = newState;
        sinceNs = world.events().nowNs();
    }
}
