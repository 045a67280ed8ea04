// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.function.BooleanSupplier;

/** Pushes parts by the session of each partition, each for itself, with parts that are refused. */
final class PartsProgram implements WorkerProgram
{
    private final World world;
    private final Histories histories;
    private final WorkerIdentity identity;
    private final Client client;
    private final Tickets tickets;
    private final WorkerPulls pulls;
    private final long[][] ticketOf;
    private final long[] lastTold;

    PartsProgram(
        final World world,
        final Cluster cluster,
        final Checker checker,
        final WorkerIdentity identity,
        final Client client)
    {
        this.world = world;
        histories = cluster.histories();
        this.identity = identity;
        this.client = client;
        tickets = client.tickets();
        ticketOf = new long[client.partitions()][Workload.PARTS + 1];
        lastTold = new long[client.partitions()];
        pulls = new WorkerPulls(world, cluster, checker, identity.slot(), client);
    }

    @Override
    public void poll(final long nowNs)
    {
        client.doWork(nowNs);
        // before anything is pushed: a new ticket takes the place of an old one, and its outcome with it
        for (int i = 0; i < client.partitions(); i++)
        {
            checkOutcomes(client.session(i));
        }
    }

    @Override
    public void doWork()
    {
        for (int i = 0; i < client.partitions(); i++)
        {
            final PartitionSession session = client.session(i);
            for (int n = histories.workload(i).nextBurst(); n > 0 && canPush(session); n--)
            {
                push(session);
            }
            pulls.doWork(session);
        }
    }

    @Override
    public boolean isDone()
    {
        for (int i = 0; i < client.partitions(); i++)
        {
            if (client.session(i).lastSequence() < Workload.PARTS)
            {
                return false;
            }
        }

        return 0 == tickets.outstanding();
    }

    @Override
    public void onWelcome(final int partition, final long last)
    {
        lastTold[partition] = last;
    }

    @Override
    public void onRows(final DirectBuffer message)
    {
        pulls.onRows(message);
    }

    @Override
    public boolean mayLeave(final UnsafeBuffer message)
    {
        return true;
    }

    @Override
    public boolean isAtWorst()
    {
        return false;
    }

    @Override
    public void onSent(final UnsafeBuffer message)
    {
        // what is pushed is known already
    }

    @Override
    public void await(final String what, final BooleanSupplier condition)
    {
        Violation.check(
            condition.getAsBoolean(), Violation.Kind.INVARIANT_BROKEN, "a worker must not wait for " + what);
    }

    private boolean canPush(final PartitionSession session)
    {
        return session.canPush() && session.lastSequence() < Workload.PARTS && tickets.hasRoom();
    }

    private void push(final PartitionSession session)
    {
        final Workload workload = histories.workload(session.partition());
        final History history = workload.history();
        final History.Part part = workload.nextPart(session.lastSequence() + 1);
        final int offset = session.claim(workload.length(part));
        if (Spool.NOT_NOW == offset)
        {
            return;
        }
        final long nowNs = world.events().nowNs();
        final long contentHash =
            workload.encode(part, identity.slot(), session.spool().next(), session.spool().buffer(), offset);
        final long ticket = tickets.open(true, nowNs);
        final long sequence = session.commit(ticket, !part.isClock());
        tickets.seal(ticket, nowNs);
        history.add(identity.slot(), identity.incarnation(), part, contentHash);
        Violation.check(isReplaced(session.partition()) || sequence == history.last(identity.slot()),
            Violation.Kind.INVARIANT_BROKEN, "sequence", sequence, history.last(identity.slot()));
        ticketOf[session.partition()][(int)sequence] = ticket;
    }

    /** True if a newer process of the slot was welcomed there. */
    private boolean isReplaced(final int partition)
    {
        return histories.history(partition).isReplaced(identity.slot(), identity.incarnation());
    }

    private void checkOutcomes(final PartitionSession session)
    {
        final int partition = session.partition();
        while (lastTold[partition] < session.acknowledgedThrough())
        {
            lastTold[partition]++;
            final boolean wasRefused =
                Refusal.NONE != tickets.refusal(ticketOf[partition][(int)lastTold[partition]]);
            final long effective = histories.history(partition).lastOf(identity.slot(), identity.incarnation());
            Violation.check(lastTold[partition] <= effective, Violation.Kind.LOST,
                "acknowledged to a process without effect: slot, partition, sequence", identity.slot(), partition,
                lastTold[partition], effective);
            histories.history(partition).onOutcome(identity.slot(), partition, lastTold[partition], wasRefused);
        }
    }
}
