// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.training.DivergedException;
import io.gradstream.worker.Table;

/**
 * Steps of plain SGD that a worker takes on its own copy of rows, each of which it pulls once, before it pushes by how
 * much the copy has changed. Servers take old - new for a gradient: the function of the table is the outer optimizer
 * (Douillard et al., DiLoCo, 2023, with Nesterov momentum).
 */
final class LocalSteps implements BatchSum
{
    /** Floats that are kept for each float of a row: as pulled, own, and the difference. */
    private static final int COPIES = 3;

    private final Table table;
    private final PushedRange range;
    private final int steps;
    private final float rate;
    private final int maxRows;
    private final LocalRows rows;

    /**
     * Of none yet.
     *
     * @param steps most of a push.
     * @param rate  of a step.
     */
    LocalSteps(final Table table, final int steps, final double rate, final PushedRange range)
    {
        this.range = range;
        this.table = table;
        this.steps = steps;
        this.rate = (float)rate;
        maxRows = PushSum.maxRows(table.spec().dim(), COPIES);
        rows = new LocalRows(table.spec().dim(), maxRows);
    }

    /** Find the keys whose rows are to be pulled; returns their number. */
    int missing(final long[] keys, final int count, final long[] missing)
    {
        return rows.missing(keys, count, missing);
    }

    /** Take rows that were pulled. */
    void put(final long[] keys, final int count, final float[] pulled)
    {
        UsageException.refuseIf(!rows.tryPut(keys, count, pulled), "invalid --local-steps=" + steps +
            ": so many batches have more than " + maxRows + PushSum.NO_ROOM);
    }

    /** Copy rows as the steps have left them. */
    void copy(final long[] keys, final int count, final float[] weights)
    {
        rows.copy(keys, count, weights);
    }

    /** Take a step. */
    @Override
    public void add(final long[] keys, final int count, final float[] gradient)
    {
        rows.step(keys, count, gradient, rate);
    }

    @Override
    public boolean isFinite()
    {
        return range.holds(rows.stepped(), rows.differences());
    }

    @Override
    public void push()
    {
        final float[] differences = rows.differences();
        if (!FiniteFloats.areFinite(differences, rows.stepped() * table.spec().dim()))
        {
            throw new DivergedException("a row after local steps is not finite");
        }
        if (rows.stepped() > 0)
        {
            range.check(rows.keys(), rows.stepped(), differences);
            table.push(rows.keys(), 0, rows.stepped(), differences);
        }
        clear();
    }

    @Override
    public void clear()
    {
        rows.clear();
    }
}
