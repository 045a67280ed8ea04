// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.work;

/**
 * Consecutive batches of one pass that this slot is to do now, each with one clock.
 *
 * @param pass       from 0.
 * @param unit       its number in the work.
 * @param firstBatch index in the pass.
 * @param batches    how many, at least 1: of a unit that another process has begun, those that are left.
 */
public record WorkUnit(int pass, long unit, long firstBatch, int batches)
{
}
