// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.function.UpdateFunction;

/** Steps against a gradient of floats, each value by itself, at a rate that a schedule may change. */
public interface Optimizer extends UpdateFunction
{
    @Override
    default boolean isPerValue()
    {
        return true;
    }

    @Override
    default boolean hasRate()
    {
        return true;
    }
}
