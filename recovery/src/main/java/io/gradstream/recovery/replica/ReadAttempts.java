// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/**
 * Counts readings in a row that broke off at the same place. What cannot be read once need not be damaged: a pause or a
 * busy Archive looks the same.
 */
final class ReadAttempts
{
    /** Readings that end at the same place before what is there counts as damaged. */
    static final int MAX = 3;

    private int count;
    private int rounds;
    private long failedAt;
    private long gaveUpAt = -1;

    /** The follower attaches again. */
    void restart()
    {
        count = 0;
    }

    /** All was read, or there is another follower. */
    void startOver()
    {
        count = 0;
        rounds = 0;
    }

    /** Count a reading that broke off at a position. True if another attempt is worth while. */
    boolean mayRepeat(final long position)
    {
        rounds = position == failedAt ? rounds : 0;
        count = position == failedAt ? count + 1 : 1;
        failedAt = position;
        gaveUpAt = count < MAX ? gaveUpAt : position;

        return count < MAX;
    }

    /**
     * Count a reading that was not worth another attempt. True if it is worth while that the follower attaches again.
     */
    boolean mayAttachAgain()
    {
        rounds++;
        return rounds < MAX;
    }

    /**
     * True if a place in the log could not be read, and no snapshot makes up for it.
     *
     * @param snapshotPosition of the newest one, 0 if there is none.
     * @param endPosition      of the log: what lay after it was cut off since.
     */
    boolean hasGivenUpWithin(final long snapshotPosition, final long endPosition)
    {
        return gaveUpAt >= snapshotPosition && gaveUpAt < endPosition;
    }
}
