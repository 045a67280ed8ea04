// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.perf.measure.Transceiver;

import java.util.Arrays;

/** A peer as a system under load: ranges of rows, one range after the other through all of them. */
final class PeerTransceiver implements Transceiver
{
    private static final float GRADIENT = 0.5f;

    private final PeerLink link;
    private final PeerMeasure measure;
    private final int rows;
    /** The gradient of all pushes, or where one pull of several goes, so that each has an array of its own. */
    private final float[][] values;
    private int nextRow;
    private long started;
    private boolean hasStarted;

    PeerTransceiver(final PeerLink link, final PeerMeasure measure, final int size, final int depth)
    {
        this.link = link;
        this.measure = measure;
        rows = size / PeerRows.ROW_BYTES;
        values = new float[PeerMeasure.PUSH == measure ? 1 : depth][rows * PeerRows.DIM];
        if (PeerMeasure.PUSH == measure)
        {
            Arrays.fill(values[0], GRADIENT);
        }
        else
        {
            link.prepare(rows);
        }
    }

    @Override
    public boolean tryStart()
    {
        final float[] array = values[(int)(started % values.length)];
        hasStarted = PeerMeasure.PUSH == measure ?
            link.tryPush(nextRow, rows, array) : link.tryPull(nextRow, rows, array);
        if (hasStarted)
        {
            started++;
            nextRow = nextRow + 2 * rows > PeerRows.COUNT ? 0 : nextRow + rows;
        }

        return hasStarted;
    }

    @Override
    public int poll()
    {
        // after one start the loop may have another, which must not wait for the answer of the first
        final boolean mayWait = !hasStarted;
        hasStarted = false;

        return link.poll(mayWait);
    }

    @Override
    public long completed()
    {
        return link.completed();
    }

    @Override
    public long transferBytes()
    {
        return (long)rows * PeerRows.ROW_BYTES;
    }
}
