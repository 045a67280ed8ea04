// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import io.gradstream.codecs.LogRecords;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.util.function.LongPredicate;

/**
 * Appends records to one replica's log and applies them: those that a head writes in place, and those that a standby is
 * forwarded.
 */
public final class LogAppender
{
    /** The log, or the state, has no room for a record now; nothing has happened. */
    public static final long NO_ROOM = -1;

    private final Log log;
    private final ReplicatedState state;
    private final AppendListener listener;
    private final LongPredicate isHeadOf;
    private long epoch;
    private int claimedLength;

    /**
     * Append to a log from where the state's cursor stands.
     *
     * @param state    that applies each record, at the log's end or before padding at its end.
     * @param listener told of each record before it is committed.
     * @param isHeadOf true if a record may be written under an epoch: this replica is still wanted as its head.
     */
    public LogAppender(
        final Log log, final ReplicatedState state, final AppendListener listener, final LongPredicate isHeadOf)
    {
        if (log.position() < state.cursor().position())
        {
            throw new IllegalStateException("cannot append: logPosition=" + log.position() + " cursorPosition=" +
                state.cursor().position());
        }
        this.log = log;
        this.state = state;
        this.listener = listener;
        this.isHeadOf = isHeadOf;
    }

    /** Write records from now on under an epoch above the log's last. */
    public void startEpoch(final long newEpoch)
    {
        if (newEpoch <= state.cursor().epoch())
        {
            throw new IllegalStateException("cannot append: epoch=" + newEpoch + " last=" + state.cursor().epoch());
        }
        epoch = newEpoch;
    }

    /** Epoch of what is written here, 0 before one was started. */
    public long epoch()
    {
        return epoch;
    }

    /**
     * Claim room for a record, to be written to {@link #buffer()} from {@link #offset()} on and then
     * {@link #append() appended} before anything else is done.
     *
     * @return false if there is no room now, or this replica is no longer to head its epoch; nothing has happened.
     */
    public boolean tryClaim(final int length)
    {
        claimedLength = length;
        return isHeadOf.test(epoch) && log.tryClaim(length);
    }

    /** The claim's buffer, to write the record to. */
    public MutableDirectBuffer buffer()
    {
        return log.buffer();
    }

    /** Where the record begins in the buffer. */
    public int offset()
    {
        return log.offset();
    }

    /**
     * Seal the claimed record, apply it and commit it. Its bytes must no longer be read: a log blanks what is
     * recorded, which may be at once.
     */
    public void append()
    {
        final LogCursor cursor = state.cursor();
        LogRecords.seal(log.buffer(), log.offset(), claimedLength, epoch, cursor.index() + 1, cursor.chainHash());
        applyAndCommit();
    }

    /**
     * Append a verified record at the place that it has in another copy of the log.
     *
     * @param endPosition where it ends there.
     * @return where it ends here, or {@link #NO_ROOM}; another position than there means that the logs differ, and
     * that it was not appended.
     */
    public long append(final DirectBuffer buffer, final int offset, final int length, final long endPosition)
    {
        final long start = endPosition - LogRecords.alignedLength(length);
        final boolean hasRoom = state.hasRoom() && (log.position() >= start || log.tryPadTo(start));
        if (!hasRoom || !log.tryClaim(length))
        {
            return NO_ROOM;
        }
        final long ownEndPosition = log.claimEndPosition();
        if (ownEndPosition == endPosition)
        {
            log.buffer().putBytes(log.offset(), buffer, offset, length);
            claimedLength = length;
            applyAndCommit();
        }

        return ownEndPosition;
    }

    /** The record's room in the log is certain, so it may be applied before the log has it. */
    private void applyAndCommit()
    {
        final MutableDirectBuffer buffer = log.buffer();
        final int offset = log.offset();
        final LogCursor cursor = state.cursor();
        cursor.advance(log.claimEndPosition(), buffer, offset);
        state.applyRecord(buffer, offset, claimedLength, cursor.position());
        listener.onAppended(cursor.previousPosition(), cursor.position(), buffer, offset, claimedLength);
        log.commit();
    }

    /** The log appended to. */
    public Log log()
    {
        return log;
    }
}
