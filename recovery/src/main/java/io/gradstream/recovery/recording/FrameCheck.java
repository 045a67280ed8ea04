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
package io.gradstream.recovery.recording;

import io.aeron.archive.checksum.Checksums;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.archive.client.LogGeometry;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Judges whether the frame of a stream that should stand at a position does stand there: its header names the place,
 * and the checksum that Archive wrote into the session id is that of its body.
 * <p>
 * Of a padding frame Archive writes the header alone, without a checksum.
 */
final class FrameCheck
{
    static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    /** What is wrong with a place where nothing was ever written. */
    static final String BLANK = "nothing is written there";

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final LogGeometry geometry;
    private final int positionBits;
    private final int streamId;
    /** Not ours: its messages may be fragmented, and it may hold padding anywhere. */
    private final boolean isForeign;

    FrameCheck(final RecordingEntry entry)
    {
        geometry = entry.geometry();
        streamId = entry.streamId();
        isForeign = RecordingEntry.Kind.OTHER == entry.kind();
        positionBits = LogBufferDescriptor.positionBitsToShift(geometry.termLength());
    }

    /**
     * What is wrong with the frame at a position?
     *
     * @return null if it is sound, else one line.
     */
    String problem(final UnsafeBuffer term, final long position)
    {
        final int offset = offset(position);
        final int length = length(term, offset);
        if (0 == length)
        {
            return BLANK;
        }
        if (!isOf(term, position))
        {
            return "its frame header is of another place";
        }
        if (length < HEADER_LENGTH || alignedLength(term, offset) > geometry.termLength() - offset)
        {
            return "frame length=" + length;
        }
        if (isPadding(term, offset))
        {
            // No claim is ever aborted in a log, so what pads fills up its term.
            return isForeign || alignedLength(term, offset) == geometry.termLength() - offset ?
                null : "padding in the middle of a term";
        }
        if (length > geometry.mtuLength() || !isForeign && FrameDescriptor.UNFRAGMENTED != flags(term, offset))
        {
            return "frame length=" + length + " flags=" + Integer.toHexString(flags(term, offset) & 0xFF);
        }

        return hasChecksum(term, offset) ? null : "frame checksum differs";
    }

    /**
     * Is it the part of a frame that was being written when its process was killed? Nothing is written behind it, and
     * it is not a whole frame under a damaged header: neither of another length, nor by what its record says of itself.
     */
    boolean isTorn(final UnsafeBuffer term, final long position, final long writtenEnd)
    {
        final int offset = offset(position);
        final int length = length(term, offset);
        final int longest = Math.min(geometry.mtuLength(), geometry.termLength() - offset);

        return isOf(term, position) && !isPadding(term, offset) && length >= HEADER_LENGTH && length <= longest &&
            position + alignedLength(term, offset) > writtenEnd && !hasChecksumOfSomeLength(term, offset, longest) &&
            0 == LogRecords.wholeLength(term, offset + HEADER_LENGTH, longest - HEADER_LENGTH);
    }

    /** Does a frame header stand here that names this very place? */
    boolean isOf(final UnsafeBuffer term, final long position)
    {
        final int offset = offset(position);
        final int type = type(term, offset);
        return term.getInt(offset + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, ORDER) == offset &&
            term.getInt(offset + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET, ORDER) == termId(position) &&
            term.getInt(offset + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, ORDER) == streamId &&
            term.getByte(offset + DataHeaderFlyweight.VERSION_FIELD_OFFSET) == DataHeaderFlyweight.CURRENT_VERSION &&
            (DataHeaderFlyweight.HDR_TYPE_DATA == type || DataHeaderFlyweight.HDR_TYPE_PAD == type);
    }

    boolean isPadding(final UnsafeBuffer term, final int offset)
    {
        return DataHeaderFlyweight.HDR_TYPE_PAD == type(term, offset);
    }

    int offset(final long position)
    {
        return (int)(position & (geometry.termLength() - 1));
    }

    static int length(final UnsafeBuffer term, final int offset)
    {
        return term.getInt(offset + DataHeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET, ORDER);
    }

    static long alignedLength(final UnsafeBuffer term, final int offset)
    {
        return BitUtil.align((long)length(term, offset), FrameDescriptor.FRAME_ALIGNMENT);
    }

    private int termId(final long position)
    {
        return LogBufferDescriptor.computeTermIdFromPosition(position, positionBits, geometry.initialTermId());
    }

    private static boolean hasChecksum(final UnsafeBuffer term, final int offset)
    {
        final int checksum = Checksums.crc32c().compute(
            term.addressOffset(), offset + HEADER_LENGTH, (int)alignedLength(term, offset) - HEADER_LENGTH);

        return checksum == term.getInt(offset + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, ORDER);
    }

    private static boolean hasChecksumOfSomeLength(final UnsafeBuffer term, final int offset, final int longest)
    {
        final int recorded = term.getInt(offset + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, ORDER);
        final ByteBuffer body = term.byteBuffer().duplicate();
        final CRC32C crc = new CRC32C();
        for (int at = HEADER_LENGTH; at + FrameDescriptor.FRAME_ALIGNMENT <= longest;
            at += FrameDescriptor.FRAME_ALIGNMENT)
        {
            body.limit(offset + at + FrameDescriptor.FRAME_ALIGNMENT).position(offset + at);
            crc.update(body);
            if ((int)crc.getValue() == recorded)
            {
                return true;
            }
        }

        return false;
    }

    private static byte flags(final UnsafeBuffer term, final int offset)
    {
        return term.getByte(offset + DataHeaderFlyweight.FLAGS_FIELD_OFFSET);
    }

    private static int type(final UnsafeBuffer term, final int offset)
    {
        return term.getShort(offset + DataHeaderFlyweight.TYPE_FIELD_OFFSET, ORDER) & 0xFFFF;
    }
}
