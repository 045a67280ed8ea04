// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;

/**
 * An update function with L2 regularisation: g += decay * w, then the function. What the function keeps of its
 * gradients holds the decay too; {@link AdamW} is without that.
 */
final class Decayed implements UpdateFunction
{
    private final UpdateFunction function;
    private final float decay;

    /**
     * With the strength of the decay.
     *
     * @param decay above 0.
     */
    Decayed(final UpdateFunction function, final float decay)
    {
        this.function = function;
        this.decay = decay;
    }

    @Override
    public int statePerValue()
    {
        return function.statePerValue();
    }

    @Override
    public boolean supports(final ElementType type)
    {
        return function.supports(type);
    }

    @Override
    public boolean isPerValue()
    {
        return function.isPerValue();
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
        for (int i = 0; i < dim; i++)
        {
            gradient[i] += decay * values[i];
        }
        function.updateFloats(values, state, gradient, dim, rateFactor);
    }
}
