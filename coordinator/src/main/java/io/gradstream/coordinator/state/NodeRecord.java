// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Map;
import java.util.TreeMap;

import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.NodeReport;

/** The facts that the coordinator knows of one node. */
final class NodeRecord
{
    /** Never heard. */
    static final long NEVER = Long.MIN_VALUE;
    /** A process that was heard within so long keeps its node; ten reports. */
    static final long STANDS_MS = 5_000;

    /** Of its newest process, 0 while none has registered. */
    long incarnation;
    /** host:port, empty while none has registered. */
    String endpoint = "";
    /** Incarnation that lost a leadership last. */
    long deposed;
    /** True if the process of that incarnation has been seen alive since. */
    boolean isSeenAlive;
    /** True if its places move to other nodes, until a user says otherwise or it is forgotten. */
    boolean isDraining;
    /** Of the newest report of its process. */
    long reportNumber;
    /** Cluster time of that report, or since when the coordinators have their leader, whichever is later. */
    long heardMs = NEVER;
    /** True if it has reported since the coordinators have their leader. */
    boolean hasReported;
    /** How far its replicas were then, by partition. */
    final Map<Integer, ReplicaPositions> replicas = new TreeMap<>();

    boolean isRegistered()
    {
        return incarnation > 0 && !endpoint.isEmpty();
    }

    /** Forget a node that keeps nothing. Its process may live, and is drained still when it is heard again. */
    void forget()
    {
        endpoint = "";
        heardMs = NEVER;
        replicas.clear();
    }

    /** True if its process was forgotten, and this is a report of it. */
    boolean isForgotten(final NodeReport report)
    {
        return incarnation > 0 && !isRegistered() && incarnation == report.incarnation();
    }

    /**
     * True if the registered process is to be kept, although a process at another endpoint says that it is the node.
     */
    boolean stands(final String newEndpoint, final long nowMs)
    {
        return isRegistered() && !endpoint.equals(newEndpoint) && isHeardSince(nowMs - STANDS_MS);
    }

    /** True if this is a report of the registered process that was sent after all that were taken. */
    boolean isNext(final NodeReport report)
    {
        return isRegistered() && incarnation == report.incarnation() && report.number() > reportNumber;
    }

    /** False if the node is silent. All are taken for heard when another leader begins. */
    boolean isHeardSince(final long timeMs)
    {
        return NEVER != heardMs && heardMs >= timeMs;
    }

    /** True if the node has reported since then, and to this leader: it can be relied on. */
    boolean isAliveSince(final long timeMs)
    {
        return hasReported && isHeardSince(timeMs);
    }
}
