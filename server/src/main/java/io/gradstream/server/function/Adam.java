// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import java.util.Arrays;

/**
 * Adam: m = beta1 * m + (1 - beta1) * g and v = beta2 * v + (1 - beta2) * g * g. Then w -= rate * (m / (1 - beta1^t)) /
 * (sqrt(v / (1 - beta2^t)) + epsilon). Here t counts the updates of the row. Source: Kingma and Ba, "Adam: A Method for
 * Stochastic Optimization", ICLR 2015, algorithm 1. State: m, then v, then t.
 * <p>
 * A row that no push names takes no step: its m and v do not fade, and its t stands still (sparse or "lazy" Adam). Each
 * value has its own count, so that any values can be updated together. A float counts to 2^24 and stands still there;
 * beta^t is then below half a unit in the last place of 1 for every beta up to 0.999999.
 *
 * @param rate    learning rate, above 0.
 * @param beta1   share of m that a step keeps, 0 to below 1.
 * @param beta2   share of v that a step keeps, 0 to below 1.
 * @param epsilon keeps the divisor from 0, above 0.
 */
public record Adam(float rate, float beta1, float beta2, float epsilon) implements Optimizer
{
    private static final int V = 1;
    private static final int T = 2;

    @Override
    public int statePerValue()
    {
        return 3;
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        final float stepRate = rate * rateFactor;
        int begin = 0;
        while (begin < dim)
        {
            // the values of a row have the same count
            final float count = state[T * dim + begin];
            int end = begin + 1;
            while (end < dim && count == state[T * dim + end])
            {
                end++;
            }
            Arrays.fill(state, T * dim + begin, T * dim + end, count + 1);
            update(values, state, gradient, dim, begin, end, stepRate);
            begin = end;
        }
    }

    /** Update values of the same count. */
    private void update(
        final float[] values,
        final float[] state,
        final float[] gradient,
        final int dim,
        final int begin,
        final int end,
        final float stepRate)
    {
        final int count = (int)state[T * dim + begin];
        final float correctedRate = (float)(stepRate / (1 - power(beta1, count)));
        final float rootCorrection = (float)Math.sqrt(1 - power(beta2, count));
        for (int i = begin; i < end; i++)
        {
            final float g = gradient[i];
            final float m = beta1 * state[i] + (1 - beta1) * g;
            final float v = beta2 * state[V * dim + i] + (1 - beta2) * g * g;

            state[i] = m;
            state[V * dim + i] = v;
            values[i] -= correctedRate * m / ((float)Math.sqrt(v) / rootCorrection + epsilon);
        }
    }

    /** Compute a power by squaring, since the bits of Math.pow may differ from one processor to another. */
    private static double power(final double base, final int exponent)
    {
        double power = 1;
        double square = base;
        for (int bits = exponent; bits > 0; bits >>= 1)
        {
            if (0 != (bits & 1))
            {
                power *= square;
            }
            square *= square;
        }

        return power;
    }
}
