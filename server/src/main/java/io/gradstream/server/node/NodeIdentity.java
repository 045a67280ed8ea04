// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

/**
 * The identity of a process: its cluster, its node, and its place among the processes that were this node.
 *
 * @param jobId       that its neighbours must name, too.
 * @param nodeId      its place among the nodes of the cluster.
 * @param incarnation of the process, grows with each start of the node.
 * @param endpoint    host:port at which it listens.
 */
public record NodeIdentity(int jobId, int nodeId, long incarnation, String endpoint)
{
}
