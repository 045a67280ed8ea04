// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.simulator.network.ChainMessage;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;

import java.util.Arrays;

/**
 * The planted faults of leases; without one it changes nothing. It keeps what nodes have heard of each other, as they
 * do themselves.
 */
final class PlantedLeaseFaults
{
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final World world;
    /** By who heard and who was heard: when the newest heartbeat was sent, by the sender's clock. */
    private final long[][] sentNs;
    /** By who was heard and who heard it: which of the first one's heartbeats the other has heard. */
    private final long[][] grantedNs;
    /** By node and partition: whom it has asked to be rid of last. */
    private final int[][] suspected;
    /** By node and partition, true if it is named to take the lead. */
    private final boolean[][] isTransferee;
    /** By node and partition, true if it is the last of its chain, as far as it knows. */
    private final boolean[][] isTail;

    PlantedLeaseFaults(final World world)
    {
        this.world = world;
        final int nodes = world.config().nodes();
        final int seats = world.config().seats();
        sentNs = new long[seats][nodes];
        grantedNs = new long[seats][nodes];
        suspected = new int[seats][ScenarioConfig.MAX_PARTITIONS];
        isTransferee = new boolean[seats][ScenarioConfig.MAX_PARTITIONS];
        isTail = new boolean[seats][ScenarioConfig.MAX_PARTITIONS];
        for (int node = 0; node < seats; node++)
        {
            onStart(node);
        }
    }

    /** A new process knows nothing. */
    void onStart(final int node)
    {
        Arrays.fill(sentNs[node], NEVER);
        Arrays.fill(grantedNs[node], NEVER);
        Arrays.fill(suspected[node], Chain.NONE);
    }

    void onHeartbeat(final int node, final ChainMessage.Heartbeat heartbeat)
    {
        sentNs[node][heartbeat.from()] = Math.max(sentNs[node][heartbeat.from()], heartbeat.peer().sentNs());
        if (0 != heartbeat.grantNs())
        {
            grantedNs[node][heartbeat.from()] = Math.max(grantedNs[node][heartbeat.from()], heartbeat.grantNs());
        }
    }

    void onMap(final int node, final ChainMap map)
    {
        for (int partition = 0; partition < map.chains().size(); partition++)
        {
            final Chain chain = map.chains().get(partition);
            isTail[node][partition] = Chain.NONE == chain.successorOf(node % world.config().nodes());
        }
    }

    void onSuspected(final int node, final int partition, final int other)
    {
        suspected[node][partition] = other;
    }

    /** A node has learnt whether it is a transferee. */
    void onChain(final int node, final int partition, final boolean isNamed)
    {
        isTransferee[node][partition] = isNamed;
    }

    /** By which heartbeat a node would grant a lease, if leases were of nodes. */
    long grant(final int node, final int to)
    {
        boolean isSuspected = false;
        for (final int other : suspected[node])
        {
            isSuspected |= other == to;
        }

        return isSuspected || NEVER == sentNs[node][to] ? 0 : sentNs[node][to];
    }

    /** By which of its predecessor's heartbeats a replica grants it a lease. */
    long grant(final int node, final ChainLink link, final long grantNs)
    {
        final boolean isSuspected = suspected[node][link.partition()] == link.nodeId();
        final boolean isLie = isTransferee[node][link.partition()] ? world.isPlanted(PlantedFault.TRANSFEREE_GRANTS) :
            isSuspected ? world.isPlanted(PlantedFault.GRANT_AFTER_ASKING) :
            world.isPlanted(PlantedFault.MIDDLE_GRANTS_WITHOUT_LEASE) ||
            world.isPlanted(PlantedFault.GRANT_IN_DOUBT) && isTail[node][link.partition()];

        return isLie && NEVER != sentNs[node][link.nodeId()] ? sentNs[node][link.nodeId()] : grantNs;
    }

    /** When a head's own heartbeat was sent for which its standby has granted a lease. */
    long granted(final long grantNs, final long nowNs)
    {
        return 0 != grantNs && world.isPlanted(PlantedFault.LEASE_FROM_ARRIVAL) ? nowNs : grantNs;
    }

    /** True if a replica takes its lease for granted, or from its neighbour alone. */
    boolean hasLease(final int node, final Replica replica, final long nowNs)
    {
        final int successor = replica.chain().successorOf(node % world.config().nodes());
        return replica.chain().isConfirmed() && (world.isPlanted(PlantedFault.LEASE_UNCHECKED) ||
            world.isPlanted(PlantedFault.SEALED_HEAD_ANSWERS) && replica.isSealed() ||
            world.isPlanted(PlantedFault.LEASE_FROM_NEIGHBOUR_ONLY) && Chain.NONE != successor &&
            nowNs - grantedNs[node][successor] < ScenarioConfig.TIMING.leaseNs());
    }
}
