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

import io.gradstream.codecs.LogRecords;
import org.agrona.DirectBuffer;

/**
 * One replica of a partition on its way up the ladder: load a snapshot, replay the log behind it, take office.
 * The same rungs serve a first start, a restart and a repair.
 */
public final class Replica implements AutoCloseable
{
    /**
     * A rung of the ladder.
     */
    public enum State
    {
        /** Reading the newest sound snapshot into an empty state. */
        LOAD_SNAPSHOT,
        /** Applying what was recorded behind the snapshot. */
        REPLAY_LOG,
        /**
         * Opening the log at its end and starting a new epoch. Nobody hears of the epoch before its start is recorded:
         * else a crash could hand out the same epoch twice.
         */
        OPEN_LOG,
        /** Taking pushes. */
        PRIMARY,
        /** Something that must not happen has happened; {@link Replica#haltReason()} says what. */
        HALTED
    }

    /** Records or frames applied in one duty cycle while climbing. */
    public static final int REPLAY_LIMIT = 256;

    private final ReplicaStorage storage;
    private final ReplicatedState replicated;
    private final RecordHandler frameHandler = this::onFrame;
    private final RecordHandler recordHandler = this::onRecord;

    private State state = State.LOAD_SNAPSHOT;
    private String haltReason;
    private int snapshotAge;
    private Replay replay;
    private Log log;
    private LogAppender appender;
    /** Where the record ends that starts the epoch; -1 before it is appended. */
    private long officePosition = -1;

    /**
     * At the foot of the ladder.
     *
     * @param storage    its log and snapshots.
     * @param replicated its state, empty.
     */
    public Replica(final ReplicaStorage storage, final ReplicatedState replicated)
    {
        this.storage = storage;
        this.replicated = replicated;
    }

    /**
     * One duty cycle.
     *
     * @return how much was done.
     */
    public int doWork()
    {
        return switch (state)
        {
            case LOAD_SNAPSHOT -> loadSnapshot();
            case REPLAY_LOG -> replayLog();
            case OPEN_LOG -> openLog();
            case PRIMARY -> checkLog();
            case HALTED -> 0;
        };
    }

    /**
     * Where it stands.
     *
     * @return the rung.
     */
    public State state()
    {
        return state;
    }

    /**
     * Does it take pushes?
     *
     * @return true if so.
     */
    public boolean isPrimary()
    {
        return State.PRIMARY == state;
    }

    /**
     * Why it halted.
     *
     * @return one line, or null while it has not.
     */
    public String haltReason()
    {
        return haltReason;
    }

    /**
     * Its own log.
     *
     * @return the log, or null before it is open.
     */
    public Log log()
    {
        return log;
    }

    /**
     * Stop for good: an invariant broke, or a standby must take over.
     *
     * @param reason one line.
     */
    public void halt(final String reason)
    {
        haltReason = reason;
        state(State.HALTED);
    }

    @Override
    public void close()
    {
        closeReplay();
        if (null != log)
        {
            log.close();
        }
    }

    private int loadSnapshot()
    {
        if (!storage.isReady())
        {
            return 0;
        }
        if (snapshotAge == storage.snapshotCount())
        {
            replicated.reset();
            state(State.REPLAY_LOG);
            return 1;
        }

        try
        {
            return readSnapshot();
        }
        catch (final ReplayException ex)
        {
            closeReplay();
            snapshotAge++;
            return 1;
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
            closeReplay();
            state(State.REPLAY_LOG);
        }

        return workCount + 1;
    }

    private int replayLog()
    {
        try
        {
            if (null == replay)
            {
                replay = storage.openReplay(
                    replicated.cursor().position(), ReplicaStorage.TO_RECORDED_END);
            }

            final int workCount = replay.poll(recordHandler, REPLAY_LIMIT);
            if (replay.isDone())
            {
                closeReplay();
                state(State.OPEN_LOG);
            }

            return workCount;
        }
        catch (final ReplayException ex)
        {
            halt("log cannot be replayed from position=" + replicated.cursor().position() + ": " + ex.getMessage());
            return 1;
        }
    }

    private int openLog()
    {
        if (null == log)
        {
            log = storage.openLog(replicated.cursor().position());
            if (null == log)
            {
                return 0;
            }
            appender = new LogAppender(log, replicated.cursor(), replicated.cursor().epoch() + 1);
        }
        if (officePosition < 0)
        {
            if (!replicated.tryTakeOffice(appender))
            {
                return 0;
            }
            officePosition = replicated.cursor().position();
        }
        if (log.recordedPosition() < officePosition)
        {
            return checkLog();
        }
        state(State.PRIMARY);

        return 1;
    }

    private int checkLog()
    {
        if (!log.isAlive())
        {
            halt("the log or its recording has died at recordedPosition=" + log.recordedPosition());
            return 1;
        }

        return 0;
    }

    private void onFrame(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        replicated.loadFrame(buffer, offset, length);
    }

    private void onRecord(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        final LogCursor cursor = replicated.cursor();
        final String problem = LogRecords.verify(buffer, offset, length, cursor.index() + 1, cursor.chainHash());
        if (null != problem)
        {
            throw new ReplayException("broken record at position=" + cursor.position() + ": " + problem);
        }

        cursor.advance(position, LogRecords.epoch(buffer, offset), LogRecords.chainHash(buffer, offset));
        replicated.applyRecord(buffer, offset, length, position);
    }

    private void closeReplay()
    {
        if (null != replay)
        {
            replay.close();
            replay = null;
        }
    }

    private void state(final State newState)
    {
        state = newState;
    }
}
