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

/**
 * Share of labels predicted rightly. A single score above 0 predicts label 1; of one score for each class the highest
 * predicts its class, the first of those that are equal.
 */
public final class Accuracy extends MeanMetric
{
    /** Of no examples. */
    public Accuracy()
    {
        super("accuracy");
    }

    @Override
    public boolean isHigherBetter()
    {
        return true;
    }

    @Override
    double term(final double[] scores, final int at, final int count, final float target)
    {
        int predicted = 0;
        if (1 == count)
        {
            predicted = scores[at] > 0.0 ? 1 : 0;
        }
        for (int c = 1; c < count; c++)
        {
            predicted = scores[at + c] > scores[at + predicted] ? c : predicted;
        }
        return predicted == target ? 1.0 : 0.0;
    }
}
