// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

/** Takes the frames of a snapshot. */
public interface SnapshotSink extends FrameSink
{
    /** All frames are written: record the rest, read it back, verify it, and only then let it count. */
    void complete();

    /**
     * True if something went wrong: the recording died, or verification failed. The snapshot is then given up and does
     * not count.
     */
    boolean hasFailed();

    /** True if the completed snapshot has been read back and verified. */
    boolean isVerified();

    /**
     * Bytes read back so far, of this snapshot and of those before it that are verified with it.
     *
     * @return a count, 0 where nothing is read.
     */
    default long readBytes()
    {
        return 0;
    }

    /**
     * Read nothing back now, since other work goes first: for much less time than that after which a replay without
     * progress is given up. A sink that need not read back need not heed it.
     *
     * @param isHeld false to go on.
     */
    default void holdReading(final boolean isHeld)
    {
    }

    /**
     * Position of the sound snapshot that is kept next to this one, once this one is verified: if this one is found
     * broken, what the other holds is still there.
     *
     * @return position, 0 if there is no other.
     */
    long olderPosition();
}
