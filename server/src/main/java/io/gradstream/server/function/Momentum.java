/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.server.function;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;

/**
 * Stochastic gradient descent with momentum: v = momentum * v + g, then w -= rate * v, or with Nesterov's look ahead
 * w -= rate * (g + momentum * v). Source: Sutskever et al., "On the importance of initialization and momentum in deep
 * learning", ICML 2013, with the rate outside of v as in PyTorch, so that a rate that changes holds for the whole step.
 * State: v.
 */
public final class Momentum implements UpdateFunction
{
    private final float rate;
    private final float momentum;
    private final boolean isNesterov;

    /**
     * With a fixed learning rate.
     *
     * @param rate       above 0.
     * @param momentum   share of v that a step keeps, 0 to below 1.
     * @param isNesterov true to take the gradient as if the next step's momentum had been applied.
     */
    public Momentum(final float rate, final float momentum, final boolean isNesterov)
    {
        this.rate = rate;
        this.momentum = momentum;
        this.isNesterov = isNesterov;
    }

    @Override
    public int statePerValue()
    {
        return 1;
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
            final float g = gradient[i];
            final float velocity = momentum * state[i] + g;

            state[i] = velocity;
            values[i] -= stepRate * (isNesterov ? g + momentum * velocity : velocity);
        }
    }
}
