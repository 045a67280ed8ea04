// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.server.function.Sgd;

import java.nio.FloatBuffer;

/**
 * The rows that a peer's server keeps: as many and as long as those of {@code perf load}, changed by the same method.
 */
final class PeerRows
{
    /** Floats in a row. */
    static final int DIM = 1024;
    /** Bytes in a row. */
    static final int ROW_BYTES = DIM * Float.BYTES;
    /** Rows: 16 MiB, more than a processor's second level cache. */
    static final int COUNT = 4096;
    /** Learning rate; a power of two, so that a test may say what comes out. */
    static final float RATE = 0.25f;

    private static final float[] NO_STATE = {};

    private final Sgd sgd = new Sgd(RATE);
    private final float[] gradient = new float[DIM];
    private final float[][] rows = new float[COUNT][DIM];

    /** Apply the gradient of a row: w -= rate * g. */
    void apply(final int row, final FloatBuffer from)
    {
        from.get(gradient);
        sgd.updateFloats(rows[row], NO_STATE, gradient, DIM, 1f);
    }

    /** Write the values of consecutive rows. */
    void read(final int firstRow, final int count, final FloatBuffer to)
    {
        for (int i = 0; i < count; i++)
        {
            to.put(rows[firstRow + i]);
        }
    }
}
