// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.training.DivergedException;

/**
 * The range of weights as servers send them. In float16 a weight beyond 65,504 comes as infinite, although the server
 * holds it. A gradient at such a weight may be finite, and would be wrong.
 */
final class PulledRange
{
    private final boolean isNarrow;
    private final int dim;

    /**
     * The range of an encoding.
     *
     * @param dim weights of a row.
     */
    PulledRange(final ValueEncoding encoding, final int dim)
    {
        isNarrow = ValueEncoding.FLOAT16 == encoding;
        this.dim = dim;
    }

    /**
     * Refuse weights that are beyond the range.
     *
     * @throws DivergedException if one is; it names its feature.
     */
    void check(final long[] keys, final int count, final float[] weights)
    {
        for (int i = 0, end = isNarrow ? count * dim : 0; i < end; i++)
        {
            if (Float.isInfinite(weights[i]))
            {
                throw new DivergedException("the weight of feature " + keys[i / dim] +
                    " is beyond 65504, the most that --pull-values=float16 can say,");
            }
        }
    }
}
