// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.List;

/**
 * All that everybody needs to know of the coordinator's decisions: the job, where nodes listen, where replicas belong,
 * and who serves what.
 *
 * @param job       null while none is defined.
 * @param endpoints host:port of the nodes by id, empty for one that has not registered.
 * @param assignment by partition the nodes where its replicas belong, the preferred head first; empty lists until
 *                  the partitions are placed.
 * @param chains    who serves what; its version is that of the whole.
 * @param clusterId which cluster decided it: what a node keeps of another one is not to be served here. 0 if unknown.
 */
public record ClusterMap(
    JobSpec job, List<String> endpoints, List<List<Integer>> assignment, ChainMap chains, long clusterId)
{
    /** Stands for a cluster without a job, or one without coordinators. */
    public static final long NO_CLUSTER = 0;

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if the lists do not fit each other.
     */
    public ClusterMap
    {
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
     * A map of an unknown cluster.
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

    /** True if a job is defined and every partition has a place. */
    public boolean isPlaced()
    {
        return null != job && assignment.stream().noneMatch(List::isEmpty);
    }
}
