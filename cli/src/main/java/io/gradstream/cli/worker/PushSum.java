// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.training.DivergedException;
import io.gradstream.worker.GradientSum;
import io.gradstream.worker.Table;

/** The gradients of the batches of one push. Those of a single batch are pushed from its own arrays. */
final class PushSum implements BatchSum
{
    /** The text of an error about a number of rows for which there is no memory. */
    static final String NO_ROOM = " rows, for which a quarter of the heap has room; use a lower one, a smaller" +
        " --batch, or a larger heap (of train: --worker-heap)";

    /** Share of the heap, as a divisor, that a sum may take. */
    private static final int HEAP_DIVISOR = 4;
    /** Bytes that a row may take besides its floats, and twice as much as it is copied to grow. */
    private static final int ROW_OVERHEAD = 56;

    private final Table table;
    private final int batches;
    private final int maxRows;
    private final GradientSum sum;
    private final PushedRange range;
    private long[] ownKeys;
    private float[] ownGradient;
    private int ownCount;

    /**
     * Of none yet.
     *
     * @param batches most of a push.
     * @param range   of what is pushed.
     */
    PushSum(final Table table, final int batches, final PushedRange range)
    {
        this.range = range;
        this.table = table;
        this.batches = batches;
        maxRows = maxRows(table.spec().dim(), 1);
        sum = 1 == batches ? null : new GradientSum(table.spec().dim(), maxRows);
    }

    /**
     * Most rows for which a worker keeps what it has not pushed.
     *
     * @param copies floats that are kept for each float of a row.
     */
    static int maxRows(final int dim, final int copies)
    {
        final long rowBytes = ROW_OVERHEAD + (long)copies * dim * Float.BYTES;
        return (int)Math.max(1, Math.min(
            Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / 2 / rowBytes, (Integer.MAX_VALUE - 8) / dim));
    }

    @Override
    public void add(final long[] keys, final int count, final float[] gradient)
    {
        if (null == sum)
        {
            ownKeys = keys;
            ownCount = count;
            ownGradient = gradient;
            return;
        }
        UsageException.refuseIf(!sum.tryAdd(keys, 0, count, gradient),
            "invalid --push-every=" + batches + ": the gradients of so many batches have more than " + maxRows +
                NO_ROOM);
    }

    @Override
    public boolean isFinite()
    {
        return null == sum ? 0 == ownCount || range.holds(ownCount, ownGradient) :
            range.holds(sum.rows(), sum.gradients());
    }

    @Override
    public void push()
    {
        if (null != sum && !FiniteFloats.areFinite(sum.gradients(), sum.rows() * table.spec().dim()))
        {
            throw new DivergedException("the sum of the gradients of " + batches + " batches is not finite");
        }
        if (null == sum && ownCount > 0)
        {
            range.check(ownKeys, ownCount, ownGradient);
            table.push(ownKeys, 0, ownCount, ownGradient);
        }
        else if (null != sum && !sum.isEmpty())
        {
            range.check(sum.keys(), sum.rows(), sum.gradients());
            sum.push(table);
        }
        clear();
    }

    @Override
    public void clear()
    {
        ownCount = 0;
        if (null != sum)
        {
            sum.clear();
        }
    }
}
