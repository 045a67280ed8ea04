// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.List;

/**
 * The cluster at one moment, as coordinators and the counters of its servers show it.
 *
 * @param timeMs            when, ms since 1970 UTC.
 * @param job               in words, empty if there is none.
 * @param leader            coordinator that leads.
 * @param term              of its leadership; grows with each election.
 * @param failovers         processes that lost a leadership to another since the coordinator's first start.
 * @param spuriousFailovers those of them that turned out to be alive.
 * @param nodes             servers that have registered.
 * @param partitions        by number; none before servers have their places.
 */
public record ClusterSample(
    long timeMs,
    String job,
    int leader,
    long term,
    long failovers,
    long spuriousFailovers,
    List<Node> nodes,
    List<Partition> partitions)
{
    /** No number is known: of lags and epochs. */
    public static final long UNKNOWN = -1;

    /**
     * A server.
     *
     * @param id       its number.
     * @param endpoint host:port where it takes requests.
     * @param heardMs  since it was heard last, {@link #UNKNOWN} if never.
     * @param isSilent true if it has not been heard for too long, or its process is gone.
     * @param heads    partitions that it serves by the newest map.
     * @param places   partitions that belong on it.
     */
    public record Node(int id, String endpoint, long heardMs, boolean isSilent, int heads, int places)
    {
    }

    /**
     * The role of a replica in its chain.
     */
    public enum Role
    {
        /** It takes the pushes. */
        HEAD,
        /** It is in sync. */
        STANDBY,
        /** It is being brought up. */
        JOINER
    }

    /**
     * A copy of a partition.
     *
     * @param node    that has it.
     * @param role    by the newest map.
     * @param rung    where it stands on the ladder from crash to primary, empty if its counters cannot be read.
     * @param epoch   of the newest record applied, {@link #UNKNOWN} if its counters cannot be read.
     * @param applied end of what it has applied, a log position in bytes; {@link #UNKNOWN} if it has not said.
     * @param lag     bytes that it is behind the head, {@link #UNKNOWN} if either has not said.
     */
    public record Replica(int node, Role role, String rung, long epoch, long applied, long lag)
    {
    }

    /**
     * A partition.
     *
     * @param id       its number.
     * @param epoch    of its leadership.
     * @param wanted   copies that it should have.
     * @param inSync   copies that are in sync.
     * @param isServed true if the partition has a head that is heard and, as far as known, answers.
     * @param replicas head first.
     */
    public record Partition(int id, long epoch, int wanted, int inSync, boolean isServed, List<Replica> replicas)
    {
    }

    /** Partitions that somebody serves. */
    public long served()
    {
        return partitions.stream().filter(Partition::isServed).count();
    }

    /** Partitions with fewer copies in sync than they should have. */
    public long degraded()
    {
        return partitions.stream().filter((partition) -> partition.inSync() < partition.wanted()).count();
    }

    /** The largest lag of a copy in sync, in bytes; 0 if none is known. */
    public long maxLag()
    {
        return partitions.stream().flatMap((partition) -> partition.replicas().stream())
            .filter((replica) -> Role.STANDBY == replica.role()).mapToLong(Replica::lag).map((lag) -> Math.max(0, lag))
            .max().orElse(0);
    }

    /**
     * Bytes that heads have appended since an earlier sample. A partition whose position went back counts as 0.
     */
    long appendedSince(final ClusterSample earlier)
    {
        long bytes = 0;
        for (int i = 0; i < Math.min(partitions.size(), earlier.partitions.size()); i++)
        {
            final long before = headPosition(earlier.partitions.get(i));
            final long now = headPosition(partitions.get(i));
            bytes += before >= 0 && now > before ? now - before : 0;
        }

        return bytes;
    }

    private static long headPosition(final Partition partition)
    {
        return partition.replicas().stream().filter((replica) -> Role.HEAD == replica.role())
            .mapToLong(Replica::applied).findFirst().orElse(UNKNOWN);
    }
}
