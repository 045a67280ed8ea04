// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.LogRecords;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.HashSet;
import java.util.Set;

/**
 * Flips single bits of records on the way from one node to the next. The chain hash is the one field that no checksum
 * covers: where it flips, a joiner takes its own log for another one. A member would have to stop for it, so it is
 * spared, unless it becomes one while the record is under way; then its process may end.
 */
final class BitFlips
{
    private static final int CHAIN_HASH = 24;

    /** A process that was told a chain hash that is not so. */
    private record Misled(int node, long incarnation, int partition)
    {
    }

    private final World world;
    private final Cluster cluster;
    private final Set<Misled> misled = new HashSet<>();

    BitFlips(final World world, final Cluster cluster)
    {
        this.world = world;
        this.cluster = cluster;
    }

    /** Returns what arrives of a record; the bytes are the message's own. */
    UnsafeBuffer onTheWay(final int to, final int partition, final UnsafeBuffer bytes)
    {
        final Faults faults = world.faults();
        if (faults.strike(FaultClass.TRANSIT_ROT, 0.004))
        {
            final int offset = (int)faults.draw(FaultClass.TRANSIT_ROT, 0, bytes.capacity() - Long.BYTES - 1);
            flip(bytes, offset < CHAIN_HASH ? offset : offset + Long.BYTES);
            if (world.isPlanted(PlantedFault.TRANSIT_ROT_TAKEN_FOR_DIVERGENCE))
            {
                LogRecords.seal(bytes, 0, bytes.capacity(), 1, LogRecords.index(bytes, 0), 0);
            }
        }
        final Chain chain = cluster.coordinator().chain(partition);
        if (chain.joiner() == to && !world.config().isReplicated() && faults.strike(FaultClass.TRANSIT_ROT, 0.03))
        {
            flip(bytes, CHAIN_HASH + (int)faults.draw(FaultClass.TRANSIT_ROT, 0, Long.BYTES - 1));
            misled.add(new Misled(to, cluster.node(to).incarnation(), partition));
        }

        return bytes;
    }

    /** True if this process may end because its log seems to differ from the chain's. */
    boolean hasMisled(final int node, final int partition)
    {
        return misled.contains(new Misled(node, cluster.node(node).incarnation(), partition));
    }

    private void flip(final UnsafeBuffer bytes, final int offset)
    {
        final int bit = 1 << world.faults().draw(FaultClass.TRANSIT_ROT, 0, Byte.SIZE - 1);
        bytes.putByte(offset, (byte)(bytes.getByte(offset) ^ bit));
    }
}
