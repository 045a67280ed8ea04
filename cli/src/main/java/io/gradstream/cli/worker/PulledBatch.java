// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.Arrays;

import io.gradstream.training.DivergedException;
import io.gradstream.training.Model;
import io.gradstream.worker.Table;

/** A batch under way: its keys, the rows that are pulled for them, and its gradient. */
final class PulledBatch
{
    private final WorkerSession session;
    private final Table table;
    private final Model model;
    private final LocalSteps local;
    private final PulledRange range;
    /** Keys whose rows are on their way: with local steps those of which there is no copy. */
    private long[] pulled = new long[0];
    private int pulledCount;
    private float[] weights = new float[0];
    private float[] gradient = new float[0];
    private int length;
    private boolean isPulling;
    private long ticket;

    /**
     * None is under way.
     *
     * @param model of this batch alone.
     * @param local steps on the worker's own rows; null for none.
     * @param range of weights as they are sent.
     */
    PulledBatch(
        final WorkerSession session,
        final Table table,
        final Model model,
        final LocalSteps local,
        final PulledRange range)
    {
        this.session = session;
        this.table = table;
        this.model = model;
        this.local = local;
        this.range = range;
    }

    /**
     * Begin with the examples of a part of an order, which is not to be changed before the gradient is computed: their
     * weights are on their way.
     */
    void start(final int[] order, final int offset, final int length)
    {
        this.length = length;
        final int keyCount = model.select(order, offset, length);
        if (weights.length < (long)keyCount * model.dim())
        {
            weights = new float[Math.multiplyExact(model.keys().length, model.dim())];
            gradient = Arrays.copyOf(weights, weights.length);
        }
        pulled = null == local ? model.keys() : missing(keyCount);
        pulledCount = null == local ? keyCount : pulledCount;
        isPulling = pulledCount > 0;
        ticket = isPulling ? table.pull(pulled, pulledCount, weights) : 0;
    }

    private long[] missing(final int keyCount)
    {
        final long[] missing = pulled.length < keyCount ? new long[model.keys().length] : pulled;
        pulledCount = local.missing(model.keys(), keyCount, missing);
        return missing;
    }

    /** Wait until no weights are on their way. They are not used. */
    void settle()
    {
        if (isPulling)
        {
            session.await(ticket);
            isPulling = false;
        }
    }

    /**
     * Wait for the weights.
     *
     * @throws DivergedException if one is beyond the range in which it was sent.
     */
    void awaitWeights()
    {
        if (isPulling)
        {
            settle();
            range.check(pulled, pulledCount, weights);
            if (null != local)
            {
                local.put(pulled, pulledCount, weights);
            }
        }
    }

    /**
     * Compute the gradient at the weights that came.
     *
     * @return mean loss of the batch at these.
     */
    double computeGradient()
    {
        if (null != local)
        {
            local.copy(model.keys(), model.keyCount(), weights);
        }
        return model.gradient(weights, gradient);
    }

    /** Add the gradient to those of a push. */
    void addTo(final BatchSum sum)
    {
        sum.add(model.keys(), model.keyCount(), gradient);
    }

    /** Number of its examples. */
    int length()
    {
        return length;
    }
}
