// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.check;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.JobListener;
import io.gradstream.simulator.node.OtherJobs;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks whether jobs beside the first one keep to themselves. What is pushed to a partition of a job is a number that
 * nothing else pushes, so that rows show whose they are, and how many parts are in them.
 */
public final class JobChecks implements JobListener
{
    /** Parts that are pushed to each partition. */
    public static final int PARTS = 40;
    /** The slot that pushes. */
    public static final int SLOT = 0;
    private static final int PARTITIONS = 4;

    /** Where a log stands. */
    private record Place(int jobId, int partition, long epoch, long position)
    {
    }

    /** The process that has held an epoch. */
    private record Office(int seat, long incarnation)
    {
    }

    private final Cluster cluster;
    private final OtherJobs jobs;
    private final Map<Place, Long> chainHashes = new HashMap<>();
    private final Map<Place, Office> offices = new HashMap<>();
    /** By job and partition: the last part that was acknowledged. */
    private final Map<Place, Long> acknowledged = new HashMap<>();
    private final UnsafeBuffer row = new UnsafeBuffer(new byte[TableSpec.AUDIT.valuesLength()]);

    JobChecks(final Cluster cluster)
    {
        this.cluster = cluster;
        jobs = cluster.otherJobs();
    }

    /** The gradient that each part brings to the only row of a partition. */
    public static float value(final int jobId, final int partition)
    {
        return (float)jobId * PARTITIONS + partition;
    }

    /** The only key of a partition. */
    public static long key(final int partitions, final int partition)
    {
        final PartitionFunction placement = new PartitionFunction(partitions);
        long key = 0;
        while (placement.partitionOf(Workload.COUNTS.tableId(), key) != partition)
        {
            key += 1L << PartitionFunction.BLOCK_BITS;
        }

        return key;
    }

    @Override
    public void onAppended(
        final int jobId, final int partition, final long epoch, final long end, final long chainHash)
    {
        final Long other = chainHashes.putIfAbsent(new Place(jobId, partition, epoch, end), chainHash);
        Violation.check(null == other || chainHash == other, Violation.Kind.HASH_DIFFERS,
            "log of job, partition, epoch, end", jobId, partition, epoch, end);
    }

    @Override
    public void onWork(final HostedPartition copy)
    {
        final Replica replica = copy.replica();
        if (Replica.State.HALTED == replica.state())
        {
            throw new Violation(Violation.Kind.REPLICA_HALTED, "job=" + copy.jobId() + " " + replica.haltReason());
        }
        if (null != replica.damage() && replica.chain().version() > 0 && replica.isOnlyCopy())
        {
            throw new Violation(Violation.Kind.REPLICA_HALTED,
                "job=" + copy.jobId() + " no other copy: " + replica.damage());
        }
    }

    /** A copy is about to delete of its log: nobody may need that, nor may it be in sync without knowing. */
    @Override
    public void onLogCut(final int seat, final int jobId, final int partition)
    {
        final SimulatedNode node = cluster.at(seat);
        final boolean isTheNode = node.incarnation() == cluster.coordinator().map().incarnations().get(node.id());
        for (final ClusterMap.Job job : jobs.living())
        {
            if (isTheNode && job.id() == jobId)
            {
                final Chain chain = jobs.chain(job, partition);
                Violation.check(!chain.requiredReplicas().contains(node.id()) && !chain.members().contains(node.id()),
                    Violation.Kind.NEEDED_LOG_CUT, "job, partition, node", jobId, partition, node.id());
            }
        }
    }

    /** An answer must come from a copy of the worker's job: nobody else may answer for that. */
    @Override
    public void onAnswer(final int seat, final int jobId, final int partition, final long epoch)
    {
        for (final ClusterMap.Job job : jobs.known())
        {
            if (job.id() != jobId)
            {
                continue;
            }
            final HostedPartition copy = jobs.copy(cluster.at(seat), job, partition);
            Violation.check(null != copy && copy.partition().epoch() == epoch, Violation.Kind.OF_ANOTHER_JOB,
                "an answer is not of the job's copy: job, partition, node, epoch", jobId, partition, seat, epoch);
            cluster.coordinator().checks().onAnswer(copy.number(), copy.replica().chain().version());
            for (final SimulatedNode node : cluster.nodes())
            {
                Violation.check(node.seat() == seat || !jobs.mayAnswer(node, job, partition),
                    Violation.Kind.TWO_PRIMARIES, "job, partition, answers, may answer", jobId, partition, seat,
                    node.seat());
            }
        }
    }

