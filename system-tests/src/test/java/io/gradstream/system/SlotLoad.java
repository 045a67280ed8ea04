// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.List;

import io.gradstream.launcher.Audit;

/**
 * One slot that pushes flat out, or slowly for a while, whoever holds it.
 */
interface SlotLoad extends AutoCloseable
{
    /**
     * One process, or client, that held the slot.
     *
     * @param number       of the life, from 0.
     * @param pushed       numbers given to pushes, or -1 if it was killed and nobody knows.
     * @param acknowledged every push of a number below this was acknowledged.
     */
    record Life(int number, long pushed, long acknowledged)
    {
        /** Nobody knows how many pushes it began. */
        static final long UNKNOWN = -1;
    }

    int slot();

    /** Pushes that are not acknowledged, as far as known. */
    long outstanding();

    /** Pushes acknowledged by the present life. */
    long acknowledged();

    /** Pushes begun by the present life. */
    long pushed();

    /** All lives, the present one last. */
    List<Life> lives();

    /** What was pushed to each partition, by sequence; null if nobody knows because a life was killed. */
    List<Audit.Sums> sent();

    /** Fail if it cannot go on. */
    void check();

    /** Push slowly, or flat out as at first. */
    void slow(boolean isWanted);

    /** Stop pushing; {@link #isDrained()} is to follow. */
    void drain();

    /** Is everything acknowledged, and nothing pushed any more? */
    boolean isDrained();

    @Override
    void close();
}
