// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import io.gradstream.codecs.LogRecords;
import org.agrona.DirectBuffer;

/** A place in a log: the last record's end, number, epoch and chain hash, by which the next record is checked. */
public final class LogCursor
{
    private long position;
    private long previousPosition;
    private long index;
    private long epoch;
    private long chainHash = LogRecords.EMPTY_CHAIN_HASH;

    /** Stand before the first record of an empty log. */
    public void reset()
    {
        set(0, 0, 0, LogRecords.EMPTY_CHAIN_HASH);
    }

    /** Stand after a given record. */
    public void set(final long position, final long index, final long epoch, final long chainHash)
    {
        this.previousPosition = position;
        this.position = position;
        this.index = index;
        this.epoch = epoch;
        this.chainHash = chainHash;
    }

    /**
     * Check a record, which must be off heap, by itself and against the last one.
     *
     * @return null if it is the next one, else one line that says what is wrong.
     */
    public String verify(final DirectBuffer buffer, final int offset, final int length)
    {
        final String problem = LogRecords.verifyAlone(buffer, offset, length);
        return null != problem ? problem : verifyNext(buffer, offset, length);
    }

    /**
     * Check a record that is sound by itself against the last one: epoch, number and chain hash.
     *
     * @return null if it is the next one, else one line that says what is wrong.
     */
    public String verifyNext(final DirectBuffer buffer, final int offset, final int length)
    {
        final long newEpoch = LogRecords.epoch(buffer, offset);
        return newEpoch < epoch ? "epoch=" + newEpoch + " after=" + epoch :
            LogRecords.verifyNext(buffer, offset, length, index + 1, chainHash);
    }

    /** Step over the next record, which is sealed and ends at a position. */
    public void advance(final long newPosition, final DirectBuffer buffer, final int offset)
    {
        final long newEpoch = LogRecords.epoch(buffer, offset);
        if (newPosition <= position || newEpoch < epoch)
        {
            throw new IllegalStateException("log went back: position=" + newPosition + " after=" + position +
                " epoch=" + newEpoch + " after=" + epoch);
        }
        final long endOfLast = position;
        set(newPosition, index + 1, newEpoch, LogRecords.chainHash(buffer, offset));
        previousPosition = endOfLast;
    }

    /** End of the record before the last one: where the last one's claim began, before any padding. */
    public long previousPosition()
    {
        return previousPosition;
    }

    /** End of the last record. */
    public long position()
    {
        return position;
    }

    /** Number of the last record, 0 for an empty log. */
    public long index()
    {
        return index;
    }

    /** Epoch of the last record, 0 for an empty log. */
    public long epoch()
    {
        return epoch;
    }

    /** Chain hash of the last record. */
    public long chainHash()
    {
        return chainHash;
    }
}
