// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.driver.DriverProfile;

import java.nio.file.Path;

/**
 * The settings of a replay run, checked before anything opens.
 *
 * @param bytes     of records to write, at least.
 * @param rounds    measured, each with one raw replay and one recovery.
 * @param rows      of the table that the records update.
 * @param profile   of driver, Archive and the thread that reads.
 * @param directory below which the Archive keeps its recordings, removed afterwards.
 */
record ReplaySettings(long bytes, int rounds, int rows, DriverProfile profile, Path directory)
{
    /** Floats in a row. */
    static final int DIM = 4096;
    /** Bytes in a row. */
    static final int ROW_BYTES = DIM * Float.BYTES;

    private static final int MAX_ROUNDS = 1_000;
    private static final int MAX_ROWS = 1 << 16;
    private static final long MIN_BYTES = 1L << 20;
    private static final long MAX_BYTES = 64L << 30;

    ReplaySettings
    {
        check(bytes >= MIN_BYTES && bytes <= MAX_BYTES, "bytes", bytes, "1m to 64g");
        check(rounds >= 1 && rounds <= MAX_ROUNDS, "rounds", rounds, "1.." + MAX_ROUNDS);
        check(rows >= DenseParts.ROWS_PER_PART && rows <= MAX_ROWS, "rows", rows,
            DenseParts.ROWS_PER_PART + ".." + MAX_ROWS);
    }

    private static void check(final boolean isValid, final String name, final Object value, final String allowed)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException("invalid --" + name + "=" + value + ": must be " + allowed);
        }
    }
}
