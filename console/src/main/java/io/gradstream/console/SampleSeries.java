// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * A series of samples that never holds more than its limit. It keeps all the newest, and of the older ones each second,
 * fourth, eighth and so on, the same share from the first to the last of them. For one thread.
 *
 * @param <T> what a sample is.
 */
final class SampleSeries<T>
{
    /**
     * A sample with its number, by which readers ask for what they do not have yet.
     *
     * @param sequence grows with each sample of a run, whatever series it is in.
     * @param value    the sample.
     * @param <T>      what a sample is.
     */
    record Point<T>(long sequence, T value)
    {
    }

    private final int maxRecent;
    private final int maxOlder;
    private final Deque<Point<T>> recent = new ArrayDeque<>();
    private List<Point<T>> older = new ArrayList<>();
    /** Samples that have left the newest ones. */
    private long departed;
    /** One in this many of the samples that have left the newest ones is kept. */
    private long stride = 1;

    /**
     * An empty series.
     *
     * @param maxRecent newest samples, all of which are there.
     * @param maxOlder  limit of the older ones, an even number.
     */
    SampleSeries(final int maxRecent, final int maxOlder)
    {
        this.maxRecent = maxRecent;
        this.maxOlder = maxOlder;
    }

    void add(final long sequence, final T value)
    {
        recent.addLast(new Point<>(sequence, value));
        if (recent.size() > maxRecent)
        {
            final Point<T> oldest = recent.removeFirst();
            if (0 == departed % stride)
            {
                older.add(oldest);
            }
            departed++;
            if (older.size() == maxOlder)
            {
                thin();
            }
        }
    }

    /** Samples that are there. */
    int size()
    {
        return recent.size() + older.size();
    }

    /** The newest sample, or null if there is none. */
    T newest()
    {
        return recent.isEmpty() ? null : recent.getLast().value();
    }

    /** Samples that come after a sequence, in their order. */
    List<Point<T>> since(final long sequence)
    {
        final List<Point<T>> points = new ArrayList<>();
        final Consumer<Point<T>> take = (point) ->
        {
            if (point.sequence() > sequence)
            {
                points.add(point);
            }
        };
        older.forEach(take);
        recent.forEach(take);

        return points;
    }

    private void thin()
    {
        final List<Point<T>> kept = new ArrayList<>(maxOlder);
        for (int i = 0; i < older.size(); i += 2)
        {
            kept.add(older.get(i));
        }
        older = kept;
        stride *= 2;
    }
}
