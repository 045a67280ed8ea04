// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import io.gradstream.codecs.LogRecords;
import org.agrona.DirectBuffer;

/**
 * Replays a recorded log: verifies each record, steps a cursor over it and, where a state is rebuilt, applies it.
 * Recovery, catching up and the tools that read recordings differ only in where records come from.
 */
public final class RecordReplay implements RecordHandler
{
    private final ReplicatedState state;
    private final LogCursor cursor;
    private boolean isAnchored = true;

    /** Replay into a state, from where its cursor stands, to rebuild it. */
    public RecordReplay(final ReplicatedState state)
    {
        this.state = state;
        cursor = state.cursor();
    }

    /**
     * Only check. The first record is checked by itself if what came before it is not known.
     *
     * @param fromPosition where it begins; 0 for the beginning of the log.
     */
    public RecordReplay(final long fromPosition)
    {
        state = null;
        cursor = new LogCursor();
        restart(fromPosition);
    }

    /** Check again from another position on, where a record begins; 0 for the beginning of the log. */
    public void restart(final long fromPosition)
    {
        cursor.set(fromPosition, 0, 0, LogRecords.EMPTY_CHAIN_HASH);
        isAnchored = 0 == fromPosition;
    }

    /**
     * Replay the next record, if it is sound.
     *
     * @param position where it ends.
     * @return null if it is sound, else one line that says what is wrong; then nothing has changed.
     */
    public String replay(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        final String problem = isAnchored ?
            cursor.verify(buffer, offset, length) : LogRecords.verifyAlone(buffer, offset, length);
        if (null != problem)
        {
            return problem;
        }
        if (isAnchored)
        {
            cursor.advance(position, buffer, offset);
        }
        else
        {
            cursor.set(position, LogRecords.index(buffer, offset), LogRecords.epoch(buffer, offset),
                LogRecords.chainHash(buffer, offset));
            isAnchored = true;
        }
        if (null != state)
        {
            state.applyRecord(buffer, offset, length, position);
        }

        return null;
    }

    /** The next record, which must be sound. */
    @Override
    public void onRecord(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        final String problem = replay(buffer, offset, length, position);
        if (null != problem)
        {
            throw new ReplayException("broken record at position=" + cursor.position() + ": " + problem);
        }
    }

    /** Where it stands: after the last sound record. */
    public LogCursor cursor()
    {
        return cursor;
    }
}
