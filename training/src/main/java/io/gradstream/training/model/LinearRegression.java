// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
