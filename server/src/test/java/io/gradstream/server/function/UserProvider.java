// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.function.FunctionParameters;
import io.gradstream.function.UpdateFunction;
import io.gradstream.function.UpdateFunctionProvider;

import java.util.function.Function;

/**
 * A provider as a user may write one.
 */
public record UserProvider(String name, int version, Function<FunctionParameters, UpdateFunction> creation)
    implements UpdateFunctionProvider
{
    @Override
    public UpdateFunction create(final FunctionParameters parameters)
    {
        return creation.apply(parameters);
    }
}
