// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/**
 * Adagrad, a rate for each value that falls with what it has been pushed: n += g * g, then
 * w -= rate * g / (sqrt(initial + n) + epsilon). Source: Duchi et al., "Adaptive Subgradient Methods for Online
 * Learning and Stochastic Optimization", JMLR 2011, with diagonal matrices. State: n, without the initial sum, since
 * the state of a row begins as zeros.
 *
 * @param rate    learning rate, above 0.
 * @param epsilon keeps the divisor from 0, above 0.
 * @param initial sum of squares that each value begins with, 0 or above.
 */
public record Adagrad(float rate, float epsilon, float initial) implements Optimizer
{
    @Override
    public int statePerValue()
    {
        return 1;
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        final float stepRate = rate * rateFactor;
        for (int i = 0; i < dim; i++)
        {
            final float g = gradient[i];
            final float n = state[i] + g * g;

            state[i] = n;
            values[i] -= stepRate * g / ((float)Math.sqrt(initial + n) + epsilon);
        }
    }
}
