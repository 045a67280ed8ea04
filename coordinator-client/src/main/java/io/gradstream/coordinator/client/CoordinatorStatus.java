// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.coordinator.StatusDecoder;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The facts that the coordinator knows besides its map.
 *
 * @param mapVersion        newest map.
 * @param failovers         processes that lost a leadership to another since the coordinator's first start.
 * @param spuriousFailovers those of them that turned out to be alive.
 * @param leadershipTerm    grows with each election of the coordinators.
 * @param leader            member that answered.
 * @param heardMs           for each node the milliseconds since it was last heard, -1 if never.
 * @param draining          nodes whose places move to others.
 * @param replicas          how far replicas are.
 */
public record CoordinatorStatus(
    long mapVersion,
    long failovers,
    long spuriousFailovers,
    long leadershipTerm,
    int leader,
    List<Long> heardMs,
    Set<Integer> draining,
    List<Replica> replicas)
{
    /**
     * One replica when its node was last heard, with log positions in bytes.
     *
     * @param nodeId     where it is.
     * @param partition  its number.
     * @param applied    end of what it has applied.
     * @param replicated end of what every replica in sync after it in the chain has applied too.
     * @param recorded   end of what all these have recorded.
     */
    public record Replica(int nodeId, int partition, long applied, long replicated, long recorded)
    {
    }

    static CoordinatorStatus of(final StatusDecoder decoder)
    {
        final long mapVersion = decoder.mapVersion();
        final long failovers = decoder.failovers();
        final long spurious = decoder.spuriousFailovers();
        final long term = decoder.leadershipTerm();
        final int leader = decoder.leader();
        final List<Long> heardMs = new ArrayList<>();
        final Set<Integer> draining = new TreeSet<>();
        for (final StatusDecoder.NodesDecoder node : decoder.nodes())
        {
            heardMs.add(node.heardMs());
            if (0 != node.isDraining())
            {
                draining.add(node.nodeId());
            }
        }
        final List<Replica> replicas = new ArrayList<>();
        for (final StatusDecoder.ReplicasDecoder replica : decoder.replicas())
        {
            replicas.add(new Replica(replica.nodeId(), replica.partition(), replica.applied(), replica.replicated(),
                replica.recorded()));
        }

        return new CoordinatorStatus(mapVersion, failovers, spurious, term, leader, heardMs, draining, replicas);
    }
}
