// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/**
 * An optimizer with L2 regularisation: g += decay * w, then its step. What it keeps of its gradients holds the decay
 * too; {@link AdamW} is without that.
 */
final class WeightDecay implements Optimizer
{
    private final Optimizer optimizer;
    private final float decay;

    /** With the strength of the decay, above 0. */
    WeightDecay(final Optimizer optimizer, final float decay)
    {
        this.optimizer = optimizer;
        this.decay = decay;
    }

    @Override
    public int statePerValue()
    {
        return optimizer.statePerValue();
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        for (int i = 0; i < dim; i++)
        {
            gradient[i] += decay * values[i];
        }
        optimizer.updateFloats(values, state, gradient, dim, rateFactor);
    }
}
