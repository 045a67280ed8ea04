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
package io.gradstream.training.metric;

import io.gradstream.training.Logistic;

/**
 * Mean negative log likelihood of the labels, in nats. A single score is the log odds of label 1; of one score for each
 * class the softmax is the classes' probabilities.
 */
public final class LogLoss extends MeanMetric
{
    /** Of no examples. */
    public LogLoss()
    {
        super("log-loss");
    }

    @Override
    public boolean isHigherBetter()
    {
        return false;
    }

    @Override
    double term(final double[] scores, final int at, final int count, final float target)
    {
        return 1 == count ?
            Logistic.loss(scores[at], (int)target) : Logistic.loss(scores, at, count, (int)target);
    }
}
