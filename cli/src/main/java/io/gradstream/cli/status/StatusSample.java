// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.worker.ClusterDescription;
import io.gradstream.coordinator.client.CoordinatorStatus;

/**
 * The decisions and the knowledge of the coordinators at one moment.
 *
 * @param atNs         when the sample came, by this process's clock.
 * @param map          that is decided.
 * @param status       that the coordinators know besides.
 * @param isWithTables true if a report shows the tables and slots of servers.
 * @param description  that servers answered; null if they were not asked, nothing is placed, or none can be asked.
 */
record StatusSample(
    long atNs, ClusterMap map, CoordinatorStatus status, boolean isWithTables, ClusterDescription description)
{
    /** Time after which a server that has not been heard counts as silent: it reports many times in this time. */
    static final long SILENT_MS = 5_000;

    /**
     * A sample for which servers were not asked for their content.
     */
    StatusSample(final long atNs, final ClusterMap map, final CoordinatorStatus status)
    {
        this(atNs, map, status, false, null);
    }

    /**
     * The same with the servers' content, of which only the clocks are shown.
     *
     * @param described by the servers, or null if none can be asked.
     */
    StatusSample withClocks(final ClusterDescription described)
    {
        return new StatusSample(atNs, map, status, false, described);
    }

    /**
     * True if slots of the job wait for each other.
     */
    boolean isBounded()
    {
        return null != map.job() && map.job().consistency().isBounded();
    }

    /**
     * The slots that hold the others back, in a job that is bounded.
     *
     * @return these slots, or null if no server has answered.
     */
    HeldBack heldBack()
    {
        return null == description || description.undescribed().size() == description.partitions().size() ? null :
            HeldBack.of(map.job().consistency(), description);
    }

    /**
     * The same with the servers' content.
     *
     * @param described by the servers, or null if nothing is placed.
     */
    StatusSample with(final ClusterDescription described)
    {
        return new StatusSample(atNs, map, status, true, described);
    }

    /**
     * The positions that a node last reported of its replica.
     *
     * @return positions, or null if it has not reported any.
     */
    CoordinatorStatus.Replica replica(final int nodeId, final int partition)
    {
        return status.replicas().stream()
            .filter((replica) -> replica.nodeId() == nodeId && replica.partition() == partition)
            .findFirst().orElse(null);
    }

    /**
     * The positions that the primary of a partition last reported.
     *
     * @return positions, or null if there is no primary or it has not reported any.
     */
    CoordinatorStatus.Replica head(final int partition)
    {
        return replica(chain(partition).head(), partition);
    }

    /**
     * Bytes by which a member's replica is behind the primary's. The two report at different moments, so that even a
     * member that keeps up is behind by the bytes that are logged in half a second.
     *
     * @return bytes, or -1 if unknown.
     */
    long lag(final int nodeId, final int partition)
    {
        final CoordinatorStatus.Replica head = head(partition);
        final CoordinatorStatus.Replica member = replica(nodeId, partition);
        return null == head || null == member ? -1 : Math.max(0, head.applied() - member.applied());
    }

    /**
     * Bytes a second by which the log of a partition has grown since an earlier sample.
     *
     * @return rate, or NaN if unknown.
     */
    double rate(final int partition, final StatusSample earlier)
    {
        if (null == earlier || earlier.map.chains().chains().size() <= partition)
        {
            return Double.NaN;
        }
        final CoordinatorStatus.Replica before = earlier.head(partition);
        final CoordinatorStatus.Replica now = head(partition);
        return null == before || null == now || now.applied() < before.applied() || atNs <= earlier.atNs ? Double.NaN :
            (now.applied() - before.applied()) * 1e9 / (atNs - earlier.atNs);
    }

    /**
     * The chain that serves a partition.
     */
    Chain chain(final int partition)
    {
        return map.chains().chains().get(partition);
    }

    /**
     * Partitions with fewer members in sync than they should have.
     */
    long degraded()
    {
        return map.chains().chains().stream().filter(Chain::isDegraded).count();
    }

    /**
     * Partitions that no server serves: they have no primary, or the coordinators have not heard it for long.
     */
    long notServed()
    {
        return map.chains().chains().stream()
            .filter((chain) -> chain.members().isEmpty() || isSilent(chain.head())).count();
    }

    /**
     * True if a node is registered, and was never heard or has not been heard for longer than {@link #SILENT_MS}.
     */
    boolean isSilent(final int nodeId)
    {
        return nodeId < map.endpoints().size() && !map.endpoints().get(nodeId).isEmpty() &&
            (heardMs(nodeId) < 0 || heardMs(nodeId) > SILENT_MS);
    }

    /**
     * Time since a node was heard, in milliseconds; -1 if it never was.
     */
    long heardMs(final int nodeId)
    {
        return nodeId < status.heardMs().size() ? status.heardMs().get(nodeId) : -1;
    }

    /**
     * Partitions that belong on a node.
     */
    long places(final int nodeId)
    {
        return map.assignment().stream().filter((nodes) -> nodes.contains(nodeId)).count();
    }

    /**
     * Partitions that a node serves.
     */
    long heads(final int nodeId)
    {
        return map.chains().chains().stream().filter((chain) -> chain.head() == nodeId).count();
    }

    /**
     * Nodes that have registered.
     */
    long registered()
    {
        return map.endpoints().stream().filter((endpoint) -> !endpoint.isEmpty()).count();
    }
}
