// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.List;

/**
 * All that everybody needs to know of the coordinator's decisions: the jobs, where nodes listen, where replicas belong,
 * and who serves what. Partitions are numbered over all jobs; each job has a range of them.
 * <p>
 * A worker looks at the map {@link #of(Job)} its job, in which partitions are numbered as the job numbers them.
 *
 * @param jobs        by number, the first one first; empty while none is defined.
 * @param deletedJobs numbers of the jobs that were deleted last, at most {@link #MAX_DELETED_JOBS}. A job that is only
 *                    missing may be one that these coordinators have forgotten.
 * @param endpoints   host:port of the nodes by id, empty for one that has not registered.
 * @param assignment  by partition the nodes where its replicas belong, the preferred head first; empty lists until
 *                    the partitions are placed, and for partitions of no job.
 * @param chains      who serves what; its version is that of the whole.
 * @param clusterId   which cluster decided it: what a node keeps of another one is not to be served here. 0 if unknown.
 */
public record ClusterMap(
    List<Job> jobs,
    List<Integer> deletedJobs,
    List<String> endpoints,
    List<List<Integer>> assignment,
    ChainMap chains,
    long clusterId)
{
    /** Stands for a cluster without a job, or one without coordinators. */
    public static final long NO_CLUSTER = 0;

    /** Most jobs that a cluster has at once. */
    public static final int MAX_JOBS = 32;

    /** Most deleted jobs that a map names. */
    public static final int MAX_DELETED_JOBS = 256;

    /**
     * One job.
     *
     * @param id             its number, from {@link #FIRST_ID} on; no other job ever has it.
     * @param name           by which users know it.
     * @param firstPartition number of its first partition in the cluster.
     * @param spec           of the job.
     */
    public record Job(int id, String name, int firstPartition, JobSpec spec)
    {
        /** The number of the job with which a cluster begins. */
        public static final int FIRST_ID = 1;
        /** The name of the job with which a cluster begins. */
        public static final String DEFAULT_NAME = "default";
        /** Longest name. */
        public static final int MAX_NAME_LENGTH = 32;

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException naming the first that is wrong, and what is allowed.
         */
        public Job
        {
            checkName(name);
            Check.given("spec", spec);
            Check.range("id", id, FIRST_ID, Integer.MAX_VALUE);
            Check.range("firstPartition", firstPartition, 0, JobSpec.MAX_PARTITIONS - spec.partitions());
        }

        /**
         * Check a name.
         *
         * @throws IllegalArgumentException if no job can have it.
         */
        public static String checkName(final String name)
        {
            Check.that(null != name && name.matches("[a-z0-9][a-z0-9-]{0,31}"), "name", name,
                "1.." + MAX_NAME_LENGTH + " small letters, digits and hyphens, and begin with a letter or a digit");

            return name;
        }

        /** True if a partition of the cluster is one of this job's. */
        public boolean has(final int partition)
        {
            return partition >= firstPartition && partition < endPartition();
        }

        /** The number after that of its last partition in the cluster. */
        public int endPartition()
        {
            return firstPartition + spec.partitions();
        }
    }

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if the lists do not fit each other.
     */
    public ClusterMap
    {
        jobs = List.copyOf(jobs);
        deletedJobs = List.copyOf(deletedJobs);
        endpoints = List.copyOf(endpoints);
        assignment = assignment.stream().map(List::copyOf).toList();
        if (endpoints.size() != chains.incarnations().size() || assignment.size() != chains.chains().size())
        {
            throw new IllegalArgumentException("invalid map version=" + chains.version() + ": " + endpoints.size() +
                " endpoints, " + chains.incarnations().size() + " incarnations, " +
                assignment.size() + " assigned partitions, " + chains.chains().size() + " chains");
        }
    }

    /**
     * A map with one job.
     *
     * @param job       null while none is defined.
     * @param endpoints host:port of the nodes by id.
     */
    public ClusterMap(
        final JobSpec job,
        final List<String> endpoints,
        final List<List<Integer>> assignment,
        final ChainMap chains,
        final long clusterId)
    {
        this(null == job ? List.of() : List.of(new Job(Job.FIRST_ID, Job.DEFAULT_NAME, 0, job)), List.of(),
            endpoints, assignment, chains, clusterId);
    }

    /**
     * A map with one job, of an unknown cluster.
     *
     * @param job       null while none is defined.
     * @param endpoints host:port of the nodes by id.
     */
    public ClusterMap(
        final JobSpec job, final List<String> endpoints, final List<List<Integer>> assignment, final ChainMap chains)
    {
        this(job, endpoints, assignment, chains, NO_CLUSTER);
    }

    /** Grows with every change. */
    public long version()
    {
        return chains.version();
    }

    /** The first job, which is the only one in a map {@link #of(Job)} one; null while none is defined. */
    public JobSpec job()
    {
        return jobs.isEmpty() ? null : jobs.get(0).spec();
    }

    /** The job with a name, or null if there is none. */
    public Job job(final String name)
    {
        return jobs.stream().filter((job) -> job.name().equals(name)).findFirst().orElse(null);
    }

    /** The job with a number, or null if there is none. */
    public Job job(final int id)
    {
        return jobs.stream().filter((job) -> job.id() == id).findFirst().orElse(null);
    }

    /** The job of a partition, or null if no job has it. */
    public Job jobOf(final int partition)
    {
        return jobs.stream().filter((job) -> job.has(partition)).findFirst().orElse(null);
    }

    /** True if a job was deleted, and not so long ago that many others were since. */
    public boolean isDeleted(final int jobId)
    {
        return deletedJobs.contains(jobId);
    }

    /** One job's part of the map, in which partitions are numbered as the job numbers them, from 0 on. */
    public ClusterMap of(final Job job)
    {
        final int end = Math.min(job.endPartition(), assignment.size());
        final int first = Math.min(job.firstPartition(), end);

        return new ClusterMap(List.of(new Job(job.id(), job.name(), 0, job.spec())), deletedJobs, endpoints,
            assignment.subList(first, end),
            new ChainMap(chains.version(), chains.incarnations(), chains.chains().subList(first, end)), clusterId);
    }

    /** True if a job is defined and every partition of each job has a place. */
    public boolean isPlaced()
    {
        return !jobs.isEmpty() && jobs.stream().allMatch(this::isPlaced);
    }

    /** True if every partition of a job has a place. */
    public boolean isPlaced(final Job job)
    {
        final List<List<Integer>> places = of(job).assignment();
        return !places.isEmpty() && places.stream().noneMatch(List::isEmpty);
    }
}
