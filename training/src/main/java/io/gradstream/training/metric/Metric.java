// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

/** A measure of how well a model's scores fit the labels of examples, which come one after the other. */
public interface Metric
{
    /** In lower case, with hyphens. */
    String name();

    /** True if higher values are better. */
    boolean isHigherBetter();

    /**
     * Add an example.
     *
     * @param scores of examples, as a model gives them.
     * @param at     where those of the example begin.
     * @param count  number of its scores: 1, or the number of classes.
     * @param target its label.
     * @throws IllegalStateException if a score is not a number.
     */
    void add(double[] scores, int at, int count, float target);

    /** Number of examples added. */
    long count();

    /** The measure of the examples added; NaN if it is not defined for them, as before the first. */
    double value();

    /**
     * Say why {@link #value()} is not defined for the examples added, whatever their scores.
     *
     * @return the reason, or null if it is defined.
     */
    default String undefined()
    {
        return 0 == count() ? "there are no examples" : null;
    }
}
