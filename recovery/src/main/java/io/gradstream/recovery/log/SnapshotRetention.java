// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import java.util.List;
import java.util.stream.Stream;

/** Decides which snapshots a partition keeps, the two newest that are sound, and what they mean for its log. */
public final class SnapshotRetention
{
    /** Recorded end of a log that does not exist, ahead of which no snapshot is. */
    public static final long NO_LOG = Long.MAX_VALUE;

    /** The place where to cut, below every log's start, so that nothing stays. */
    public static final long EVERYTHING = -1;

    /** Snapshots kept, so that one found damaged costs nothing. */
    private static final int MAX_KEPT = 2;

    private final boolean keepLogAll;
    private List<StoredSnapshot> kept = List.of();
    /** Recordings of snapshots that counted and are broken or withdrawn; they matter where there are none to keep. */
    private List<Long> broken = List.of();
    /** True if there is a log, whose replay shows what is lost when no snapshot is sound. */
    private boolean hasLog;
    private long lackedFrom = ReplicaStorage.NOTHING_LACKED;

    /** Nothing is kept yet; the log may be kept before snapshots too. */
    public SnapshotRetention(final boolean keepLogAll)
    {
        this.keepLogAll = keepLogAll;
    }

    /**
     * True if a whole snapshot may count. One ahead of what is recorded of the log leaves nothing to replay from it.
     */
    public static boolean mayCount(final long position, final long recordedEnd)
    {
        return position <= recordedEnd;
    }

    /** True if these are as many as are kept. */
    public static boolean isEnough(final List<StoredSnapshot> snapshots)
    {
        return snapshots.size() >= MAX_KEPT;
    }

    /** An earlier life has left these: snapshots that may count, and broken ones, newest first each. */
    public void onFound(final List<StoredSnapshot> whole, final List<Long> brokenRecordings, final boolean isLogFound)
    {
        kept = List.copyOf(whole);
        broken = List.copyOf(brokenRecordings);
        hasLog = isLogFound;
    }

    public void onLogOpened()
    {
        hasLog = true;
    }

    /** Snapshots kept, newest first. */
    public List<StoredSnapshot> kept()
    {
        return kept;
    }

    public boolean isKept(final long recordingId)
    {
        return kept.stream().anyMatch((snapshot) -> snapshot.recordingId() == recordingId);
    }

    /** Kept snapshot to be judged before a new one counts, after so many; null if those found sound are to be kept. */
    public StoredSnapshot nextToJudge(final List<StoredSnapshot> sound, final int judged)
    {
        return isEnough(sound) || judged == kept.size() ? null : kept.get(judged);
    }

    /** Keep these, newest first. */
    public void keep(final List<StoredSnapshot> sound)
    {
        kept = List.copyOf(sound);
    }

    /** Drop the snapshots after a cut of the log; drop everything if the log begins after the cut. */
    public void cut(final long position, final long logStart)
    {
        final boolean isAll = position < logStart;
        kept = kept.stream().filter((snapshot) -> !isAll && snapshot.position() <= position).toList();
        broken = isAll ? List.of() : broken;
    }

    /** Position of the older of two kept snapshots; 0 if there are not two. */
    public long olderPosition()
    {
        return isEnough(kept) ? kept.get(MAX_KEPT - 1).position() : 0;
    }

    /** A follower lacks the log from this position on; counts until the next call. */
    public void keepLogFrom(final long position)
    {
        lackedFrom = position;
    }

    /** Nothing needs the log before this position. */
    public long logBase()
    {
        return keepLogAll ? 0 : Math.min(olderPosition(), lackedFrom);
    }

    /** Recordings of snapshots that counted, newest first, where none is sound and no log tells what they held. */
    public List<Long> lost(final boolean isLossAccepted)
    {
        return isLossAccepted || hasLog ? List.of() :
            Stream.concat(kept.stream().map(StoredSnapshot::recordingId), broken.stream()).toList();
    }

    /**
     * A snapshot that is on disk whole.
     *
     * @param recordingId of its recording.
     * @param endPosition of its recording; it begins at 0.
     * @param position    of the log that it stands for.
     * @param isVerified  true if it has been read back in this life of the process.
     */
    public record StoredSnapshot(long recordingId, long endPosition, long position, boolean isVerified)
    {
        public StoredSnapshot verified()
        {
            return new StoredSnapshot(recordingId, endPosition, position, true);
        }
    }
}
