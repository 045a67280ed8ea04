// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A job as the coordinator knows it: how large it is, how it survives, and how far its slots may run apart. It names
 * the update functions of users that its tables may have, and the limits of the job on its servers. All but the
 * consistency and the limits stays as it is for the life of the job.
 *
 * @param partitions    1 to {@link #MAX_PARTITIONS}.
 * @param copies        replicas of each partition, 1 to {@link #MAX_COPIES}.
 * @param nodes         nodes that must have registered before partitions are placed, at least {@code copies}.
 * @param virtualNodes  points of each node on the ring.
 * @param rowCapacity   most rows of one table in one partition.
 * @param repairDelayMs silence in milliseconds after which a node's places are given to others.
 * @param mode          what servers keep.
 * @param consistency   how far slots may run apart.
 * @param functions     update functions of users, as name/version, in order: every node must have them.
 * @param limits        what the job may take of its servers.
 */
public record JobSpec(
    int partitions,
    int copies,
    int nodes,
    int virtualNodes,
    int rowCapacity,
    int repairDelayMs,
    RecoveryMode mode,
    Consistency consistency,
    List<String> functions,
    Limits limits)
{
    /** Most partitions: a map, and a status with all replicas, must fit one message of the coordinator. */
    public static final int MAX_PARTITIONS = 1024;
    /** Longest chain. */
    public static final int MAX_COPIES = 3;
    /** Node ids are below this. */
    public static final int MAX_NODES = 128;
    /** Points of each node on the ring unless something else is wanted. */
    public static final int DEFAULT_VIRTUAL_NODES = 128;
    /** Most points of a node on the ring. */
    public static final int MAX_VIRTUAL_NODES = 1024;
    /** A silent node's places are given to others after so many milliseconds unless something else is wanted. */
    public static final int DEFAULT_REPAIR_DELAY_MS = 30_000;
    /** Shortest such time in milliseconds: nodes are heard twice a second. */
    public static final int MIN_REPAIR_DELAY_MS = 2_000;
    /** Longest such time in milliseconds: a day. */
    public static final int MAX_REPAIR_DELAY_MS = 86_400_000;
    /** Most rows of one table in one partition. */
    public static final int MAX_ROWS = 1 << 28;
    /** Longest list of update functions, with a blank between two of them. */
    public static final int MAX_FUNCTIONS_LENGTH = 256;

    /**
     * Limits of a job on its servers.
     *
     * @param rowBytes most bytes of rows and their state that the job holds, an equal part of them in each partition; 0
     *                 is no limit.
     * @param pushRate most bytes of pushes a second that each server takes of the job; 0 is no limit.
     */
    public record Limits(long rowBytes, long pushRate)
    {
        /** No limit of anything. */
        public static final Limits NONE = new Limits(0, 0);
        /** Greatest limit of either. */
        public static final long MAX_BYTES = 1L << 50;
        /** Least rate: at a lower one, what a worker sends beside its pushes could wait for longer than it may. */
        public static final long MIN_PUSH_RATE = 1024 * 1024;

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException naming the first that is wrong, and what is allowed.
         */
        public Limits
        {
            Check.that(rowBytes >= 0 && rowBytes <= MAX_BYTES, "rowBytes", rowBytes, "from 0 to " + MAX_BYTES);
            Check.that(0 == pushRate || pushRate >= MIN_PUSH_RATE && pushRate <= MAX_BYTES, "pushRate", pushRate,
                "0, or from " + MIN_PUSH_RATE + " to " + MAX_BYTES);
        }
    }

    private static final Pattern FUNCTION = Pattern.compile("[A-Za-z0-9-]{1,64}/[1-9][0-9]{0,8}");

    /**
     * Checks the values, alone and against each other.
     *
     * @throws IllegalArgumentException naming the first that is wrong, and what is allowed.
     */
    public JobSpec
    {
        Check.range("partitions", partitions, 1, MAX_PARTITIONS);
        Check.range("copies", copies, 1, MAX_COPIES);
        Check.range("nodes", nodes, copies, MAX_NODES);
        Check.range("virtualNodes", virtualNodes, 1, MAX_VIRTUAL_NODES);
        Check.range("rowCapacity", rowCapacity, 1, MAX_ROWS);
        Check.range("repairDelayMs", repairDelayMs, MIN_REPAIR_DELAY_MS, MAX_REPAIR_DELAY_MS);
        Check.given("mode", mode);
        Check.that(1 == copies || mode.isReplicated(), "copies", copies, "1 in mode " + mode.label());
        Check.given("consistency", consistency);
        if (0 == consistency.staleness() && mode.isStateless())
        {
            throw new IllegalArgumentException("invalid staleness=0: in mode " + mode.label() +
                " workers go on without servers, so it must be at least 1, or unbounded");
        }
        functions = List.copyOf(new TreeSet<>(functions));
        for (final String function : functions)
        {
            if (!FUNCTION.matcher(function).matches())
            {
                throw new IllegalArgumentException(
                    "invalid function=" + function + " of a job: must be name/version, such as sketch/1");
            }
        }
        Check.that(String.join(" ", functions).length() <= MAX_FUNCTIONS_LENGTH, "functions", functions,
            "at most " + MAX_FUNCTIONS_LENGTH + " characters");
        Check.given("limits", limits);
    }

    /** A job without limits, whose slots do not wait for each other. Its tables have Gradstream's own functions. */
    public JobSpec(
        final int partitions,
        final int copies,
        final int nodes,
        final int virtualNodes,
        final int rowCapacity,
        final int repairDelayMs,
        final RecoveryMode mode)
    {
        this(
            partitions, copies, nodes, virtualNodes, rowCapacity, repairDelayMs, mode, Consistency.EVENTUAL, List.of(),
            Limits.NONE);
    }

    /**
     * The same job with its slots bound otherwise.
     *
     * @throws IllegalArgumentException if the job's mode does not allow that.
     */
    public JobSpec with(final Consistency newConsistency)
    {
        return new JobSpec(
            partitions, copies, nodes, virtualNodes, rowCapacity, repairDelayMs, mode, newConsistency, functions,
            limits);
    }

    /** True if another description is of the same job. Its slots may be bound otherwise by now, its limits too. */
    public boolean isDefinedAs(final JobSpec other)
    {
        return partitions == other.partitions && copies == other.copies && nodes == other.nodes &&
            virtualNodes == other.virtualNodes && rowCapacity == other.rowCapacity &&
            repairDelayMs == other.repairDelayMs && mode == other.mode && functions.equals(other.functions);
    }

    /**
     * The same job, whose tables may have update functions of users.
     *
     * @param newFunctions as name/version.
     * @throws IllegalArgumentException if one cannot be, or they are too many.
     */
    public JobSpec with(final List<String> newFunctions)
    {
        return new JobSpec(
            partitions, copies, nodes, virtualNodes, rowCapacity, repairDelayMs, mode, consistency, newFunctions,
            limits);
    }

    /** The same job, which may take so much of its servers. */
    public JobSpec with(final Limits newLimits)
    {
        return new JobSpec(
            partitions, copies, nodes, virtualNodes, rowCapacity, repairDelayMs, mode, consistency, functions,
            newLimits);
    }
}
