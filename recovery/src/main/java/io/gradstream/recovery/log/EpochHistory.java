// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import org.agrona.collections.LongArrayList;

/**
 * The epochs that have written a log, and where each began: at the end of the record before its first. Two logs hold
 * the same bytes as far as their histories agree.
 */
public final class EpochHistory
{
    private final LongArrayList epochs = new LongArrayList();
    private final LongArrayList startPositions = new LongArrayList();

    /** Forget everything. */
    public void clear()
    {
        epochs.clear();
        startPositions.clear();
    }

    /**
     * A new epoch begins.
     *
     * @param epoch         above the last one.
     * @param startPosition end of the record before its first, not before the last one's.
     */
    public void add(final long epoch, final long startPosition)
    {
        if (!mayBeNext(epoch, startPosition))
        {
            final int last = epochs.size() - 1;
            throw new IllegalStateException("epochs went back: epoch=" + epoch + " start=" + startPosition +
                " after epoch=" + epochs.getLong(last) + " start=" + startPositions.getLong(last));
        }
        epochs.addLong(epoch);
        startPositions.addLong(startPosition);
    }

    /** True if this epoch begins after all there is. */
    public boolean mayBeNext(final long epoch, final long startPosition)
    {
        final int last = epochs.size() - 1;
        return last < 0 || epoch > epochs.getLong(last) && startPosition >= startPositions.getLong(last);
    }

    /** Number of epochs. */
    public int size()
    {
        return epochs.size();
    }

    /**
     * An epoch.
     *
     * @param index 0 for the oldest.
     * @return epoch.
     */
    public long epoch(final int index)
    {
        return epochs.getLong(index);
    }

    /**
     * The position where an epoch began.
     *
     * @param index 0 for the oldest.
     * @return position.
     */
    public long startPosition(final int index)
    {
        return startPositions.getLong(index);
    }

    /**
     * The position up to which this log and another one hold the same bytes: to the end of the last epoch that began at
     * the same position in both, or to where the shorter one of the two ends it. The other history may lack its oldest
     * epochs: an epoch has one head, so what came before it is the same wherever it began at the same position.
     *
     * @return position; 0 if they have nothing in common.
     */
    public long commonPosition(final long end, final EpochHistory other, final long otherEnd)
    {
        final int first = 0 == other.size() ? -1 : epochs.indexOf(other.epoch(0));
        int count = 0;
        while (first >= 0 && first + count < size() && count < other.size() &&
            epoch(first + count) == other.epoch(count) && startPosition(first + count) == other.startPosition(count))
        {
            count++;
        }

        return 0 == count ? 0 : Math.min(endOf(first + count - 1, end), other.endOf(count - 1, otherEnd));
    }

    private long endOf(final int index, final long logEnd)
    {
        return index + 1 < size() ? startPosition(index + 1) : logEnd;
    }
}
