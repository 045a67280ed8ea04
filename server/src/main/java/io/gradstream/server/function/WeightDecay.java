// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/**
 * An optimizer with L2 regularisation: g += decay * w, then its step. What it keeps of its gradients holds the decay
 * too; {@link AdamW} is without that.
 *
 * @param optimizer whose step it is.
 * @param decay     strength of the decay, above 0.
 */
record WeightDecay(Optimizer optimizer, float decay) implements Optimizer
{
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
