// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;

/**
 * Clips gradients before an update function of floats uses them, and may refuse what would make a row overflow.
 * <p>
 * {@code clip=C} brings each element of a gradient into [-C, C] before the function uses it: Keras calls that
 * clipvalue, PyTorch clip_grad_value_. {@code clip-norm=C} then scales the gradient of a row whose Euclidean norm is
 * above C down to C. It is the norm of one row: a partition sees only some rows of a gradient, and cannot know that of
 * the whole, which PyTorch's clip_grad_norm_ takes. {@code refuse-non-finite} refuses a push that would make a row
 * infinite or NaN.
 *
 * @param clip             largest element of a gradient, or infinity for any.
 * @param clipNorm         largest norm of a row's gradient, or infinity for any.
 * @param refusesNonFinite true to refuse what would make a row infinite or NaN.
 */
record ClippedFunction(UpdateFunction function, float clip, float clipNorm, boolean refusesNonFinite)
    implements UpdateFunction
{
    @Override
    public int statePerValue()
    {
        return function.statePerValue();
    }

    @Override
    public boolean supports(final ElementType type)
    {
        return ElementType.FLOAT32 == type && function.supports(type);
    }

    @Override
    public boolean refusesNonFinite()
    {
        return refusesNonFinite || function.refusesNonFinite();
    }

    @Override
    public boolean takesLast()
    {
        return function.takesLast();
    }

    @Override
    public boolean isPerValue()
    {
        return Float.POSITIVE_INFINITY == clipNorm && function.isPerValue();
    }

    @Override
    public boolean hasRate()
    {
        return function.hasRate();
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        if (clip < Float.POSITIVE_INFINITY)
        {
            for (int i = 0; i < dim; i++)
            {
                gradient[i] = Math.max(-clip, Math.min(clip, gradient[i]));
            }
        }
        if (clipNorm < Float.POSITIVE_INFINITY)
        {
            clipNorm(gradient, dim);
        }
        function.updateFloats(values, state, gradient, dim, rateFactor);
    }

    private void clipNorm(final float[] gradient, final int dim)
    {
        // the squares of floats cannot overflow a double, and their order is part of the bits
        double sum = 0;
        for (int i = 0; i < dim; i++)
        {
            sum += (double)gradient[i] * gradient[i];
        }
        final double norm = Math.sqrt(sum);
        if (norm > clipNorm)
        {
            final double scale = clipNorm / norm;
            for (int i = 0; i < dim; i++)
            {
                gradient[i] = (float)(gradient[i] * scale);
            }
        }
    }
}
