// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * The order in which a worker takes its examples: a function of (seed, pass, worker) and nothing else.
 * <p>
 * Each pass is a Fisher-Yates shuffle (Durstenfeld, 1964) of {@code 0 .. exampleCount - 1} that starts from the
 * identity, so a replaced worker can begin at any pass without repeating those before. Batches are consecutive parts of
 * the order; the last of a pass may be smaller. Used by one thread.
 */
public final class BatchSchedule
{
    private static final long SHUFFLE_STREAM = 0x5348_5546L;

    private final long workerSeed;
    private final int batchSize;
    private final int[] order;
    private final SeededRandom random = new SeededRandom(0);

    /**
     * A schedule that stands at pass 0.
     *
     * @param exampleCount number of examples of this worker, at least 0.
     * @param batchSize    examples in a batch, at least 1.
     * @throws IllegalArgumentException if an argument is out of range.
     */
    public BatchSchedule(final long seed, final int worker, final int exampleCount, final int batchSize)
    {
        if (worker < 0)
        {
            throw new IllegalArgumentException("invalid worker=" + worker + ": must be at least 0");
        }
        if (exampleCount < 0)
        {
            throw new IllegalArgumentException("invalid exampleCount=" + exampleCount + ": must be at least 0");
        }
        if (batchSize < 1)
        {
            throw new IllegalArgumentException("invalid batchSize=" + batchSize + ": must be at least 1");
        }

        workerSeed = SeededRandom.seed(seed, SHUFFLE_STREAM, worker);
        this.batchSize = batchSize;
        order = new int[exampleCount];
        startPass(0);
    }

    /**
     * Shuffle the examples for a pass.
     *
     * @param pass index, from 0.
     * @throws IllegalArgumentException if the pass is negative.
     */
    public void startPass(final int pass)
    {
        if (pass < 0)
        {
            throw new IllegalArgumentException("invalid pass=" + pass + ": must be at least 0");
        }

        for (int i = 0; i < order.length; i++)
        {
            order[i] = i;
        }

        random.reset(SeededRandom.seed(workerSeed, pass, 0));
        for (int i = order.length - 1; i > 0; i--)
        {
            final int j = random.nextInt(i + 1);
            final int example = order[i];
            order[i] = order[j];
            order[j] = example;
        }
    }

    /**
     * The examples in the order of the started pass. Batch {@code b} is the part of {@link #batchLength(int)} examples
     * from {@link #batchOffset(int)}.
     *
     * @return the array itself, which the next {@link #startPass(int)} overwrites; not to be changed.
     */
    public int[] order()
    {
        return order;
    }

    /** Number of batches in each pass, 0 if there are no examples. */
    public int batchCount()
    {
        return (int)((order.length + (batchSize - 1L)) / batchSize);
    }

    public long batchCount(final int passes)
    {
        return (long)batchCount() * passes;
    }

    /** Where a batch, 0 to {@code batchCount() - 1}, begins in {@link #order()}. */
    public int batchOffset(final int batch)
    {
        if (batch < 0 || batch >= batchCount())
        {
            throw new IndexOutOfBoundsException("invalid batch=" + batch + ": must be 0.." + (batchCount() - 1));
        }
        return batch * batchSize;
    }

    /**
     * Number of examples in a batch.
     *
     * @param batch index, 0 to {@code batchCount() - 1}.
     * @return number of examples, at least 1.
     */
    public int batchLength(final int batch)
    {
        return Math.min(batchSize, order.length - batchOffset(batch));
    }
}
