// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.util.Arrays;

/**
 * The common part of models of sparse examples: a feature's id is the key of its row, and the gradient is a sum over
 * the examples of the batch.
 * <p>
 * Sums are doubles in the order of the batch, rounded to float once, so that the gradient is a function of the batch
 * and the rows. Nothing is allocated once the largest batch has been seen.
 */
public abstract class SparseModel implements Model
{
    private final Examples examples;
    private final BatchKeys batchKeys;
    private double[] sums = new double[0];
    private int[] batch;
    private int offset;
    private int length;

    /** A model without a batch; batches are made of the examples. */
    protected SparseModel(final Examples examples)
    {
        this.examples = examples;
        batchKeys = new BatchKeys(examples.featureCount());
    }

    @Override
    public final int select(final int[] batch, final int offset, final int length)
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
        return batchKeys.keyCount();
    }

    @Override
    public final long[] keys()
    {
        return batchKeys.keys();
    }

    @Override
    public final int keyCount()
    {
        return batchKeys.keyCount();
    }

    @Override
    public final double gradient(final float[] rows, final float[] gradient)
    {
        final int valueCount = valueCount();
        checkState(rows, valueCount);
        if (gradient.length < valueCount)
        {
            throw tooShort("gradient", gradient.length, "values of the rows", valueCount);
        }
        if (sums.length < valueCount)
        {
            sums = new double[Math.max(valueCount, 2 * sums.length)];
        }

        Arrays.fill(sums, 0, valueCount, 0.0);
        double loss = 0.0;
        int firstPlace = 0;
        for (int i = offset; i < offset + length; i++)
        {
            loss += addGradient(batch[i], firstPlace, rows, sums);
            firstPlace += examples.endEntry(batch[i]) - examples.firstEntry(batch[i]);
        }

        boolean areFinite = true;
        for (int i = 0; i < valueCount; i++)
        {
            gradient[i] = (float)(sums[i] / length);
            areFinite &= Float.isFinite(gradient[i]);
        }

        if (!areFinite)
        {
            throw notFinite(gradient);
        }
        return loss / length;
    }

    @Override
    public final void scores(final float[] rows, final double[] scores)
    {
        checkState(rows, valueCount());
        if (scores.length < (long)length * scoreCount())
        {
            throw tooShort("scores", scores.length, "scores of the batch", (long)length * scoreCount());
        }

        int firstPlace = 0;
        for (int i = 0; i < length; i++)
        {
            final int example = batch[offset + i];
            score(example, firstPlace, rows, scores, i * scoreCount());
            firstPlace += examples.endEntry(example) - examples.firstEntry(example);
        }
    }

    /** The examples that batches are made of. */
    protected final Examples examples()
    {
        return examples;
    }

    /** Place among the batch's keys of the feature of an entry, counted through the batch from 0. */
    protected final int place(final int entry)
    {
        return batchKeys.place(entry);
    }

    /**
     * Add the gradient of one example's loss.
     *
     * @param firstPlace of the entries of the example, counted through the batch, for {@link #place(int)}.
     * @param rows       of each key {@link #dim()} values.
     * @param sums       of as many.
     * @return its loss.
     */
    protected abstract double addGradient(int example, int firstPlace, float[] rows, double[] sums);

    /**
     * Compute the scores of one example.
     *
     * @param firstPlace as for {@link #addGradient(int, int, float[], double[])}.
     * @param scores     receives {@link #scoreCount()} values.
     * @param at         of the first of them.
     */
    protected abstract void score(int example, int firstPlace, float[] rows, double[] scores, int at);

    /**
     * Refuse a score that is not a number: each gradient computed from it would not be a number either.
     *
     * @return the score.
     * @throws DivergedException if it is not a number.
     */
    protected static double checkScore(final double score, final int example)
    {
        if (Double.isNaN(score))
        {
            throw new DivergedException("score is not a number: example=" + example +
                ": a pulled weight is not finite");
        }
        return score;
    }

    private DivergedException notFinite(final float[] gradient)
    {
        int i = 0;
        while (Float.isFinite(gradient[i]))
        {
            i++;
        }
        return new DivergedException("the gradient of feature " + keys()[i / dim()] + " is " + gradient[i]);
    }

    private int valueCount()
    {
        return Math.multiplyExact(batchKeys.keyCount(), dim());
    }

    private void checkState(final float[] rows, final int valueCount)
    {
        if (null == batch)
        {
            throw new IllegalStateException("no batch selected: call select first");
        }
        if (rows.length < valueCount)
        {
            throw tooShort("rows", rows.length, "values of the rows", valueCount);
        }
    }

    private static IllegalArgumentException tooShort(
        final String name, final int length, final String what, final long required)
    {
        return new IllegalArgumentException(
            "invalid length: " + name + "=" + length + ": must be at least the number of " + what + ", " + required);
    }
}
