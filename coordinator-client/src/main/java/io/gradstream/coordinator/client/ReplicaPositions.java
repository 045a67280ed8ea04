// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

/**
 * How far a replica was when its node was last heard, as log positions in bytes.
 *
 * @param applied    end of what it has applied.
 * @param replicated end of what everybody in sync behind it has applied too.
 * @param recorded   end of what all these have recorded.
 */
public record ReplicaPositions(long applied, long replicated, long recorded)
{
}
