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
package io.gradstream.recovery.log;

import io.gradstream.codecs.LogRecords;
import org.agrona.MutableDirectBuffer;

/**
 * Appends records to a log under one epoch: claims room, seals what was written and steps the cursor on.
 */
public final class LogAppender
{
    private final Log log;
    private final LogCursor cursor;
    private final long epoch;
    private final AppendListener listener;
    private int claimedLength;

    /**
     * Append to a log from where the cursor stands.
     *
     * @param log      to append to.
     * @param cursor   at the log's end, or before padding at its end.
     * @param epoch    to write under, above the cursor's.
     * @param listener told of each record before it is committed.
     */
    public LogAppender(final Log log, final LogCursor cursor, final long epoch, final AppendListener listener)
    {
        if (epoch <= cursor.epoch() || log.position() < cursor.position())
        {
            throw new IllegalStateException("cannot append: epoch=" + epoch + " last=" + cursor.epoch() +
                " logPosition=" + log.position() + " cursorPosition=" + cursor.position());
        }
        this.log = log;
        this.cursor = cursor;
        this.epoch = epoch;
        this.listener = listener;
    }

    /**
     * Epoch of what is appended.
     *
     * @return epoch.
     */
    public long epoch()
    {
        return epoch;
    }

    /**
     * Claim room for a record.
     *
     * @param length bytes, envelope included.
     * @return false if there is no room now; nothing has happened.
     */
    public boolean tryClaim(final int length)
    {
        if (!log.tryClaim(length))
        {
            return false;
        }
        claimedLength = length;

        return true;
    }

    /**
     * Buffer to write the record to.
     *
     * @return the claim's buffer.
     */
    public MutableDirectBuffer buffer()
    {
        return log.buffer();
    }

    /**
     * Where the record begins in the buffer.
     *
     * @return offset.
     */
    public int offset()
    {
        return log.offset();
    }

    /**
     * Seal the claimed record, so that nothing may be written to it any more, and step the cursor on. It must be
     * applied and then {@link #commit() committed} before anything else is done.
     *
     * @return where it ends in the log.
     */
    public long append()
    {
        final long chainHash = LogRecords.seal(
            log.buffer(), log.offset(), claimedLength, epoch, cursor.index() + 1, cursor.chainHash());
        cursor.advance(log.claimEndPosition(), epoch, chainHash);

        return cursor.position();
    }

    /**
     * Hand the sealed record to the log. From now on its bytes must not be read: a log blanks what is recorded, which
     * may be at once.
     */
    public void commit()
    {
        listener.onAppended(
            cursor.previousPosition(), cursor.position(), log.buffer(), log.offset(), claimedLength);
        log.commit();
    }

    /**
     * The log appended to.
     *
     * @return the log.
     */
    public Log log()
    {
        return log;
    }
}
