// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import org.agrona.DirectBuffer;

/** The state a replica keeps by applying its log; it knows nothing of where records come from. */
public interface ReplicatedState
{
    /** Forget everything: as before the first record. */
    void reset();

    /** The place of this state in the log, which the replica steps on. */
    LogCursor cursor();

    /** The epochs that have written what this state has applied, changed by applying only. */
    EpochHistory epochs();

    /** Position that the older of two kept, verified snapshots of this state stands for, 0 while there are not two. */
    long snapshottedPosition();

    /** Position that the newest verified snapshot of it stands for, or the one it was loaded from; 0 if none. */
    long snapshotPosition();

    /**
     * True if there is room to apply the next record: the rows that a snapshot under way must keep are not too many. If
     * false, ask again.
     */
    boolean hasRoom();

    /**
     * Load the next frame of a snapshot.
     *
     * @throws ReplayException if the frame is not sound.
     */
    void loadFrame(DirectBuffer buffer, int offset, int length);

    /**
     * True if the last frame loaded was the end of a whole snapshot. The cursor then stands at the snapshot's position.
     */
    boolean isLoaded();

    /**
     * Apply a verified record; the cursor already stands after it. Cannot fail for a record that was admitted.
     *
     * @param position where it ends.
     */
    void applyRecord(DirectBuffer buffer, int offset, int length, long position);

    /**
     * Start an epoch as its head: append {@code EpochStarted}, and from then on what workers push.
     *
     * @param appender to the replica's own log.
     * @return false if the log has no room now: ask again.
     */
    boolean tryStartEpoch(LogAppender appender);

    /** Be no longer the head of an epoch: forget what workers have pushed and the log does not hold. */
    void endEpoch();
}
