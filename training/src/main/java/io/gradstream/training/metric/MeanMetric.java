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
 * A metric that is the mean of a number for each example, or a function of it: nothing but a sum is kept.
 */
abstract class MeanMetric implements Metric
{
    private final String name;
    private double sum;
    private long count;

    MeanMetric(final String name)
    {
        this.name = name;
    }

    @Override
    public final String name()
    {
        return name;
    }

    @Override
    public final void add(final double[] scores, final int at, final int count, final float target)
    {
        for (int i = 0; i < count; i++)
        {
            checkScore(scores[at + i]);
        }
        sum += term(scores, at, count, target);
        this.count++;
    }

    @Override
    public final long count()
    {
        return count;
    }

    @Override
    public final double value()
    {
        return ofMean(sum / count);
    }

    @Override
    public final void reset()
    {
        sum = 0.0;
        count = 0;
    }

    static double checkScore(final double score)
    {
        if (Double.isNaN(score))
        {
            throw new IllegalStateException("score is not a number");
        }
        return score;
    }

    abstract double term(double[] scores, int at, int count, float target);

    double ofMean(final double mean)
    {
        return mean;
    }
}
