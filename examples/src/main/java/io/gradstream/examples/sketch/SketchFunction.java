// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples.sketch;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.FunctionParameters;
import io.gradstream.function.UpdateFunction;
import io.gradstream.function.UpdateFunctionProvider;

/**
 * Counters of a sketch: what is pushed is added, and a counter stays from 0 to a limit, where {@code add/1} would go
 * below 0, and overflow. Its text is {@code sketch/1}, or {@code sketch/1 limit=1000000}.
 */
public final class SketchFunction implements UpdateFunctionProvider
{
    @Override
    public String name()
    {
        return "sketch";
    }

    @Override
    public int version()
    {
        return 1;
    }

    @Override
    public UpdateFunction create(final FunctionParameters parameters)
    {
        final float limit = parameters.positive("limit", Float.POSITIVE_INFINITY);
        if (limit < 1)
        {
            throw parameters.invalid("limit must be 1 or above");
        }

        // infinity is the greatest long
        return new Counters((long)limit);
    }

    /** Adds with bounds. */
    private static final class Counters implements UpdateFunction
    {
        private final long limit;

        private Counters(final long limit)
        {
            this.limit = limit;
        }

        @Override
        public boolean supports(final ElementType type)
        {
            return ElementType.INT64 == type;
        }

        @Override
        public void updateFloats(
            final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
        {
            throw new UnsupportedOperationException("counters are INT64");
        }

        @Override
        public void updateLongs(final long[] values, final long[] gradient, final int dim)
        {
            for (int i = 0; i < dim; i++)
            {
                // from 0 to the limit: neither the difference nor the sum overflows
                final long added = gradient[i] > limit - values[i] ? limit : values[i] + gradient[i];
                values[i] = Math.max(0, added);
            }
        }
    }
}
