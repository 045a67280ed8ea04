// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.training.DivergedException;
import io.gradstream.worker.GradientSum;
import io.gradstream.worker.Table;

/** The gradients of the batches of one push. Those of a single batch are pushed from its own arrays. */
final class PushSum
{
    /** Share of the heap, as a divisor, that a sum may take. */
    private static final int HEAP_DIVISOR = 4;
    /** Bytes that a row may take besides its floats, and twice as much as it is copied to grow. */
    private static final int ROW_OVERHEAD = 56;

    private final Table table;
    private final int batches;
    private final int maxRows;
    private final GradientSum sum;
    private long[] ownKeys;
    private float[] ownGradient;
    private int ownCount;

    /**
     * Of none yet.
     *
     * @param batches most of a push.
     */
    PushSum(final Table table, final int batches)
    {
        this.table = table;
        this.batches = batches;
        final int dim = table.spec().dim();
        final long rows = Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / 2 / (ROW_OVERHEAD + 4L * dim);
        maxRows = (int)Math.max(1, Math.min(rows, (Integer.MAX_VALUE - 8) / dim));
        sum = 1 == batches ? null : new GradientSum(dim, maxRows);
    }

    /** Add the gradient of a batch, which may have no rows. The arrays are not to change before the push. */
    void add(final long[] keys, final int count, final float[] gradient)
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
                " rows, for which a quarter of the heap has room; use a lower one, a smaller --batch, or a larger" +
                " heap (of train: --worker-heap)");
    }

    /** True if no float of the sum has become infinite. */
    boolean isFinite()
    {
        return null == sum || FiniteFloats.areFinite(sum.gradients(), sum.rows() * table.spec().dim());
    }

    /**
     * Push what was added, if it has any row, and clear it.
     *
     * @throws DivergedException if the sum is not finite, although each gradient was.
     */
    void push()
    {
        if (!isFinite())
        {
            throw new DivergedException("the sum of the gradients of " + batches + " batches is not finite");
        }
        if (null == sum && ownCount > 0)
        {
            table.push(ownKeys, 0, ownCount, ownGradient);
        }
        else if (null != sum && !sum.isEmpty())
        {
            sum.push(table);
        }
        clear();
    }

    void clear()
    {
        ownCount = 0;
        if (null != sum)
        {
            sum.clear();
        }
    }
}
