// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.filter;

/**
 * Counts of the rows that the filters of a client have left out of its pushes. Bytes are those of the values as they
 * would have been sent to servers, without keys and headers.
 *
 * @param rowsHeld          rows of pushes that {@link PushFilter.Significant} has held back.
 * @param heldBytesSaved    bytes of these, less those of rows that were pushed because of their age or an end.
 * @param rowsSkipped       rows that {@link PushFilter.RandomSkip} has left out.
 * @param skippedBytesSaved bytes of these.
 * @param rowsAtZero        rows that {@link PushFilter.Kkt} has left out.
 * @param zeroBytesSaved    bytes of these.
 */
public record FilterCounts(
    long rowsHeld,
    long heldBytesSaved,
    long rowsSkipped,
    long skippedBytesSaved,
    long rowsAtZero,
    long zeroBytesSaved)
{
    /** Nothing was left out. */
    public static final FilterCounts NONE = new FilterCounts(0, 0, 0, 0, 0, 0);

    /** The sum of these counts and others. */
    public FilterCounts plus(final FilterCounts other)
    {
        return new FilterCounts(rowsHeld + other.rowsHeld, heldBytesSaved + other.heldBytesSaved,
            rowsSkipped + other.rowsSkipped, skippedBytesSaved + other.skippedBytesSaved,
            rowsAtZero + other.rowsAtZero, zeroBytesSaved + other.zeroBytesSaved);
    }
}
