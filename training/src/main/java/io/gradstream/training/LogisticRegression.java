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
