// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/**
 * How far a follower, and the chain after it, has come, as the follower reports under its attachment; the lease that it
 * grants; and how long ago anything of that was news.
 */
final class FollowerProgress
{
    private long attachedNs;
    /** Where the follower's own log ended when it attached; its chain's may end earlier. */
    private long attachedAt;
    private long progressNs;
    private long applied;
    private long recorded;
    private long snapshotted;
    /** Newest of this node's heartbeats for which the follower grants a lease; 0 if none. */
    private long grantNs;
    /** Most frames of a snapshot that were sent to it at once. */
    private long mostFrames;
    /** True if it was served before it could report anything, and when that was last. */
    private boolean isServed;
    private long servedNs;

    /** It attaches, for the first time or again. */
    void attach(final long nowNs)
    {
        attachedNs = nowNs;
        progressNs = nowNs;
    }

    /** Its log ends here, and is as this one up to there. */
    void attachedAt(final long position)
    {
        attachedAt = position;
    }

    long attachedAt()
    {
        return attachedAt;
    }

    /** Its own log goes up to here at least. */
    long reached()
    {
        return Math.max(attachedAt, applied);
    }

    /** It is sent a snapshot, up to this frame. It gets on if it was never sent as much. */
    void onSnapshot(final long frames, final long nowNs)
    {
        if (frames > mostFrames)
        {
            mostFrames = frames;
            onServed(nowNs);
        }
    }

    /** It reports nothing new only because others are served first. */
    void onServed(final long nowNs)
    {
        isServed = true;
        servedNs = nowNs;
    }

    /** True if it was served within so long, though it may have reported nothing. */
    boolean isServed(final long withinNs, final long nowNs)
    {
        return isServed && nowNs - servedNs < withinNs;
    }

    /** There is another follower. */
    void restart()
    {
        mostFrames = 0;
        isServed = false;
    }

    /** Nothing counts any longer that it has reported. */
    void forget()
    {
        applied = 0;
        recorded = 0;
        snapshotted = 0;
        grantNs = 0;
    }

    /**
     * It reports.
     *
     * @param sentPosition everything up to here is sent to it.
     * @return true if it has come further, or lacks nothing of what is sent.
     */
    boolean onProgress(
        final long newApplied,
        final long newRecorded,
        final long newSnapshotted,
        final long newGrantNs,
        final long sentPosition,
        final long nowNs)
    {
        final boolean isNews = newApplied > applied || newApplied == sentPosition;
        progressNs = isNews ? nowNs : progressNs;
        applied = Math.max(applied, newApplied);
        recorded = Math.max(recorded, newRecorded);
        snapshotted = Math.max(snapshotted, newSnapshotted);
        // a grant from outside this time is of an earlier life of this node, whose clock was another one
        if (0 != newGrantNs && newGrantNs - attachedNs >= 0 && nowNs - newGrantNs >= 0)
        {
            grantNs = 0 == grantNs || newGrantNs - grantNs > 0 ? newGrantNs : grantNs;
        }

        return isNews;
    }

    /** True if it lacks what is sent and has reported nothing new for so long. The call begins that time anew. */
    boolean pollStall(final long sentPosition, final long forNs, final long nowNs)
    {
        progressNs = applied >= sentPosition ? nowNs : progressNs;
        final boolean isStalled = nowNs - progressNs >= forNs;
        progressNs = isStalled ? nowNs : progressNs;

        return isStalled;
    }

    long applied()
    {
        return applied;
    }

    long recorded()
    {
        return recorded;
    }

    long snapshotted()
    {
        return snapshotted;
    }

    /** True if it has granted a lease since it attached. */
    boolean hasGranted()
    {
        return 0 != grantNs;
    }

    /** True if the newest lease that it has granted is younger than that. */
    boolean hasLease(final long leaseNs, final long nowNs)
    {
        return 0 != grantNs && nowNs - grantNs < leaseNs;
    }
}
