// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.network;

import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.World;

import java.util.ArrayList;
import java.util.List;

/**
 * Two streams from each host of a node to each other one: what must not wait, and records. They outlive the receiver's
 * restarts; what a dead sender has sent may still arrive.
 */
public final class SimulatedNetwork
{
    /** Heartbeats, attaches and progress. */
    public static final int CONTROL = 0;
    /** Answers, records and frames. */
    public static final int RECORDS = 1;
    private static final int FRAGMENT_LIMIT = 64;

    private final World world;
    /** How many seats have had a process. */
    private int seats;
    private final SimulatedStream<ChainMessage>[][][] streams;
    private final List<List<SimulatedStream<ChainMessage>>> lingering = new ArrayList<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    public SimulatedNetwork(final World world)
    {
        this.world = world;
        seats = world.config().nodes();
        final int most = world.config().seats();
        streams = new SimulatedStream[most][most][2];
        for (int from = 0; from < most; from++)
        {
            lingering.add(new ArrayList<>());
            for (int to = 0; to < most; to++)
            {
                streams[from][to][CONTROL] = new SimulatedStream<>(world);
                streams[from][to][RECORDS] = new SimulatedStream<>(world);
            }
        }
    }

    public boolean offer(final int from, final int to, final int kind, final ChainMessage message)
    {
        return streams[from][to][kind].offer(message);
    }

    public int poll(final int to, final SimulatedStream.Receiver<ChainMessage> receiver)
    {
        int count = 0;
        final List<SimulatedStream<ChainMessage>> late = lingering.get(to);
        for (int i = late.size() - 1; i >= 0; i--)
        {
            count += late.get(i).poll(receiver, FRAGMENT_LIMIT);
            if (late.get(i).isEmpty())
            {
                late.remove(i);
            }
        }
        for (int kind = CONTROL; kind <= RECORDS; kind++)
        {
            for (int from = 0; from < seats; from++)
            {
                count += streams[from][to][kind].poll(receiver, FRAGMENT_LIMIT);
            }
        }

        return count;
    }

    /** A node has started: it connects to the living ones, and they to it. */
    public void onStarted(final int node, final boolean[] isAlive)
    {
        seats = node < seats ? seats : isAlive.length;
        for (int other = 0; other < seats; other++)
        {
            if (other != node && isAlive[other])
            {
                connect(node, other);
                connect(other, node);
            }
        }
    }

    /** A node has died. */
    public void onDead(final int node)
    {
        lingering.get(node).clear();
        for (int other = 0; other < seats; other++)
        {
            for (int kind = CONTROL; kind <= RECORDS; kind++)
            {
                streams[other][node][kind].die();
                if (world.faults().strike(FaultClass.LINGER, 0.6))
                {
                    final SimulatedStream<ChainMessage> old = streams[node][other][kind];
                    old.linger(world.faults().draw(FaultClass.LINGER, 0, 60_000_000));
                    lingering.get(other).add(old);
                    streams[node][other][kind] = new SimulatedStream<>(world);
                }
                else
                {
                    streams[node][other][kind].die();
                }
            }
        }
    }

    /** An image dies, and another one comes. */
    public void lose(final int from, final int to, final int kind)
    {
        if (streams[from][to][kind].isConnected())
        {
            streams[from][to][kind].die();
            connect(from, to, kind);
        }
    }

    /** Nothing gets from one node to another for a while; if it is long, the images die of it. */
    public void split(final int from, final int to, final long durationNs)
    {
        for (int kind = CONTROL; kind <= RECORDS; kind++)
        {
            streams[from][to][kind].block(durationNs);
            if (world.faults().strike(FaultClass.NETSPLIT, 0.5))
            {
                final int lost = kind;
                world.events().after(durationNs, () -> lose(from, to, lost));
            }
        }
    }

    /** Holes that have not been reached yet are none any more. */
    public void mend()
    {
        for (final SimulatedStream<ChainMessage>[][] from : streams)
        {
            for (final SimulatedStream<ChainMessage>[] to : from)
            {
                to[CONTROL].mend();
                to[RECORDS].mend();
            }
        }
    }

    /** Nothing gets from one node to another for a while; what is said meanwhile arrives later. */
    public void cut(final int from, final int to, final long durationNs)
    {
        streams[from][to][CONTROL].block(durationNs);
        streams[from][to][RECORDS].block(durationNs);
    }

    private void connect(final int from, final int to)
    {
        connect(from, to, CONTROL);
        connect(from, to, RECORDS);
    }

    private void connect(final int from, final int to, final int kind)
    {
        streams[from][to][kind].die();
        streams[from][to][kind].connect(world.faults().draw(FaultClass.NEIGHBOUR_LOSS, 500_000, 6_000_000));
    }
}
