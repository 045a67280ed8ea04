// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.recovery.archive.ArchiveReplicaStorage;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.ChainPort;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.partition.PushPartHeader;
import io.gradstream.server.store.ChronicleRowStore;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One partition as a server node has it, a chain of this one replica: log and snapshots in the Archive, rows off heap.
 * This class, and no coordinator, makes the replica primary. Driven by the caller's thread.
 */
final class AloneReplica implements AutoCloseable
{
    /** Longest time until a step is done. */
    static final long STEP_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(5);
    /** Job and partition, by which the Archive's recordings are named. */
    static final int JOB = 1;
    static final int PARTITION = 0;

    private static final int NODE = 0;
    private static final int SLOT = 0;
    private static final long WORKER_INCARNATION = 1;

    private final IdleStrategy idleStrategy;
    private final ReplicaStorage storage;
    private final ArchiveClient client;
    private final Partition partition;
    private final Replica replica;
    private final PushPartHeader header = new PushPartHeader();
    private final Sections sections = new Sections();

    /** Before anything is loaded; with so many rows of a table at most. */
    AloneReplica(final ArchiveClient client, final long incarnation, final int rows, final IdleStrategy idleStrategy)
    {
        this.client = client;
        this.idleStrategy = idleStrategy;
        storage = new ArchiveReplicaStorage(
            client, LogGeometry.DEFAULT, JOB, PARTITION, true, false, SystemNanoClock.INSTANCE);
        partition = new Partition(JOB, PARTITION, NODE, new PartitionFunction(1),
            (number, spec, rowLength) -> new ChronicleRowStore(number, spec, rowLength, rows));
        replica = new Replica(NODE, incarnation, PARTITION, storage, partition, new NoNeighbour());
    }

    /** Up to the end of its own log, open to append: it could follow or become primary. */
    void recover()
    {
        await("the end of its log", () -> Replica.State.AWAIT_ROLE == replica.state());
    }

    void startEpoch()
    {
        recover();
        replica.onChain(new Chain(partition.cursor().epoch() + 1, 1, List.of(NODE), Chain.NONE, 1));
        await("start of its epoch", replica::isPrimary);
    }

    void createTable(final TableSpec spec)
    {
        await("the table", () -> isDone(partition.onCreateTable(spec, partition.epoch())));
    }

    void push(final DenseParts part)
    {
        header.set(SLOT, WORKER_INCARNATION, partition.epoch(), part.sequence(), part.sequence() - 1, 0);
        await("room in the log", () ->
        {
            partition.progress().onPositions(
                SLOT, replica.replicatedPosition(), replica.recordedPosition(), 0);
            return isDone(partition.onPush(header, sections, part.buffer(), part.offset(), part.length()));
        });
    }

    void awaitRecorded()
    {
        await("the Archive", () -> replica.recordedPosition() >= position());
    }

    long position()
    {
        return partition.cursor().position();
    }

    long stateHash()
    {
        return partition.stateHash();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(replica, storage, partition);
    }

    private boolean isDone(final Outcome outcome)
    {
        if (Outcome.REFUSED == outcome)
        {
            throw new IllegalStateException("the partition refused its own load: " + partition.refusal());
        }

        return Outcome.NOT_NOW != outcome;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long beginNs = System.nanoTime();
        idleStrategy.reset();
        while (!condition.getAsBoolean())
        {
            final long nowNs = System.nanoTime();
            idleStrategy.idle(doWork(nowNs));
            InterruptedRunException.check();
            if (nowNs - beginNs > STEP_TIMEOUT_NS)
            {
                throw new IllegalStateException("gave up waiting for " + what + " in state=" + replica.state());
            }
        }
    }

    private int doWork(final long nowNs)
    {
        final int workCount = client.aeron().conductorAgentInvoker().invoke() + client.doWork(nowNs) +
            replica.doWork(nowNs) + partition.snapshots().doWork();
        if (null != replica.haltReason() || null != replica.damage())
        {
            throw new IllegalStateException("the replica cannot go on: " +
                (null == replica.haltReason() ? replica.damage() : replica.haltReason()));
        }

        return workCount;
    }

    /** The port of a chain of one, which has no neighbour to talk to. */
    private static final class NoNeighbour implements ChainPort
    {
        @Override
        public boolean attach(final ChainLink link, final EpochHistory history, final long position)
        {
            return false;
        }

        @Override
        public boolean attachAnswer(final ChainLink link, final AttachAnswer answer, final long position)
        {
            return false;
        }

        @Override
        public boolean forward(
            final ChainLink link,
            final long previousPosition,
            final long endPosition,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            return false;
        }

        @Override
        public boolean snapshotFrame(
            final ChainLink link, final long index, final DirectBuffer buffer, final int offset, final int length)
        {
            return false;
        }
    }
}
