// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.SimulatedCrash;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;

/** A node's copy of a partition of a job that is not the first one, watched. */
final class OtherJobPartition extends HostedPartition
{
    private static final long SNAPSHOT_LOG_BYTES = 3_000;
    private static final int SELDOM = 60;

    private final World world;
    private final Cluster cluster;
    private final SimulatedNode node;

    OtherJobPartition(
        final World world,
        final Cluster cluster,
        final SimulatedNode node,
        final Partition partition,
        final SimulatedStorage storage,
        final Replica replica)
    {
        super(partition, storage, replica, SnapshotThreshold.fixed(SNAPSHOT_LOG_BYTES));
        this.world = world;
        this.cluster = cluster;
        this.node = node;
    }

    @Override
    public int doWork(final long nowNs)
    {
        final int workCount = super.doWork(nowNs);
        if (Replica.State.HALTED == replica().state() && cluster.bitFlips().hasMisled(node.id(), number()))
        {
            throw new SimulatedCrash();
        }
        cluster.jobListener().onWork(this);
        if (0 == world.faults().draw(FaultClass.JOBS, 0, SELDOM))
        {
            onSnapshotWanted();
        }
        if (isPrimary() && null == partition().tableSpec(Workload.COUNTS.tableId()))
        {
            final Outcome outcome = partition().onCreateTable(Workload.COUNTS, partition().epoch());
            Violation.check(Outcome.REFUSED != outcome, Violation.Kind.INVARIANT_BROKEN,
                "table refused: " + partition().tableRefusalReason());
        }

        return workCount;
    }
}
