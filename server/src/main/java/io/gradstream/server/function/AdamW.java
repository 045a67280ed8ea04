// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

/**
 * Adam with decoupled weight decay: w -= rate * decay * w, then the step of {@link Adam}, whose m and v know nothing of
 * the decay. Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019, algorithm 2; their
 * lambda is rate * decay here, as in PyTorch. State: that of Adam.
 *
 * @param adam      the step.
 * @param shrinkage rate * decay: share of a value that it loses with each update, above 0.
 */
public record AdamW(Adam adam, float shrinkage) implements Optimizer
{
    @Override
    public int statePerValue()
    {
        return adam.statePerValue();
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        final float stepShrinkage = shrinkage * rateFactor;
        for (int i = 0; i < dim; i++)
        {
            values[i] -= stepShrinkage * values[i];
        }
        adam.updateFloats(values, state, gradient, dim, rateFactor);
    }
}
