// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;

/**
 * Stochastic gradient descent: w -= rate * g.
 */
public final class Sgd implements UpdateFunction
{
    private final float rate;

    /**
     * With a fixed learning rate.
     *
     * @param rate above 0.
     */
    public Sgd(final float rate)
    {
        this.rate = rate;
    }

    @Override
    public int statePerValue()
    {
        return 0;
    }

    @Override
    public boolean supports(final ElementType type)
    {
        return ElementType.FLOAT32 == type;
    }

    @Override
    public boolean isPerValue()
    {
        return true;
    }

    @Override
    public boolean hasRate()
    {
        return true;
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        final float stepRate = rate * rateFactor;
        for (int i = 0; i < dim; i++)
        {
            values[i] -= stepRate * gradient[i];
        }
    }
}
