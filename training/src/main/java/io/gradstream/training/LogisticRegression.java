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
package io.gradstream.training;

import java.util.Arrays;

/**
 * The worker's part of sparse logistic regression: which keys a batch needs, and the gradient at the weights pulled.
 * <p>
 * For each batch: {@link #select(int[], int, int)} finds the distinct keys; the caller pulls one float for each of
 * {@link #keys()}; {@link #gradient(float[], float[])} gives one float for each, to be pushed under the same keys. A
 * feature's id is its key. There is no intercept of its own: data that need one carry a feature that is always 1.
 * <p>
 * Sums are doubles in the order of the batch, rounded to float once, so that the gradient is a function of the batch
 * and the weights. Nothing is allocated once the largest batch has been seen. Used by one thread.
 */
public final class LogisticRegression
{
    private final Examples examples;
    private final BatchKeys batchKeys;
    private double[] sums = new double[0];
    private int[] batch;
    private int offset;
    private int length;

    public LogisticRegression(final Examples examples)
    {
        this.examples = examples;
        batchKeys = new BatchKeys(examples.featureCount());
    }

    /**
     * Make a batch the current one and find its distinct keys.
     *
     * @param batch  examples by index; read again by {@link #gradient(float[], float[])}, so not to be changed before.
     * @param length number of examples, at least 1.
     * @return number of distinct keys, 0 if none of the examples has an entry.
     * @throws IllegalArgumentException if the range is empty or not within the array.
     */
    public int select(final int[] batch, final int offset, final int length)
    {
        if (length < 1 || offset < 0 || length > batch.length - offset)
        {
            throw new IllegalArgumentException("invalid batch: offset=" + offset + " length=" + length +
                ": must be at least one example within 0.." + batch.length);
        }

        this.batch = batch;
        this.offset = offset;
        this.length = length;
        batchKeys.index(examples, batch, offset, length);
        if (sums.length < batchKeys.keyCount())
        {
            sums = new double[batchKeys.keys().length];
        }

        return batchKeys.keyCount();
    }

    /**
     * The distinct keys of the current batch, ascending.
     *
     * @return the array itself, of which the first {@link #keyCount()} elements count; the next batch overwrites it.
     */
    public long[] keys()
    {
        return batchKeys.keys();
    }

    public int keyCount()
    {
        return batchKeys.keyCount();
    }

    /**
     * The gradient of the batch's mean loss: summed over the batch, then divided by the number of its examples (also
     * in a last, smaller batch).
     *
     * @param weights  one for each key, in the order of the keys.
     * @param gradient receives one for each key, in the order of the keys.
     * @return mean log loss of the batch in nats, before these gradients are applied (progressive loss).
     * @throws IllegalStateException    if no batch was selected, or a weight is so large that a score is not a number.
     * @throws IllegalArgumentException if an array is shorter than the number of keys.
     */
    public double gradient(final float[] weights, final float[] gradient)
    {
        final int keyCount = batchKeys.keyCount();
        checkState(weights, gradient, keyCount);

        Arrays.fill(sums, 0, keyCount, 0.0);
        double loss = 0.0;
        int firstPlace = 0;
        for (int i = offset; i < offset + length; i++)
        {
            final int example = batch[i];
            final double score = score(example, firstPlace, weights);
            final int label = examples.label(example);
            loss += Logistic.loss(score, label);
            accumulate(example, firstPlace, Logistic.sigmoid(score) - label);
            firstPlace += examples.endEntry(example) - examples.firstEntry(example);
        }

        for (int i = 0; i < keyCount; i++)
        {
            gradient[i] = (float)(sums[i] / length);
        }

        return loss / length;
    }

    private double score(final int example, final int firstPlace, final float[] weights)
    {
        final int first = examples.firstEntry(example);
        double score = 0.0;
        for (int entry = first; entry < examples.endEntry(example); entry++)
        {
            score += (double)weights[batchKeys.place(firstPlace + entry - first)] * examples.value(entry);
        }
        if (Double.isNaN(score))
        {
            throw new IllegalStateException("score is not a number: example=" + example +
                ": a pulled weight is not finite");
        }

        return score;
    }

    private void accumulate(final int example, final int firstPlace, final double error)
    {
        final int first = examples.firstEntry(example);
        for (int entry = first; entry < examples.endEntry(example); entry++)
        {
            sums[batchKeys.place(firstPlace + entry - first)] += error * examples.value(entry);
        }
    }

    private void checkState(final float[] weights, final float[] gradient, final int keyCount)
    {
        if (null == batch)
        {
            throw new IllegalStateException("no batch selected: call select first");
        }
        if (weights.length < keyCount || gradient.length < keyCount)
        {
            throw new IllegalArgumentException("invalid length: weights=" + weights.length +
                " gradient=" + gradient.length + ": must be at least the number of keys, " + keyCount);
        }
    }
}
