// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.training.DivergedException;

/** The range of gradients as they are pushed: in 2 bytes a gradient that is finite may be infinite. */
final class PushedRange
{
    private static final String MOST_OF_FLOAT16 = "65504, the most that --push-values=float16 can say,";
    private static final String MOST_OF_BFLOAT16 = "3.39e38, the most that --push-values=bfloat16 can say,";

    private final ValueEncoding encoding;
    private final int dim;

    /**
     * The range of an encoding.
     *
     * @param dim gradients of a row.
     */
    PushedRange(final ValueEncoding encoding, final int dim)
    {
        this.encoding = encoding;
        this.dim = dim;
    }

    /**
     * Refuse finite gradients that are beyond the range.
     *
     * @throws DivergedException if one is; it names its feature.
     */
    void check(final long[] keys, final int count, final float[] gradients)
    {
        final int beyond = firstBeyond(count, gradients);
        if (beyond >= 0)
        {
            throw new DivergedException("the gradient " + gradients[beyond] + " of feature " + keys[beyond / dim] +
                " is beyond " + (ValueEncoding.FLOAT16 == encoding ? MOST_OF_FLOAT16 : MOST_OF_BFLOAT16));
        }
    }

    /** True if the gradients of all rows are finite as they are pushed. */
    boolean holds(final int count, final float[] gradients)
    {
        return FiniteFloats.areFinite(gradients, count * dim) && firstBeyond(count, gradients) < 0;
    }

    private int firstBeyond(final int count, final float[] gradients)
    {
        for (int i = 0, end = ValueEncoding.RAW == encoding ? 0 : count * dim; i < end; i++)
        {
            if (!encoding.keepsFinite(gradients[i]))
            {
                return i;
            }
        }

        return -1;
    }
}
