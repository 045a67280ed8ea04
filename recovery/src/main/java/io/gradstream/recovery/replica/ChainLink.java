// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/**
 * One attempt of a replica to follow another.
 *
 * @param nodeId     of the node at the other end.
 * @param partition  both keep.
 * @param attachment number of the attempt, which grows with each attempt of a node over all its lives.
 */
public record ChainLink(int nodeId, int partition, long attachment)
{
}
