// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.recovery.log.ReplicaStorage;

/**
 * The part of a replica's log that is kept for its follower, which lacks it. The follower has to report news from time
 * to time: snapshots may replace that part otherwise, and the follower must begin again from one.
 */
final class LackedLog
{
    /** The log that a follower lacks is kept for it until it has reported nothing new for so long. */
    static final long KEEP_NS = 30_000_000_000L;

    private final ReplicaStorage storage;
    private long from = ReplicaStorage.NOTHING_LACKED;
    private long newsNs;

    LackedLog(final ReplicaStorage storage)
    {
        this.storage = storage;
    }

    /** The follower has the log up to here: it is kept from here on. */
    void keepFrom(final long position, final long nowNs)
    {
        from = position;
        newsNs = nowNs;
        storage.keepLogFrom(position);
    }

    /** There is no follower that lacks anything. */
    void release()
    {
        keepFrom(ReplicaStorage.NOTHING_LACKED, newsNs);
    }

    /** The follower reports nothing new only because it is sent little. */
    void onSentLittle(final long nowNs)
    {
        newsNs = nowNs;
    }

    /** Time goes on: keep nothing for a follower that has had no news for too long. */
    void onTime(final long nowNs)
    {
        if (ReplicaStorage.NOTHING_LACKED != from && nowNs - newsNs >= KEEP_NS)
        {
            release();
        }
    }
}
