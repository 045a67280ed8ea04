// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import io.gradstream.training.BatchSchedule;
import io.gradstream.training.Examples;
import io.gradstream.training.Model;
import io.gradstream.training.metric.Metric;

import java.util.Random;

/**
 * What workers and servers do, in one thread: any model, trained by AdaGrad (Duchi et al., JMLR 2011) on rows in an
 * array.
 */
final class LocalDescent
{
    private static final double EPSILON = 1e-8;

    private final double rate;
    private final int dim;
    private final float[] rows;
    private final double[] squares;

    LocalDescent(final Model model, final int featureCount, final double rate)
    {
        this.rate = rate;
        dim = model.dim();
        rows = new float[featureCount * dim];
        squares = new double[rows.length];
        final Random random = new Random(3);
        for (int i = 0; i < rows.length; i++)
        {
            rows[i] = (float)(model.initialDeviation() * random.nextGaussian());
        }
    }

    /** Train; returns the mean loss of the last pass. */
    double train(final Model model, final Examples examples, final int batchSize, final int passes)
    {
        final BatchSchedule schedule = new BatchSchedule(1, 0, examples.size(), batchSize);
        float[] pulled = new float[0];
        float[] gradient = new float[0];
        double loss = 0.0;
        for (int pass = 0; pass < passes; pass++)
        {
            schedule.startPass(pass);
            loss = 0.0;
            for (int batch = 0; batch < schedule.batchCount(); batch++)
            {
                final int length = schedule.batchLength(batch);
                final int count = model.select(schedule.order(), schedule.batchOffset(batch), length) * dim;
                pulled = pulled.length < count ? new float[count] : pulled;
                gradient = gradient.length < count ? new float[count] : gradient;
                pull(model, pulled);
                loss += model.gradient(pulled, gradient) * length / examples.size();
                push(model, gradient);
            }
        }
        return loss;
    }

    /** Value of a metric for the examples of a model. */
    double evaluate(final Model model, final Examples examples, final Metric metric)
    {
        final double[] scores = new double[model.scoreCount()];
        for (int example = 0; example < examples.size(); example++)
        {
            final float[] pulled = new float[model.select(new int[]{ example }, 0, 1) * dim];
            pull(model, pulled);
            model.scores(pulled, scores);
            metric.add(scores, 0, scores.length, examples.target(example));
        }
        return metric.value();
    }

    float value(final int feature, final int index)
    {
        return rows[feature * dim + index];
    }

    private void pull(final Model model, final float[] pulled)
    {
        for (int i = 0; i < model.keyCount(); i++)
        {
            System.arraycopy(rows, (int)model.keys()[i] * dim, pulled, i * dim, dim);
        }
    }

    private void push(final Model model, final float[] gradient)
    {
        for (int i = 0; i < model.keyCount() * dim; i++)
        {
            final int at = (int)model.keys()[i / dim] * dim + i % dim;
            squares[at] += (double)gradient[i] * gradient[i];
            rows[at] -= (float)(rate * gradient[i] / (Math.sqrt(squares[at]) + EPSILON));
        }
    }
}
