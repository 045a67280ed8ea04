// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import io.gradstream.training.Examples;
import io.gradstream.training.Logistic;
import io.gradstream.training.SparseModel;

/**
 * The worker's part of softmax (multinomial logistic) regression: a row of one weight for each class for each feature,
 * negative log likelihood in nats.
 * <p>
 * Labels are the indexes of classes. With as many weights as classes one is redundant; begun as zeros, the weights of a
 * feature sum to zero under plain gradient descent. There is no intercept of its own.
 */
public final class SoftmaxRegression extends SparseModel
{
    private final int classes;
    private final double[] probabilities;

    /**
     * A model without a batch.
     *
     * @param classes number of classes, at least 2.
     * @throws IllegalArgumentException if there are fewer, or a label is not the index of one.
     */
    public SoftmaxRegression(final Examples examples, final int classes)
    {
        super(examples);
        if (classes < 2)
        {
            throw new IllegalArgumentException("invalid classes=" + classes + ": must be at least 2");
        }
        if (!examples.isOfClasses(classes))
        {
            throw new IllegalArgumentException(
                "invalid labels: must be whole numbers 0.." + (classes - 1) + " for " + classes + " classes");
        }
        this.classes = classes;
        probabilities = new double[classes];
    }

    @Override
    public int dim()
    {
        return classes;
    }

    @Override
    public double initialDeviation()
    {
        return 0.0;
    }

    @Override
    public int scoreCount()
    {
        return classes;
    }

    @Override
    public void predict(final double[] scores, final int at)
    {
        Logistic.softmax(scores, at, classes);
    }

    @Override
    protected double addGradient(final int example, final int firstPlace, final float[] rows, final double[] sums)
    {
        final int label = examples().label(example);
        score(example, firstPlace, rows, probabilities, 0);
        final double loss = Logistic.loss(probabilities, 0, classes, label);
        Logistic.softmax(probabilities, 0, classes);
        probabilities[label] -= 1.0;

        final int first = examples().firstEntry(example);
        for (int entry = first; entry < examples().endEntry(example); entry++)
        {
            final int at = place(firstPlace + entry - first) * classes;
            final double value = examples().value(entry);
            for (int c = 0; c < classes; c++)
            {
                sums[at + c] += probabilities[c] * value;
            }
        }
        return loss;
    }

    @Override
    protected void score(
        final int example, final int firstPlace, final float[] rows, final double[] scores, final int at)
    {
        for (int c = 0; c < classes; c++)
        {
            scores[at + c] = 0.0;
        }

        final int first = examples().firstEntry(example);
        for (int entry = first; entry < examples().endEntry(example); entry++)
        {
            final int row = place(firstPlace + entry - first) * classes;
            final double value = examples().value(entry);
            for (int c = 0; c < classes; c++)
            {
                scores[at + c] += rows[row + c] * value;
            }
        }

        for (int c = 0; c < classes; c++)
        {
            checkScore(scores[at + c], example);
        }
    }
}
