// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

class PerceptronTest
{
    private static final int INPUTS = 6;
    private static final int HIDDEN = 5;
    private static final int CLASSES = 4;
    private static final float WEIGHT = 0.5f;
    private static final float STEP = 1e-3f;
    private static final int LABEL = 2;

    private final float[] input = new float[INPUTS];
    private final float[] first = new float[(INPUTS + 1) * HIDDEN];
    private final float[] second = new float[(HIDDEN + 1) * CLASSES];

    @Test
    void shouldHaveTheGradientThatDifferencesOfTheLossShow()
    {
        fill(input);
        fill(first);
        fill(second);
        final float[] firstGradient = new float[first.length];
        final float[] secondGradient = new float[second.length];
        new Perceptron(INPUTS, HIDDEN, CLASSES)
            .addGradient(input, LABEL, WEIGHT, first, second, firstGradient, secondGradient);
        check(first, firstGradient);
        check(second, secondGradient);
    }

    private void check(final float[] weights, final float[] gradient)
    {
        for (int i = 0; i < weights.length; i++)
        {
            final float before = weights[i];
            weights[i] = before + STEP;
            final double above = loss();
            weights[i] = before - STEP;
            final double below = loss();
            weights[i] = before;
            assertThat((double)gradient[i]).as("weight %d", i)
                .isCloseTo(WEIGHT * (above - below) / (2 * STEP), offset(2e-3));
        }
        assertThat(gradient).isNotEqualTo(new float[gradient.length]);
    }

    /** By another way than the class does it: in doubles, of all scores at once. */
    private double loss()
    {
        final double[] scores = new double[CLASSES];
        for (int c = 0; c < CLASSES; c++)
        {
            scores[c] = second[HIDDEN * CLASSES + c];
            for (int h = 0; h < HIDDEN; h++)
            {
                double sum = first[INPUTS * HIDDEN + h];
                for (int i = 0; i < INPUTS; i++)
                {
                    sum += (double)input[i] * first[i * HIDDEN + h];
                }
                scores[c] += Math.max(0.0, sum) * second[h * CLASSES + c];
            }
        }
        double total = 0.0;
        for (final double score : scores)
        {
            total += Math.exp(score);
        }

        return Math.log(total) - scores[LABEL];
    }

    private static void fill(final float[] values)
    {
        final Random random = new Random(values.length);
        for (int i = 0; i < values.length; i++)
        {
            values[i] = (float)random.nextGaussian();
        }
    }
}
