/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.recovery.replica;

import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.ReplicatedState;

/**
 * How far a replica, and everybody counted behind it, has come, and which snapshots are missing. Asked only while its
 * log is open.
 */
public final class ReplicaProgress
{
    private final Replica replica;
    private final ReplicaStorage storage;
    private final ReplicatedState replicated;
    private final ChainMembership place;
    private final Upstream follower;
    /** The log begins behind a snapshot that was sent and is not kept here. */
    private boolean isWithoutBase;

    ReplicaProgress(
        final Replica replica,
        final ReplicaStorage storage,
        final ReplicatedState replicated,
        final ChainMembership place,
        final Upstream follower)
    {
        this.replica = replica;
        this.storage = storage;
        this.replicated = replicated;
        this.place = place;
        this.follower = follower;
    }

    void isWithoutBase(final boolean isMissing)
    {
        isWithoutBase = isMissing;
    }

    /**
     * Up to where it, and everybody counted behind it, has applied. A head whose chain is short takes what its own
     * Archive has recorded instead, so that the death of the only copy's process loses nothing.
     *
     * @return position.
     */
    public long replicatedPosition()
    {
        final boolean isAlone = replica.isPrimary() && place.chain().isDegraded();
        return place.atMostApplied(isAlone ? replica.log().recordedPosition() : replicated.cursor().position());
    }

    /**
     * Up to where its own Archive, and that of everybody counted behind it, has recorded. A log that cannot be replayed
     * yet, because the snapshot it begins behind is not kept here, counts for nothing.
     *
     * @return position.
     */
    public long recordedPosition()
    {
        return place.atMostRecorded(isWithoutBase() ? 0 : replica.log().recordedPosition());
    }

    /**
     * Position that the oldest kept snapshot of everybody counted behind it stands for.
     *
     * @return position.
     */
    public long coveredPosition()
    {
        return place.atMostCovered(replicated.coveredPosition());
    }

    /**
     * Is whoever follows it counted in what it acknowledges: a member in sync, or a joiner about to be one?
     *
     * @return true if so.
     */
    public boolean isSuccessorCounted()
    {
        return place.isSuccessorCounted();
    }

    /**
     * Does everybody counted behind it stand by it? Then none of them has been promoted, and none will be before this
     * is over.
     *
     * @param leaseNs how long it holds, counted from the heartbeat that they stand by.
     * @param nowNs   now.
     * @return true if so, or if nobody is counted.
     */
    public boolean hasLease(final long leaseNs, final long nowNs)
    {
        return !place.isSuccessorCounted() ||
            null != place.successor() && place.successor().hasEchoed(leaseNs, nowNs);
    }

    /**
     * Does a head take pushes now, or does its chain lag too far behind?
     *
     * @return false: ask again.
     */
    public boolean hasRoom()
    {
        return place.hasRoom();
    }

    /**
     * The attempt under which it follows its predecessor and reports its progress.
     *
     * @return attachment, or 0 while it does not follow.
     */
    public long attachment()
    {
        return Replica.State.FOLLOW_LOG == replica.state() && Upstream.State.FOLLOWING == follower.state() ?
            follower.attachment() : 0;
    }

    /**
     * Whom it follows.
     *
     * @return node id, or -1.
     */
    public int predecessor()
    {
        return follower.predecessor();
    }

    /**
     * Records that arrived broken and were asked for again.
     *
     * @return number of them, in this life.
     */
    public long brokenRecords()
    {
        return follower.brokenRecords();
    }

    /**
     * Records that wait to be sent to whoever follows.
     *
     * @return bytes of them.
     */
    public int queuedBytes()
    {
        return null == place.successor() ? 0 : place.successor().queuedBytes();
    }

    /**
     * Does its own log, or a follower, lack a snapshot to begin behind?
     *
     * @return true if a snapshot is wanted now.
     */
    public boolean isSnapshotWanted()
    {
        return isWithoutBase() || null != place.successor() && place.successor().isWithoutLog();
    }

    /**
     * A worker waits for a snapshot of what was appended so far: whoever follows is to take one too.
     */
    public void askForSnapshot()
    {
        if (null != place.successor())
        {
            place.successor().askForSnapshot();
        }
    }

    /**
     * Has the predecessor asked for a snapshot since the last call?
     *
     * @return true if so.
     */
    public boolean pollSnapshotAsked()
    {
        return follower.pollSnapshotAsked();
    }

    /**
     * A snapshot has been taken and verified.
     */
    public void onSnapshotTaken()
    {
        if (null != place.successor())
        {
            place.successor().onSnapshotTaken();
        }
    }

    private boolean isWithoutBase()
    {
        isWithoutBase &= 0 == storage.snapshotCount();
        return isWithoutBase;
    }
}
