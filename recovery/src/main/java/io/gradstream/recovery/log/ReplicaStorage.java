// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import java.util.List;

/**
 * Keeps a replica's log and snapshots on disk. Implemented over Aeron Archive, and in memory by the simulator.
 * <p>
 * No method waits: what takes long goes on elsewhere, and the caller asks again.
 */
public interface ReplicaStorage extends AutoCloseable
{
    /** Replay up to whatever is recorded when the replay opens. */
    long TO_RECORDED_END = -1;
    /** No follower lacks anything of the log. */
    long NOTHING_LACKED = Long.MAX_VALUE;

    /**
     * True once log and snapshots are found, and no recording of an earlier life still runs. Nothing else may be called
     * before. If false, ask again.
     */
    boolean isReady();

    /** Verified snapshots there are. */
    int snapshotCount();

    /**
     * Snapshots that were verified once and can no longer be loaded: what an empty state would lose. To be asked when
     * none could be loaded.
     *
     * @return names of their files, newest first; none where a log is kept, whose replay shows what is lost.
     */
    List<String> lostSnapshots();

    /**
     * True if the user takes what is here for all there is, even if more was acknowledged: this replica may then head
     * its chain with less.
     */
    boolean isLossAccepted();

    /**
     * Read a snapshot.
     *
     * @param age 0 for the newest, 1 for the one before.
     * @return its frames; nothing comes until it is open.
     */
    Replay openSnapshot(int age);

    /**
     * Read this replica's log from a position on. It may be open for appending at the same time.
     *
     * @param fromPosition where a record begins, or where the log ends.
     * @param toPosition   where a record ends that was appended but need not be recorded yet, or
     *                     {@link #TO_RECORDED_END}.
     * @return records; nothing comes until it is open. {@link Replay#poll} throws {@link ReplayException} if the log
     * does not hold the position.
     */
    Replay openReplay(long fromPosition, long toPosition);

    /**
     * Keep the log from a position on, even where snapshots no longer need it: a follower lacks it. Counts until the
     * next call.
     *
     * @param position up to which the follower has the log, or {@link #NOTHING_LACKED}.
     */
    void keepLogFrom(long position);

    /**
     * Open the log to append at its end; a log that does not exist begins there.
     *
     * @param position where the log must end.
     * @return the log, or null if it is not open yet: ask again.
     */
    Log openLog(long position);

    /**
     * Close the log without waiting for what is not recorded yet; it may be opened again. A snapshot under way is given
     * up. Without an open log nothing happens.
     */
    void closeLog();

    /**
     * Cut the closed log off and delete the snapshots taken after the cut. If the log begins after the cut everything
     * is deleted.
     *
     * @param position where a record ends.
     * @return false if it is not done yet: ask again.
     */
    boolean truncate(long position);

    /** Delete log and snapshots, to begin again as an empty replica. False if it is not done yet: ask again. */
    boolean wipe();

    /**
     * Begin a new snapshot.
     *
     * @param position it stands for.
     * @return where its frames go, or null if one is still under way: ask again.
     */
    SnapshotSink openSnapshotSink(long position);

    @Override
    void close();
}
