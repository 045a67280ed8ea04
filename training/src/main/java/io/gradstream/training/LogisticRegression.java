// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * The worker's part of sparse logistic regression: one weight for each feature, log loss.
 * <p>
 * There is no intercept of its own: data that need one carry a feature that is always 1.
 */
public final class LogisticRegression extends LinearModel
{
    /**
     * A model without a batch.
     *
     * @throws IllegalArgumentException if a label is neither 0 nor 1.
     */
    public LogisticRegression(final Examples examples)
    {
        super(examples, Loss.LOGISTIC);
    }

    @Override
    public String name()
    {
        return "logistic-regression";
    }
}
