// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import java.util.List;

/**
 * All that a node tells the coordinators of itself. A report that is lost is made good by the next one.
 *
 * @param nodeId      of the node.
 * @param incarnation of its process; grows with each.
 * @param number      of the report, from 1 on; grows with each of the process. A report that arrives after a later one
 *                    is ignored.
 * @param isAnswered  true if the coordinators have answered the node since its timed report before this one.
 * @param endpoint    host:port on which the node listens.
 * @param replicas    of the node.
 */
public record NodeReport(
    int nodeId, long incarnation, long number, boolean isAnswered, String endpoint, List<ReplicaReport> replicas)
{
    /** Copies the list. */
    public NodeReport
    {
        replicas = List.copyOf(replicas);
    }
}
