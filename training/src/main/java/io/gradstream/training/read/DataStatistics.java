// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.Examples;

import java.util.ArrayList;
import java.util.List;

/**
 * Statistics of the data of a model.
 *
 * @param examples  their count.
 * @param features  number of possible features: one more than the largest index.
 * @param entries   features of all examples together.
 * @param meanLabel mean of the labels.
 * @param minLabel  the smallest label.
 * @param maxLabel  the largest label.
 * @param classes   examples of each class; empty where labels are numbers.
 * @param numbers   statistics of the columns of numbers.
 */
public record DataStatistics(
    int examples,
    int features,
    long entries,
    float meanLabel,
    float minLabel,
    float maxLabel,
    List<Integer> classes,
    List<NumberColumn> numbers)
{
    /**
     * Statistics of one column of numbers, as it is read: an empty field counts as 0.
     *
     * @param name      of the column.
     * @param feature   that it is.
     * @param mean      of its values.
     * @param deviation of its values: the root of the mean of the squares of their distance from the mean.
     * @param min       the smallest.
     * @param max       the largest.
     */
    public record NumberColumn(String name, int feature, float mean, float deviation, float min, float max)
    {
    }

    /**
     * Computes the statistics of examples.
     *
     * @param columns     of a table; empty for data that have no columns.
     * @param firstNumber feature of the first column of numbers; the others follow.
     * @param classCount  classes that labels are; 0 if they are numbers.
     * @return their statistics.
     */
    public static DataStatistics of(
        final Examples examples, final List<Column> columns, final int firstNumber, final int classCount)
    {
        final int[] classes = new int[classCount];
        float minLabel = examples.size() > 0 ? examples.target(0) : 0;
        float maxLabel = minLabel;
        for (int i = 0; i < examples.size(); i++)
        {
            minLabel = Math.min(minLabel, examples.target(i));
            maxLabel = Math.max(maxLabel, examples.target(i));
            if (examples.target(i) >= 0 && examples.target(i) < classCount)
            {
                classes[examples.label(i)]++;
            }
        }
        final List<Integer> counts = new ArrayList<>();
        for (final int count : classes)
        {
            counts.add(count);
        }
        final List<String> names =
            columns.stream().filter((column) -> Column.Kind.NUMBER == column.kind()).map(Column::name).toList();
        return new DataStatistics(examples.size(), examples.featureCount(), examples.entryCount(),
            examples.size() > 0 ? (float)examples.meanLabel() : 0, minLabel, maxLabel, counts,
            numbers(examples, names, firstNumber));
    }

    /**
     * Estimates the statistics of more examples that are like these.
     *
     * @param newExamples their count.
     * @return their statistics, if examples of all classes come as often as here.
     */
    public DataStatistics ofMore(final int newExamples)
    {
        if (newExamples == examples)
        {
            return this;
        }
        final double ratio = (double)newExamples / examples;
        final List<Integer> more = new ArrayList<>();
        int left = newExamples;
        for (int i = 0; i < classes.size(); i++)
        {
            final int count = classes.size() - 1 == i ? left : (int)(classes.get(i) * ratio);
            more.add(count);
            left -= count;
        }
        return new DataStatistics(
            newExamples, features, (long)(entries * ratio), meanLabel, minLabel, maxLabel, more, numbers);
    }

    private static List<NumberColumn> numbers(
        final Examples examples, final List<String> names, final int firstNumber)
    {
        final Moments[] moments = new Moments[names.size()];
        for (int i = 0; i < moments.length; i++)
        {
            moments[i] = new Moments();
        }
        for (int entry = 0; entry < (moments.length > 0 ? examples.entryCount() : 0); entry++)
        {
            final int column = examples.feature(entry) - firstNumber;
            if (column >= 0 && column < moments.length)
            {
                moments[column].add(examples.value(entry));
            }
        }
        final List<NumberColumn> numbers = new ArrayList<>();
        for (int i = 0; i < moments.length; i++)
        {
            numbers.add(moments[i].column(names.get(i), firstNumber + i, examples.size()));
        }
        return numbers;
    }

    /** Moments of the values of one column that are not 0. */
    private static final class Moments
    {
        private int count;
        private double sum;
        private double squares;
        private float min = Float.POSITIVE_INFINITY;
        private float max = Float.NEGATIVE_INFINITY;

        private void add(final float value)
        {
            count++;
            sum += value;
            squares += (double)value * value;
            min = Math.min(min, value);
            max = Math.max(max, value);
        }

        /** The statistics of the column, with the values of 0, which are no entries of their examples. */
        private NumberColumn column(final String name, final int feature, final int examples)
        {
            final boolean hasZeros = count < examples || 0 == count;
            final double mean = 0 == examples ? 0 : sum / examples;
            final double variance = 0 == examples ? 0 : Math.max(0, squares / examples - mean * mean);
            return new NumberColumn(name, feature, (float)mean, (float)Math.sqrt(variance),
                hasZeros ? Math.min(0, min) : min, hasZeros ? Math.max(0, max) : max);
        }
    }
}
