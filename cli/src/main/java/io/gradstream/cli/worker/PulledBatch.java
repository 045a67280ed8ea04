// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.Arrays;

import io.gradstream.training.Model;
import io.gradstream.worker.Table;

/** A batch under way: its keys, the rows that are pulled for them, and its gradient. */
final class PulledBatch
{
    private final WorkerSession session;
    private final Table table;
    private final Model model;
    private float[] weights = new float[0];
    private float[] gradient = new float[0];
    private int length;
    private boolean isPulling;
    private long ticket;

    /**
     * None is under way.
     *
     * @param model of this batch alone.
     */
    PulledBatch(final WorkerSession session, final Table table, final Model model)
    {
        this.session = session;
        this.table = table;
        this.model = model;
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
        isPulling = keyCount > 0;
        ticket = isPulling ? table.pull(model.keys(), keyCount, weights) : 0;
    }

    /** Wait for the weights. */
    void awaitWeights()
    {
        if (isPulling)
        {
            session.await(ticket);
            isPulling = false;
        }
    }

    /**
     * Compute the gradient at the weights that came.
     *
     * @return mean loss of the batch at these.
     */
    double computeGradient()
    {
        return model.gradient(weights, gradient);
    }

    /** Add the gradient to those of a push. */
    void addTo(final PushSum sum)
    {
        sum.add(model.keys(), model.keyCount(), gradient);
    }

    /** Number of its examples. */
    int length()
    {
        return length;
    }
}
