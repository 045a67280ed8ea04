// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import java.util.Locale;

import io.gradstream.training.Examples;

/**
 * The loss of a model that knows the training labels alone, and predicts the same for each example: their mean, or the
 * share of each class. A model that is worse has learned nothing.
 *
 * @param metric     name of the loss: log-loss, or rmse of a model of numbers.
 * @param loss       on the test set; NaN if it is not defined.
 * @param guessing   the loss if each class is predicted with the same probability; 0 for numbers.
 * @param prediction what is predicted, or why the loss is not defined; for people.
 */
public record BaseRate(String metric, double loss, double guessing, String prediction)
{
    /** A loss above so many times that of the base rate may be that of a model that has diverged. */
    public static final double ABSURD_MULTIPLE = 10.0;

    /** A loss that is larger by a smaller factor says nothing. */
    private static final double WORSE_MULTIPLE = 1.001;
    private static final String LOG_LOSS = "log-loss";
    private static final int FEW_CLASSES = 2;

    /**
     * The base rate of data.
     *
     * @param spec  of the model that is to be compared.
     * @param train examples, of which the labels count.
     * @param test  at least one example.
     */
    public static BaseRate of(final ModelSpec spec, final Examples train, final Examples test)
    {
        return spec.hasClasses() ?
            ofClasses(train, test, ModelSpec.Kind.SOFTMAX == spec.kind() ? spec.dim() : FEW_CLASSES) :
            ofNumbers(train, test);
    }

    /** True if it is better than a model with a loss; false if one of the two is not defined. */
    public boolean isBetterThan(final double lossOfModel)
    {
        return lossOfModel > WORSE_MULTIPLE * loss;
    }

    /**
     * True if a model with this loss has diverged. Where classes are rare, the loss of the base rate is small, and the
     * loss of a model that has seen little may be many times as large. A model that has diverged is also worse than
     * guessing.
     */
    public boolean isAbsurd(final double lossOfModel)
    {
        return lossOfModel > Math.max(ABSURD_MULTIPLE * loss, guessing);
    }

    private static BaseRate ofNumbers(final Examples train, final Examples test)
    {
        if (isSame(train, test))
        {
            return oneLabel("rmse", 0, train);
        }
        final double mean = train.meanLabel();
        double squares = 0.0;
        for (int example = 0; example < test.size(); example++)
        {
            squares += (test.target(example) - mean) * (test.target(example) - mean);
        }
        return new BaseRate("rmse", StrictMath.sqrt(squares / test.size()), 0,
            "always predicting the mean of the training labels, " + number(mean));
    }

    private static BaseRate ofClasses(final Examples train, final Examples test, final int classes)
    {
        final double guessing = StrictMath.log(classes);
        if (isSame(train, test))
        {
            return oneLabel(LOG_LOSS, guessing, train);
        }
        final long[] trained = counts(train, classes);
        final long[] tested = counts(test, classes);
        double loss = 0.0;
        for (int label = 0; label < classes; label++)
        {
            if (tested[label] > 0 && 0 == trained[label])
            {
                return new BaseRate(LOG_LOSS, Double.NaN, guessing, "no training example has label " + label +
                    ", which is in the test set");
            }
            loss -= 0 == tested[label] ? 0.0 :
                tested[label] * StrictMath.log((double)trained[label] / train.size());
        }
        return new BaseRate(LOG_LOSS, loss / test.size(), guessing, FEW_CLASSES == classes ?
            "always predicting the share of label 1 in training, " + number((double)trained[1] / train.size()) :
            "always predicting the share of each class in training");
    }

    /** There is nothing to learn, and 0 is no loss to compare others with. */
    private static boolean isSame(final Examples train, final Examples test)
    {
        return train.isOneLabel() && test.isOneLabel() && train.target(0) == test.target(0);
    }

    private static BaseRate oneLabel(final String metric, final double guessing, final Examples train)
    {
        final float label = train.target(0);
        return new BaseRate(metric, Double.NaN, guessing,
            "all labels are " + (label == (int)label ? String.valueOf((int)label) : String.valueOf(label)));
    }

    private static long[] counts(final Examples examples, final int classes)
    {
        final long[] counts = new long[classes];
        for (int example = 0; example < examples.size(); example++)
        {
            counts[examples.label(example)]++;
        }
        return counts;
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