    /** A worker takes all parts up to one for safe. */
    public void onAcknowledged(final int jobId, final int partition, final long sequence)
    {
        acknowledged.merge(place(jobId, partition), sequence, Math::max);
    }

    /** A partition without a head is opened with a copy: it has to have all that was acknowledged on its disk. */
    void onOpened(final int number, final int node)
    {
        final SimulatedNode opener = cluster.node(node);
        for (final ClusterMap.Job job : jobs.living())
        {
            final int partition = number - job.firstPartition();
            if (job.has(number) && !opener.isGivenUp())
            {
                final long sequence = acknowledged(job.id(), partition);
                final SimulatedStorage storage = opener.storage(job.id(), partition);
                Violation.check(0 == sequence || null != storage &&
                    (sequence <= storage.file().recorded(SLOT) || sequence <= storage.snapshotted(SLOT)),
                    Violation.Kind.LOST, "opened without what was acknowledged: job, partition, acknowledged",
                    job.id(), partition, sequence);
            }
        }
    }

    /** After a node's duty cycle. */
    void checkNode(final SimulatedNode node)
    {
        for (final ClusterMap.Job job : jobs.known())
        {
            for (int partition = 0; partition < job.spec().partitions(); partition++)
            {
                final HostedPartition copy = jobs.copy(node, job, partition);
                if (null != copy)
                {
                    checkCopy(node, job, copy);
                }
            }
        }
    }

    private void checkCopy(final SimulatedNode node, final ClusterMap.Job job, final HostedPartition copy)
    {
        final int number = copy.numberInJob();
        final Replica.State state = copy.replica().state();
        if (Replica.State.PRIMARY == state || Replica.State.FOLLOW_LOG == state)
        {
            checkRow(job, copy.partition());
        }
        if (!copy.isPrimary())
        {
            return;
        }
        final Partition partition = copy.partition();
        final Office office = new Office(node.seat(), node.incarnation());
        final Office other = offices.putIfAbsent(new Place(job.id(), number, partition.epoch(), 0), office);
        Violation.check(null == other || other.equals(office), Violation.Kind.TWO_PRIMARIES,
            "job, partition, epoch, node", job.id(), number, partition.epoch(), node.seat());
        int answering = 0;
        for (final SimulatedNode each : cluster.nodes())
        {
            answering += jobs.mayAnswer(each, job, number) ? 1 : 0;
        }
        Violation.check(answering <= 1, Violation.Kind.TWO_PRIMARIES, "job, partition, answering", job.id(), number,
            answering);
        if (jobs.living().contains(job) && partition.epoch() == jobs.chain(job, number).epoch())
        {
            Violation.check(partition.lastSequence(SLOT) >= acknowledged(job.id(), number), Violation.Kind.LOST,
                "job, partition, last, acknowledged", job.id(), number, partition.lastSequence(SLOT),
                acknowledged(job.id(), number));
        }
    }

    private void checkRow(final ClusterMap.Job job, final Partition partition)
    {
        final int number = partition.partition();
        if (null == partition.tableSpec(Workload.COUNTS.tableId()))
        {
            return;
        }
        partition.rows().read(
            Workload.COUNTS.tableId(), key(job.spec().partitions(), number), row, 0);
        final float sum = row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
        final float expected = value(job.id(), number) * partition.lastSequence(SLOT);
        if (sum != expected || partition.lastSequence(SLOT) > PARTS)
        {
            throw new Violation(Violation.Kind.OF_ANOTHER_JOB, "job=" + job.id() + " partition=" + number + " row=" +
                sum + " expected=" + expected + " parts=" + partition.lastSequence(SLOT));
        }
    }

    private long acknowledged(final int jobId, final int partition)
    {
        return acknowledged.getOrDefault(place(jobId, partition), 0L);
    }

    private static Place place(final int jobId, final int partition)
    {
        return new Place(jobId, partition, 0, 0);
    }
}
