// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;

/** Adds what is pushed: w += g. */
public final class Add implements UpdateFunction
{
    @Override
    public boolean supports(final ElementType type)
    {
        return true;
    }

    @Override
    public boolean isPerValue()
    {
        return true;
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        for (int i = 0; i < dim; i++)
        {
            values[i] += gradient[i];
        }
    }

    @Override
    public void updateLongs(final long[] values, final long[] gradient, final int dim)
    {
        for (int i = 0; i < dim; i++)
        {
            values[i] += gradient[i];
        }
    }
}
