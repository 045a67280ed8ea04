// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

/**
 * Consecutive batches of one unit that a slot has been given.
 *
 * @param unit      its number in the work.
 * @param fromBatch first batch, counted from the beginning of the unit.
 * @param length    how many batches.
 */
public record WorkPiece(long unit, int fromBatch, int length)
{
}
