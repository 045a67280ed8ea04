// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.check;

import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.world.Violation;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;

/** Compares what the processes of slots believe of a primary with what that primary has. */
public final class BeliefChecks
{
    private final Cluster cluster;

    BeliefChecks(final Cluster cluster)
    {
        this.cluster = cluster;
    }

    /** A worker hears how far its parts have come, maybe late. */
    public void onWatermarks(final int slot, final int partition, final long epoch, final long applied)
    {
        for (final SimulatedNode node : cluster.nodes())
        {
            final HostedPartition copy = node.isAlive() ? node.process().hosted(partition) : null;
            if (null != copy && copy.isPrimary() && copy.partition().epoch() == epoch)
            {
                Violation.check(applied <= copy.partition().lastSequence(slot),
                    Violation.Kind.WATERMARK_BEYOND_TRUTH, "slot, partition, applied, truth", slot, partition,
                    applied, copy.partition().lastSequence(slot));
            }
        }
    }

    /** A process believes that a primary has taken and applied pushes: the primary of that epoch must have. */
    public void check(final WorkerIdentity identity, final PartitionSession session)
    {
        final int slot = identity.slot();
        // parts of the process before that it has adopted, or of the other one behind which it goes on
        final long skipped = session.othersThrough();
        for (final SimulatedNode node : cluster.nodes())
        {
            final HostedPartition copy = node.isAlive() ? node.process().hosted(session.partition()) : null;
            if (null != copy && copy.isPrimary() && copy.partition().epoch() == session.epoch() &&
                slot == copy.contents().nextSlot(slot) && copy.contents().isProcess(slot, identity.incarnation()))
            {
                final Partition partition = copy.partition();
                Violation.check(session.takenThrough() < Math.max(skipped + 1, partition.nextSequence(slot)),
                    Violation.Kind.WATERMARK_BEYOND_TRUTH, "believed to be taken: slot, partition, sequence, next",
                    slot, session.partition(), session.takenThrough(), partition.nextSequence(slot));
                final long applied = session.watermarks().of(AckLevel.APPLIED);
                Violation.check(applied <= Math.max(skipped, partition.lastSequence(slot)),
                    Violation.Kind.WATERMARK_BEYOND_TRUTH,
                    "believed to be applied: slot, partition, sequence, applied", slot, session.partition(), applied,
                    partition.lastSequence(slot));
            }
        }
    }
}
