// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

/**
 * The log positions, in bytes, that a replica had reached when its node was last heard.
 *
 * @param applied        end of what it has applied.
 * @param replicated     end of what every replica in sync after it in the chain has applied too.
 * @param recorded       end of what all these have recorded.
 * @param isJoinerServed true if the joiner after it gets on, though that may have applied nothing more: it waits for
 *                       its turn, or is sent a snapshot.
 */
public record ReplicaPositions(long applied, long replicated, long recorded, boolean isJoinerServed)
{
    /** Positions of a replica that serves no joiner. */
    public ReplicaPositions(final long applied, final long replicated, final long recorded)
    {
        this(applied, replicated, recorded, false);
    }
}
