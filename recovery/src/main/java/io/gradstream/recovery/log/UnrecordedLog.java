// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.LogRecords;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * A log that nobody keeps, for modes that recover without one. Positions go on exactly as in a log that is kept,
 * padding at a term's end included, so that versions, watermarks and snapshots mean the same in every mode.
 * <p>
 * {@code recorded} means nothing here: {@link #recordedPosition()} is the log's end, so that nothing waits for it, and
 * must not be offered to workers as a level of acknowledgement. Since no trace of an epoch is left but in snapshots,
 * epochs must be granted from outside.
 */
public final class UnrecordedLog implements Log
{
    private final UnsafeBuffer buffer;
    private final int termLength;
    private long position;
    private long claimEndPosition;
    private boolean isClosed;

    /**
     * A log that ends at a position.
     *
     * @param position   where it ends, a multiple of {@link LogRecords#FRAME_ALIGNMENT}.
     * @param mtuLength  longest frame, of the job's log geometry.
     * @param termLength bytes of a term, of the job's log geometry; a power of two.
     */
    public UnrecordedLog(final long position, final int mtuLength, final int termLength)
    {
        Check.that(position >= 0 && 0 == (position & LogRecords.FRAME_ALIGNMENT - 1), "position", position,
            "a multiple of " + LogRecords.FRAME_ALIGNMENT);
        Check.that(1 == Integer.bitCount(termLength) && mtuLength <= termLength, "termLength", termLength,
            "a power of two, at least mtuLength=" + mtuLength);
        this.position = position;
        this.termLength = termLength;
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(mtuLength - LogRecords.FRAME_ALIGNMENT));
    }

    @Override
    public int maxRecordLength()
    {
        return buffer.capacity();
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public boolean tryClaim(final int length)
    {
        Check.range("length", length, 1, buffer.capacity());
        final int alignedLength = LogRecords.alignedLength(length);
        final int termOffset = (int)(position & termLength - 1);
        final long begin = termOffset + alignedLength > termLength ? position - termOffset + termLength : position;
        claimEndPosition = begin + alignedLength;

        return true;
    }

    @Override
    public boolean tryPadTo(final long newPosition)
    {
        if (newPosition < position || 0 != (newPosition & termLength - 1) || newPosition - position >= termLength)
        {
            throw new IllegalArgumentException(
                "invalid position=" + newPosition + ": must be where the term after position=" + position + " begins");
        }
        position = newPosition;

        return true;
    }

    @Override
    public long claimEndPosition()
    {
        return claimEndPosition;
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public void commit()
    {
        position = claimEndPosition;
    }

    @Override
    public long recordedPosition()
    {
        return position;
    }

    @Override
    public boolean isAlive()
    {
        return !isClosed;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
