// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * The worker's part of a model whose rows lie on servers: which rows a batch needs, its gradient at the rows pulled,
 * and what the model predicts for it.
 * <p>
 * For each batch: {@link #select(int[], int, int)} finds the distinct keys; the caller pulls {@link #dim()} floats for
 * each of {@link #keys()}; {@link #gradient(float[], float[])} gives as many, to be pushed under the same keys. Or
 * {@link #scores(float[], double[])} gives what the model makes of each example. Used by one thread.
 */
public interface Model
{
    /** Number of floats in a row. */
    int dim();

    /**
     * Standard deviation of the normal distribution that the values of new rows are drawn from; 0 if they are zeros.
     */
    double initialDeviation();

    /** Number of scores of an example: 1, or the number of classes if the scores are one for each. */
    int scoreCount();

    /**
     * Make a batch the current one and find its distinct keys.
     *
     * @param batch  examples by index; read again by the methods below, so not to be changed before.
     * @param length number of examples, at least 1.
     * @return number of distinct keys, 0 if none of the examples has an entry.
     * @throws IllegalArgumentException if the range is empty or not within the array.
     */
    int select(int[] batch, int offset, int length);

    /**
     * The distinct keys of the current batch, ascending.
     *
     * @return the array itself, of which the first {@link #keyCount()} elements count; the next batch overwrites it.
     */
    long[] keys();

    /** Number of distinct keys of the current batch. */
    int keyCount();

    /**
     * The gradient of the batch's mean loss: summed over the batch, then divided by the number of its examples (also
     * in a last, smaller batch). A model with decay adds its gradient to it.
     *
     * @param rows     of each key {@link #dim()} values, in the order of the keys.
     * @param gradient receives as many.
     * @return mean loss of the batch, without decay, before these gradients are applied (progressive loss).
     * @throws IllegalStateException    if no batch was selected.
     * @throws DivergedException        if a value is so large that a score is not a number, or a gradient not finite.
     * @throws IllegalArgumentException if an array is too short.
     */
    double gradient(float[] rows, float[] gradient);

    /**
     * The scores of the examples of the batch.
     *
     * @param rows   as for {@link #gradient(float[], float[])}.
     * @param scores receives {@link #scoreCount()} values for each example, in the order of the batch.
     * @throws IllegalStateException    as {@link #gradient(float[], float[])}.
     * @throws IllegalArgumentException if an array is too short.
     */
    void scores(float[] rows, double[] scores);

    /**
     * Make predictions of the scores of one example, in their place: the probability of label 1, the probability of
     * each class, or the number predicted.
     *
     * @param scores of examples.
     * @param at     where those of the example begin.
     */
    void predict(double[] scores, int at);
}
