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
 * An update function with L2 regularisation: g += decay * w, then the function. What the function keeps of its
 * gradients holds the decay too; {@link AdamW} is without that.
 */
final class Decayed implements UpdateFunction
{
    private final UpdateFunction function;
    private final float decay;

    /**
     * With the strength of the decay.
     *
     * @param decay above 0.
     */
    Decayed(final UpdateFunction function, final float decay)
    {
        this.function = function;
        this.decay = decay;
    }

    @Override
    public int statePerValue()
    {
        return function.statePerValue();
    }

    @Override
    public boolean supports(final ElementType type)
    {
        return function.supports(type);
    }

    @Override
    public boolean isPerValue()
    {
        return function.isPerValue();
    }

    @Override
    public boolean hasRate()
    {
        return function.hasRate();
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        for (int i = 0; i < dim; i++)
        {
            gradient[i] += decay * values[i];
        }
        function.updateFloats(values, state, gradient, dim, rateFactor);
    }
}
