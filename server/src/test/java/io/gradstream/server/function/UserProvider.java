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
