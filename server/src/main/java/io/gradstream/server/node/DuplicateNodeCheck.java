// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.ClusterMap;

/**
 * Finds out from the coordinators' maps that another process is this node: one that was started later with the same
 * node id, or one at another address that they keep hearing.
 */
final class DuplicateNodeCheck
{
    private final int nodeId;
    private final long incarnation;
    private final String endpoint;
    private final long timeoutNs;
    private boolean isOther;
    private long otherSinceNs;
    private String otherEndpoint = "";

    DuplicateNodeCheck(final int nodeId, final long incarnation, final String endpoint, final long timeoutNs)
    {
        this.nodeId = nodeId;
        this.incarnation = incarnation;
        this.endpoint = endpoint;
        this.timeoutNs = timeoutNs;
    }

    /**
     * Read which process the coordinator takes for this node now.
     *
     * @throws IllegalStateException if a newer process is the node: the coordinator hears only that one, and this one
     *                               would wait for a role for ever.
     */
    void onMap(final ClusterMap map, final long nowNs)
    {
        final boolean isNamed = nodeId < map.chains().incarnations().size();
        final long known = isNamed ? map.chains().incarnations().get(nodeId) : 0;
        if (known > incarnation)
        {
            throw new IllegalStateException("another process is node " + nodeId + ", at " +
                map.endpoints().get(nodeId) + ": give each server a node id of its own; or the clock of this machine" +
                " was set back since the last start, then wait until it has caught up");
        }
        otherEndpoint = isNamed ? map.endpoints().get(nodeId) : "";
        final boolean isOtherNow = known != incarnation && !otherEndpoint.isEmpty() && !otherEndpoint.equals(endpoint);
        otherSinceNs = isOtherNow && !isOther ? nowNs : otherSinceNs;
        isOther = isOtherNow;
    }

    /**
     * Look whether the coordinator still prefers a process at another address.
     *
     * @throws IllegalStateException if so after the timeout.
     */
    void check(final long nowNs)
    {
        if (isOther && nowNs - otherSinceNs >= timeoutNs)
        {
            throw new IllegalStateException("node " + nodeId + " is another process, at " + otherEndpoint +
                ", which the coordinator hears: it keeps its place. Give this server a --node-id that no other has," +
                " or stop the other one first");
        }
    }
}
