/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.perf.peers;

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
