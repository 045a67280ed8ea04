// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.Examples;

/**
 * How large the labels and the values of training data are, from which a learning rate follows. It need not be known
 * to predict.
 *
 * @param labelDeviation standard deviation of the labels.
 * @param labelRms       root of the mean square of the labels.
 * @param featureRms     root of the mean square of the values of a feature, where it occurs; of the feature for which
 *                       that is largest. 0 if there are no values.
 * @param feature        that feature, or -1.
 * @param featureMax     its largest value, without sign.
 */
public record DataScale(
    double labelDeviation, double labelRms, double featureRms, int feature, float featureMax)
{
    /** Values that are mostly smaller are as good as those near 1: counts in logarithms, pixels, categories. */
    public static final double GOOD_RMS = 10.0;

    /** Measure the examples that are trained on. */
    public static DataScale of(final Examples train)
    {
        final double mean = train.meanLabel();
        double squares = 0.0;
        double deviations = 0.0;
        for (int example = 0; example < train.size(); example++)
        {
            final double label = train.target(example);
            squares += label * label;
            deviations += (label - mean) * (label - mean);
        }
        final int largest = largestFeature(train);
        double valueSquares = 0.0;
        long count = 0;
        float max = 0.0f;
        for (int entry = 0; entry < train.entryCount(); entry++)
        {
            if (train.feature(entry) == largest)
            {
                count++;
                valueSquares += (double)train.value(entry) * train.value(entry);
                max = Math.max(max, Math.abs(train.value(entry)));
            }
        }
        return new DataScale(StrictMath.sqrt(deviations / train.size()), StrictMath.sqrt(squares / train.size()),
            0 == count ? 0.0 : StrictMath.sqrt(valueSquares / count), largest, max);
    }

    /** By how much steps are to be smaller than those for good values; 1 if the values are good. */
    public double shrink()
    {
        return Math.max(1.0, featureRms / GOOD_RMS);
    }

    private static int largestFeature(final Examples train)
    {
        final double[] squares = new double[train.featureCount()];
        final int[] counts = new int[train.featureCount()];
        for (int entry = 0; entry < train.entryCount(); entry++)
        {
            squares[train.feature(entry)] += (double)train.value(entry) * train.value(entry);
            counts[train.feature(entry)]++;
        }
        int largest = -1;
        for (int feature = 0; feature < counts.length; feature++)
        {
            if (counts[feature] > 0 &&
                (largest < 0 || squares[feature] / counts[feature] > squares[largest] / counts[largest]))
            {
                largest = feature;
            }
        }
        return largest;
    }
}
