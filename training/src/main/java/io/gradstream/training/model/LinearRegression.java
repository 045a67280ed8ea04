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
package io.gradstream.training.model;

import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;

/**
 * The worker's part of sparse linear regression: one weight for each feature, half the squared error.
 * <p>
 * There is no intercept of its own: data that need one carry a feature that is always 1.
 */
public final class LinearRegression extends LinearModel
{
    /** A model without a batch. */
    public LinearRegression(final Examples examples)
    {
        super(examples, Loss.SQUARED);
    }

    @Override
    public String name()
    {
        return "linear-regression";
    }
}
