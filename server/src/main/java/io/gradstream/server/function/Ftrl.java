// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/**
 * FTRL-proximal with per-coordinate rates and L1/L2 regularisation. Source: McMahan et al., "Ad Click Prediction: a
 * View from the Trenches", KDD 2013, algorithm 1. State: z, then n (sum of squared gradients).
 *
 * @param alpha learning rate, above 0.
 * @param beta  smooths the early rate, 0 or above.
 * @param l1    L1 strength, 0 or above.
 * @param l2    L2 strength, 0 or above.
 */
public record Ftrl(float alpha, float beta, float l1, float l2) implements Optimizer
{
    @Override
    public int statePerValue()
    {
        return 2;
    }

    @Override
    public boolean hasRate()
    {
        return false;
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        for (int i = 0; i < dim; i++)
        {
            final float g = gradient[i];
            final float oldN = state[dim + i];
            final float newN = oldN + g * g;
            final float rootN = (float)Math.sqrt(newN);
            final float z = state[i] + g - (rootN - (float)Math.sqrt(oldN)) / alpha * values[i];

            state[i] = z;
            state[dim + i] = newN;
            values[i] = Math.abs(z) <= l1 ? 0f : (Math.copySign(l1, z) - z) / ((beta + rootN) / alpha + l2);
        }
    }
}
