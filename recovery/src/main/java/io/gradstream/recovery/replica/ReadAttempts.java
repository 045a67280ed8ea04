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

    /** The follower attaches anew. */
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

    /** A reading broke off: is it worth another attempt? */
    boolean mayRepeat(final long position)
    {
        rounds = position == failedAt ? rounds : 0;
        count = position == failedAt ? count + 1 : 1;
        failedAt = position;
        gaveUpAt = count < MAX ? gaveUpAt : position;

        return count < MAX;
    }

    /** It was not: is it worth that the follower attaches again? */
    boolean mayAttachAgain()
    {
        rounds++;
        return rounds < MAX;
    }

    /**
     * Was there a place in the log which could not be read, and for which no snapshot makes up?
     *
     * @param snapshotPosition of the newest one, 0 if there is none.
     * @param endPosition      of the log: what lay behind it was cut off since.
     */
    boolean hasGivenUpWithin(final long snapshotPosition, final long endPosition)
    {
        return gaveUpAt >= snapshotPosition && gaveUpAt < endPosition;
    }
}
