// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.SnapshotStateDecoder;
import io.gradstream.codecs.coordinator.SnapshotStateEncoder;

/**
 * The jobs of the cluster by their numbers. The first one is there from the beginning, and is defined later. A number
 * is never used again; the partitions of a deleted job are.
 */
final class Jobs
{
    /** 2026-01-01, from which numbers of jobs count. */
    private static final long EPOCH_MS = 1_767_225_600_000L;
    private static final long MS_PER_S = 1_000;

    /** Number of the newest job. */
    int lastId = ClusterMap.Job.FIRST_ID;
    /** Greatest epoch and version of a chain whose job was deleted: the next chain begins above. */
    long retiredEpoch;
    long retiredVersion;
    private final List<JobState> jobs = new ArrayList<>();
    /** Numbers of the jobs that were deleted last, the newest deletion last. */
    private final ArrayDeque<Integer> deleted = new ArrayDeque<>();

    Jobs()
    {
        jobs.add(new JobState(ClusterMap.Job.FIRST_ID, ClusterMap.Job.DEFAULT_NAME, 0, null));
    }

    /** The job with which the cluster begins; its {@link JobState#spec} is null before that. */
    JobState first()
    {
        return jobs.get(0);
    }

    /** True if the first job is defined. */
    boolean isAny()
    {
        return null != first().spec;
    }

    /** All jobs, the first one first, even if it is not defined yet. */
    List<JobState> all()
    {
        return jobs;
    }

    /** The job with a number, or null if there is none. */
    JobState of(final int id)
    {
        return jobs.stream().filter((job) -> job.id == id && null != job.spec).findFirst().orElse(null);
    }

    /** The job of a partition of the cluster, or null if no job has it. */
    JobState ofPartition(final int partition)
    {
        return jobs.stream().filter((job) -> job.has(partition)).findFirst().orElse(null);
    }

    /** The number after that of the last partition of any job. */
    int endPartition()
    {
        return isAny() ? jobs.stream().mapToInt(JobState::endPartition).max().orElse(0) : 0;
    }

    /** Most copies that a job wants of its partitions, of the jobs that are placed. */
    int copies()
    {
        return jobs.stream().filter((job) -> job.isPlaced || job == first())
            .mapToInt((job) -> job.spec.copies()).max().orElseThrow();
    }

    /**
     * Add a job. Its partitions are the first that are free in one piece. Its number is the second of its creation, or
     * the next one: coordinators that were put back to an older state do not give a number again that servers know.
     *
     * @param name  that no job has.
     * @param spec  of which nodes, virtual nodes and repair delay do not count: they are those of the cluster.
     * @param nowMs time of the message, in milliseconds since 1970.
     * @return the job, or null if the name is taken.
     * @throws IllegalArgumentException if there is no room, or the job cannot be.
     */
    JobState create(final String name, final JobSpec spec, final long nowMs)
    {
        ClusterMap.Job.checkName(name);
        if (jobs.stream().anyMatch((job) -> job.name.equals(name)))
        {
            return null;
        }
        final JobSpec cluster = first().spec;
        Check.that(jobs.size() < ClusterMap.MAX_JOBS, "jobs", jobs.size() + 1, "at most " + ClusterMap.MAX_JOBS);
        Check.that(cluster.functions().containsAll(spec.functions()), "functions", spec.functions(),
            "some of those of the cluster's first job, which every server has: " + cluster.functions());
        final int partition = firstFree(spec.partitions());
        Check.that(partition + spec.partitions() <= JobSpec.MAX_PARTITIONS, "partitions", spec.partitions(),
            "as many as are free, of " + JobSpec.MAX_PARTITIONS);
        lastId = (int)Math.max(lastId + 1, (nowMs - EPOCH_MS) / MS_PER_S);
        final JobState job = new JobState(lastId, name, partition, new JobSpec(
            spec.partitions(), spec.copies(), spec.copies(), cluster.virtualNodes(), spec.rowCapacity(),
            cluster.repairDelayMs(), spec.mode(), spec.consistency(), spec.functions(),
            spec.limits()));
        jobs.add(job);

        return job;
    }

    /** Remove a job, whose chains are gone. */
    void remove(final JobState job)
    {
        jobs.remove(job);
        deleted.add(job.id);
        if (deleted.size() > ClusterMap.MAX_DELETED_JOBS)
        {
            deleted.remove();
        }
    }

    /** The numbers of the jobs that were deleted last. */
    List<Integer> deleted()
    {
        return List.copyOf(deleted);
    }

    List<ClusterMap.Job> told()
    {
        return isAny() ? jobs.stream().map(JobState::told).toList() : List.of();
    }

    void encode(final SnapshotStateEncoder encoder)
    {
        encoder.lastJobId(lastId).retiredEpoch(retiredEpoch).retiredVersion(retiredVersion);
        final SnapshotStateEncoder.JobsEncoder group = encoder.jobsCount(isAny() ? jobs.size() : 0);
        for (final JobState job : isAny() ? jobs : List.<JobState>of())
        {
            group.next().jobId(job.id).firstPartition(job.firstPartition).isPlaced((short)(job.isPlaced ? 1 : 0));
            ClusterMapCodec.encodeJob(job.spec, group.spec());
            group.name().text(job.name);
        }
        final SnapshotStateEncoder.DeletedJobsEncoder gone = encoder.deletedJobsCount(deleted.size());
        deleted.forEach((id) -> gone.next().deletedId(id));
    }

    /** Read what {@link #encode} wrote. */
    void decode(final SnapshotStateDecoder decoder)
    {
        lastId = decoder.lastJobId();
        retiredEpoch = decoder.retiredEpoch();
        retiredVersion = decoder.retiredVersion();
        for (final SnapshotStateDecoder.JobsDecoder group : decoder.jobs())
        {
            final boolean isFirst = group.jobId() == ClusterMap.Job.FIRST_ID;
            final JobState job = isFirst ? first() :
                new JobState(group.jobId(), group.name().text(), group.firstPartition(), null);
            job.spec = ClusterMapCodec.decodeJob(group.spec());
            job.isPlaced = 0 != group.isPlaced();
            if (!isFirst)
            {
                jobs.add(job);
            }
        }
        decoder.deletedJobs().forEach((job) -> deleted.add(job.deletedId()));
    }

    private int firstFree(final int partitions)
    {
        int partition = 0;
        JobState inTheWay = taking(partition, partitions);
        while (null != inTheWay)
        {
            partition = inTheWay.endPartition();
            inTheWay = taking(partition, partitions);
        }

        return partition;
    }

    private JobState taking(final int partition, final int partitions)
    {
        return jobs.stream()
            .filter((job) -> job.firstPartition < partition + partitions && partition < job.endPartition())
            .findFirst().orElse(null);
    }
}
