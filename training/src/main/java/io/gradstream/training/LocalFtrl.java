// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.util.Arrays;

/**
 * Sparse logistic regression by FTRL-proximal in one thread (McMahan et al., "Ad Click Prediction: a View from the
 * Trenches", KDD 2013): what workers and servers do, without servers. Used by one thread.
 */
public final class LocalFtrl
{
    private final double alpha;
    private final double beta;
    private final double l1;
    private final double l2;
    private final float[] z;
    private final float[] n;

    /**
     * A model whose weights are 0.
     *
     * @param featureCount number of features, 1 or more.
     * @param alpha        learning rate, above 0.
     * @param beta         smoothing of the learning rate.
     * @param l1           L1 strength.
     * @param l2           L2 strength.
     */
    public LocalFtrl(final int featureCount, final double alpha, final double beta, final double l1, final double l2)
    {
        this.alpha = alpha;
        this.beta = beta;
        this.l1 = l1;
        this.l2 = l2;
        z = new float[featureCount];
        n = new float[featureCount];
    }

    /**
     * Train, from the weights it has.
     *
     * @param batchSize examples in a batch, 1 or more.
     * @param seed      of the order of the batches.
     * @return mean progressive loss of each pass in nats.
     */
    public double[] train(final Examples examples, final int batchSize, final int passes, final long seed)
    {
        final LinearModel model = new LinearModel(examples, Loss.LOGISTIC);
        final BatchSchedule schedule = new BatchSchedule(seed, 0, examples.size(), batchSize);
        final double[] losses = new double[passes];
        float[] weights = new float[0];
        float[] gradient = new float[0];
        for (int pass = 0; pass < passes; pass++)
        {
            schedule.startPass(pass);
            for (int batch = 0; batch < schedule.batchCount(); batch++)
            {
                final int length = schedule.batchLength(batch);
                final int keyCount = model.select(schedule.order(), schedule.batchOffset(batch), length);
                if (weights.length < keyCount)
                {
                    weights = new float[keyCount];
                    gradient = new float[keyCount];
                }

                pull(model.keys(), keyCount, weights);
                losses[pass] += model.gradient(weights, gradient) * length / examples.size();
                push(model.keys(), keyCount, gradient);
            }
        }

        return losses;
    }

    /** The weights, one for each feature, in a new array. */
    public float[] weights()
    {
        final long[] keys = new long[z.length];
        Arrays.setAll(keys, (i) -> i);
        final float[] weights = new float[z.length];
        pull(keys, keys.length, weights);
        return weights;
    }

    private void pull(final long[] keys, final int keyCount, final float[] weights)
    {
        for (int i = 0; i < keyCount; i++)
        {
            weights[i] = weight((int)keys[i]);
        }
    }

    private void push(final long[] keys, final int keyCount, final float[] gradient)
    {
        for (int i = 0; i < keyCount; i++)
        {
            final int key = (int)keys[i];
            final double g = gradient[i];
            final double sigma = (StrictMath.sqrt(n[key] + g * g) - StrictMath.sqrt(n[key])) / alpha;
            z[key] += (float)(g - sigma * weight(key));
            n[key] += (float)(g * g);
        }
    }

    private float weight(final int key)
    {
        if (Math.abs(z[key]) <= l1)
        {
            return 0.0f;
        }
        return (float)(-(z[key] - Math.signum(z[key]) * l1) / ((beta + StrictMath.sqrt(n[key])) / alpha + l2));
    }
}
