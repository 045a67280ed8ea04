// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.function.UpdateFunction;

/**
 * A function as a user may write one: adds what is pushed twice.
 */
public class Doubling implements UpdateFunction
{
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
