// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.RecordReplay;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.ReplicatedState;

import java.util.List;

/**
 * The way from an empty state to the end of a replica's own log: the newest sound snapshot, then every record after it,
 * each judged before it is applied.
 */
final class LocalRecovery
{
    /** Records or frames applied in one duty cycle. */
    static final int REPLAY_LIMIT = 256;

    private final ReplicaStorage storage;
    private final ReplicatedState replicated;
    private final RecordHandler frameHandler;
    private final RecordHandler recordHandler;
    private final ReadAttempts attempts = new ReadAttempts();
    private int snapshotAge;
    private boolean isSnapshotDone;
    private boolean isDone;
    private Replay replay;
    private String damage;

    LocalRecovery(final ReplicaStorage storage, final ReplicatedState replicated)
    {
        this.storage = storage;
        this.replicated = replicated;
        frameHandler = (buffer, offset, length, position) -> replicated.loadFrame(buffer, offset, length);
        recordHandler = new RecordReplay(replicated);
    }

    void restart()
    {
        close();
        snapshotAge = 0;
        isSnapshotDone = false;
        isDone = false;
        attempts.restart();
        damage = null;
        replicated.reset();
    }

    /** True if the state is as of some snapshot, or empty because there is none. */
    boolean isSnapshotDone()
    {
        return isSnapshotDone;
    }

    /** True if the end of the log is reached, or the place where it is damaged. */
    boolean isDone()
    {
        return isDone;
    }

    /** The damage of the log after the place reached, or null. */
    String damage()
    {
        return damage;
    }

    /** Load some frames of a snapshot; one that is not sound is passed over for the one before it. */
    int loadSnapshot()
    {
        if (!storage.isReady())
        {
            return 0;
        }
        if (snapshotAge == storage.snapshotCount())
        {
            beginEmpty();
            return 1;
        }

        try
        {
            return readSnapshot();
        }
        catch (final ReplayException ex)
        {
            close();
            if (!attempts.mayRepeat(snapshotAge))
            {
                snapshotAge++;
                attempts.restart();
            }
            return 1;
        }
    }

    /**
     * There never was a snapshot, or no snapshot is sound: an empty state must not pass for what the snapshots held.
     */
    private void beginEmpty()
    {
        replicated.reset();
        isSnapshotDone = true;
        final List<String> lost = storage.lostSnapshots();
        if (!lost.isEmpty())
        {
            damage = "none of its snapshots is sound, and no log tells what they held: " + String.join(", ", lost) +
                " in the Archive; put back a copy of these files, or start the server with --allow-data-loss to begin" +
                " this partition empty";
            isDone = true;
        }
    }

    private int readSnapshot()
    {
        if (null == replay)
        {
            replicated.reset();
            replay = storage.openSnapshot(snapshotAge);
        }

        final int workCount = replay.poll(frameHandler, REPLAY_LIMIT);
        if (replay.isDone())
        {
            if (!replicated.isLoaded())
            {
                throw new ReplayException("snapshot has no end, age=" + snapshotAge);
            }
            close();
            attempts.restart();
            isSnapshotDone = true;
        }

        return workCount;
    }

    /** Apply some records. */
    int replayLog()
    {
        if (isDone)
        {
            return 0;
        }
        try
        {
            if (null == replay)
            {
                replay = storage.openReplay(replicated.cursor().position(), ReplicaStorage.TO_RECORDED_END);
            }

            final int workCount = replay.poll(recordHandler, REPLAY_LIMIT);
            if (replay.isDone())
            {
                close();
                isDone = true;
            }

            return workCount;
        }
        catch (final ReplayException ex)
        {
            close();
            // a replica that says it is damaged never heads a chain and has its log cut
            if (attempts.mayRepeat(replicated.cursor().position()))
            {
                return 1;
            }
            damage = "log cannot be replayed from position=" + replicated.cursor().position() + ": " +
                ex.getMessage();
            isDone = true;
            return 1;
        }
    }

    void close()
    {
        if (null != replay)
        {
            replay.close();
            replay = null;
        }
    }
}
