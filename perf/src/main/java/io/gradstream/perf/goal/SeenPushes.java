// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.measure.Transceiver;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.util.Arrays;

/**
 * Pushes of one worker, each of which ends when a pull of another worker shows it. The other worker pulls the same row
 * again and again, one pull after the other. Each push adds one to each value, so a value is the number of pushes in
 * it.
 */
final class SeenPushes implements Transceiver
{
    /** Subtracts the pushed gradient, which is -1 for each value. */
    static final String FUNCTION = "sgd/1 rate=1.0";

    /** Largest number up to which a float counts each push. */
    private static final long MAX_PUSHES = 1 << 24;

    private final GradstreamClient writer;
    private final GradstreamClient reader;
    private final Table written;
    private final Table read;
    private final float[] gradients;
    private final float[] row;
    private long pull = GradstreamClient.NOT_NOW;
    private long started;
    private long completed;

    /**
     * The state before the first push.
     *
     * @param written table of the writer.
     * @param read    the same table of the reader.
     */
    SeenPushes(final GradstreamClient writer, final Table written, final GradstreamClient reader, final Table read)
    {
        this.writer = writer;
        this.written = written;
        this.reader = reader;
        this.read = read;
        gradients = new float[written.spec().dim()];
        Arrays.fill(gradients, -1);
        row = new float[written.spec().dim()];
    }

    @Override
    public boolean tryStart()
    {
        if (started == MAX_PUSHES)
        {
            throw new IllegalStateException("pushes=" + started + ": no float counts more; shorten the windows");
        }
        final boolean isStarted = GradstreamClient.NOT_NOW != written.tryPushRange(0, 1, gradients);
        started += isStarted ? 1 : 0;

        return isStarted;
    }

    @Override
    public int poll()
    {
        int workCount = writer.poll() + reader.poll();
        if (GradstreamClient.NOT_NOW == pull || reader.isDone(pull))
        {
            completed = seen();
            pull = read.pullRange(0, 1, row);
            workCount++;
        }

        return workCount;
    }

    /** Number of pushes that the last pull has shown. */
    private long seen()
    {
        final long seen = (long)row[0];
        if (seen < completed || seen > started)
        {
            throw new IllegalStateException("a pull has shown pushes=" + seen + ", made were " + started +
                ", seen before were " + completed);
        }

        return seen;
    }

    @Override
    public long completed()
    {
        return completed;
    }

    @Override
    public long transferBytes()
    {
        return (long)gradients.length * Float.BYTES;
    }
}
