// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/** Stochastic gradient descent: w -= rate * g. */
public final class Sgd implements Optimizer
{
    private final float rate;

    /** With a fixed learning rate above 0. */
    public Sgd(final float rate)
    {
        this.rate = rate;
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
