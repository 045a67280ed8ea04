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
 * A function as a user may write one: adds what is pushed twice.
 */
public class Doubling implements UpdateFunction
{
    @Override
    public int statePerValue()
    {
        return 0;
    }

    @Override
    public boolean supports(final ElementType type)
    {
        return ElementType.FLOAT32 == type;
    }

    @Override
    public void updateFloats(
        final float[] values, final float[] state, final float[] gradient, final int dim, final float rateFactor)
    {
        for (int i = 0; i < dim; i++)
        {
            values[i] += 2f * gradient[i];
        }
    }
}
