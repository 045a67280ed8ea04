// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/**
 * Stochastic gradient descent with momentum: v = momentum * v + g, then w -= rate * v, or with Nesterov's look ahead
 * w -= rate * (g + momentum * v). Source: Sutskever et al., "On the importance of initialization and momentum in deep
 * learning", ICML 2013, with the rate outside of v as in PyTorch, so that a rate that changes holds for the whole step.
 * State: v.
 *
 * @param rate       above 0.
 * @param momentum   share of v that a step keeps, 0 to below 1.
 * @param isNesterov true to take the gradient as if the next step's momentum had been applied.
 */
public record Momentum(float rate, float momentum, boolean isNesterov) implements Optimizer
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
            final float velocity = momentum * state[i] + g;

            state[i] = velocity;
            values[i] -= stepRate * (isNesterov ? g + momentum * velocity : velocity);
        }
    }
}
