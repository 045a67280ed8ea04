// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.WorkStatus;
import io.gradstream.server.partition.Partition;
import io.gradstream.simulator.coordinator.SlotChecks;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.SharedWork;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Compares the rows with the work: each push of each batch is in them once. A batch may be in them in part, or not at
 * all, only if coordinators count it as left out where a process took a slot over, or as dropped.
 */
final class UnitsChecks
{
    private static final long NO_TICKET = -1;

    /** A batch that a process has begun, and the ticket of its end. */
    private static final class Begun
    {
        private final int batch;
        private long ticket = NO_TICKET;

        private Begun(final int batch)
        {
            this.batch = batch;
        }
    }

    private final World world;
    private final Cluster cluster;
    private final SharedWork work;
    private final UnsafeBuffer row = new UnsafeBuffer(new byte[TableSpec.AUDIT.valuesLength()]);
    /** By process the batches that were not acknowledged to it, in order. */
    private final Map<UnitsProcess, List<Begun>> begun = new HashMap<>();
    private final BitSet acknowledged = new BitSet();
    private int fenced;
    private int whole;
    private int leftOut;
    private int dropped;

    UnitsChecks(final World world, final Cluster cluster)
    {
        this.world = world;
        this.cluster = cluster;
        work = world.config().work();
    }

    /** A process begins a batch. */
    void onBegun(final UnitsProcess process, final int batch)
    {
        begun.computeIfAbsent(process, (key) -> new ArrayList<>()).add(new Begun(batch));
    }

    /** A process has ended a batch. */
    void onClock(final UnitsProcess process, final int batch, final long ticket)
    {
        final List<Begun> batches = begun.get(process);
        final Begun last = batches.get(batches.size() - 1);
        Violation.check(last.batch == batch, Violation.Kind.INVARIANT_BROKEN, "batch", batch, last.batch);
        last.ticket = ticket;
    }

    /** Looks which batches are acknowledged to a process. */
    void onAcknowledged(final UnitsProcess process, final LongPredicate isDone)
    {
        final List<Begun> batches = begun.getOrDefault(process, List.of());
        while (!batches.isEmpty() && NO_TICKET != batches.get(0).ticket && isDone.test(batches.get(0).ticket))
        {
            final int batch = batches.remove(0).batch;
            Violation.check(!acknowledged.get(batch), Violation.Kind.DOUBLED, "a batch was acknowledged twice", batch);
            acknowledged.set(batch);
        }
    }

    /** A process has left: all that it has ended is acknowledged, and it has pushed nothing of the next batch. */
    void onLeft(final UnitsProcess process, final LongPredicate isDone)
    {
        onAcknowledged(process, isDone);
        final List<Begun> batches = begun.getOrDefault(process, List.of());
        Violation.check(batches.isEmpty() || NO_TICKET == batches.get(0).ticket, Violation.Kind.ACKNOWLEDGED_TOO_EARLY,
            "a process leaves before its batches are acknowledged", batches.size());
        begun.remove(process);
    }

    /** A process is no more. */
    void onEnded(final UnitsProcess process)
    {
        begun.remove(process);
    }

    /** A process was told that a newer one is in its slot: the coordinators must have named that one. */
    void onFenced(final int slot, final long incarnation)
    {
        fenced++;
        final long newest = cluster.coordinator().checks().slots().newest(slot);
        Violation.check(newest > incarnation, Violation.Kind.WORKER_HALTED,
            "fenced by nobody: slot, incarnation, newest", slot, incarnation, newest);
    }

    /** Checks that what is acknowledged to a process was pushed before a newer one was in its slot. */
    void checkEffect(final WorkerIdentity identity, final PartitionSession session)
    {
        final int slot = identity.slot();
        final long last =
            cluster.histories().history(session.partition()).lastOf(slot, identity.incarnation());
        Violation.check(session.epoch() < 0 || session.acknowledgedThrough() <= last, Violation.Kind.LOST,
            "acknowledged to a process without effect: slot, partition, sequence, last", slot, session.partition(),
            session.acknowledgedThrough(), last);
    }

    /** Compares the rows of all heads, and what the coordinators say of the work, with the work. */
    void checkEnd(final WorkStatus status)
    {
        whole = 0;
        leftOut = 0;
        dropped = 0;
        for (int batch = 0; batch < work.batches(); batch++)
        {
            count(batch);
        }
        world.journal().note("work", "is over: whole, left out, dropped", whole, leftOut, dropped, status);
        Violation.check(whole == status.batchesDone() && leftOut == status.batchesLeftOut() &&
            dropped == status.batchesDropped(), Violation.Kind.LOST,
            "whole, left out, dropped, and by the coordinators", whole, leftOut, dropped, status.batchesDone(),
            status.batchesLeftOut(), status.batchesDropped());
    }

    private void count(final int batch)
    {
        final boolean isWhole = isWhole(batch);
        Violation.check(isWhole || !acknowledged.get(batch), Violation.Kind.LOST,
            "a batch that was acknowledged is not in the rows: batch", batch);
        if (cluster.coordinator().checks().slots().isLeftOut(batch))
        {
            // partitions may have it or not
            leftOut++;
        }
        else if (isWhole)
        {
            whole++;
        }
        else
        {
            Violation.check(!work.spec().isGivenAgain(), Violation.Kind.LOST, "nobody has done batch", batch);
            dropped++;
        }
    }

    /** Returns what has happened, once the work is over. */
    WorkTally tally(final int processes, final int left)
    {
        final SlotChecks slots = cluster.coordinator().checks().slots();
        return new WorkTally(1, processes, fenced, left, slots.adopted(), slots.givenAgain(), leftOut, dropped);
    }

    /** True if each push of a batch is in the rows; none is in them twice. */
    private boolean isWhole(final int batch)
    {
        boolean isWhole = true;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final int head = cluster.coordinator().chain(partition).head();
            final Partition state = cluster.node(head).process().hosted(partition).partition();
            state.rows().read(Workload.COUNTS.tableId(), world.config().firstKey(partition) + batch, row, 0);
            final int value = (int)row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
            for (int push = 0; push < SharedWork.MOST_PUSHES; push++)
            {
                final int count = SharedWork.count(value, push);
                final int expected = work.isAt(partition, batch, push) ? 1 : 0;
                Violation.check(count <= expected, Violation.Kind.DOUBLED, "partition, batch, push, how often",
                    partition, batch, push, count);
                isWhole &= count == expected;
            }
        }

        return isWhole;
    }
}
