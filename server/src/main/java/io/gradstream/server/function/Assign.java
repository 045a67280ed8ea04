// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;

/** Replaces the row by what is pushed: w = g. */
public final class Assign implements UpdateFunction
{
    @Override
    public boolean supports(final ElementType type)
    {
        return true;
    }

    @Override
    public boolean takesLast()
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
        System.arraycopy(gradient, 0, values, 0, dim);
    }

    @Override
    public void updateLongs(final long[] values, final long[] gradient, final int dim)
    {
        System.arraycopy(gradient, 0, values, 0, dim);
    }
}
