// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/**
 * Stochastic gradient descent: w -= rate * g.
 *
 * @param rate learning rate, above 0.
 */
public record Sgd(float rate) implements Optimizer
{
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
