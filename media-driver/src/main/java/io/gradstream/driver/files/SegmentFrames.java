// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Judges single frames of a segment. No checksum covers a frame's header: its fields are believed only as far as they
 * agree with the place, with the checksum of the body that the header holds, and with what the message says of itself.
 */
public final class SegmentFrames
{
    /** Bytes of a frame before its message. */
    public static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;

    /** Bits in reverse, as the checksum has them. */
    private static final int CRC32C_POLYNOMIAL = 0x82F63B78;
    private static final int PAGE_LENGTH = 4096;
    private static final int ALIGNMENT = FrameDescriptor.FRAME_ALIGNMENT;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final Checksum checksum = Checksums.crc32c();
    private final SegmentWindow window;
    private final RecordCheck recordCheck;
    private long basePosition;
    private StreamShape shape;

    public SegmentFrames(final SegmentWindow window, final RecordCheck recordCheck)
    {
        this.window = window;
        this.recordCheck = recordCheck;
    }

    /** From now on the window is on the segment that begins at a position of such a stream. */
    public void open(final long segmentPosition, final StreamShape streamShape)
    {
        basePosition = segmentPosition;
        shape = streamShape;
    }

    /** The problem of the frame at an offset, or null. */
    public String problem(final long offset) throws IOException
    {
        if (!isFrame(offset))
        {
            return "nothing is written there";
        }
        final String headerProblem = headerProblem(offset);

        return null == headerProblem ? bodyProblem(offset) : headerProblem;
    }

    /** True if a header with a length is at an offset. */
    boolean isFrame(final long offset) throws IOException
    {
        return window.load(offset, HEADER_LENGTH) && 0 != length(offset);
    }

    /** The problem of a frame's header, or null. */
    private String headerProblem(final long offset) throws IOException
    {
        window.load(offset, HEADER_LENGTH);
        final int length = length(offset);
        final int longest = isPadding(offset) ? termRest(offset) : Math.min(shape.mtuLength(), termRest(offset));

        return isOfPlace(offset) && length >= HEADER_LENGTH && length <= longest ? null :
            "wrong frame at offset=" + offset + " length=" + length + " (at most " + longest + ") type=" +
            type(offset) + " termId=" + field(offset, DataHeaderFlyweight.TERM_ID_FIELD_OFFSET) +
            " (expected " + termId(offset) + ") termOffset=" +
            field(offset, DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) + " (expected " + termOffset(offset) +
            ") streamId=" + field(offset, DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET) +
            " (expected " + shape.streamId() + ")";
    }

    /** The problem of the body of a frame whose header is right, or null. */
    private String bodyProblem(final long offset) throws IOException
    {
        final long end = end(offset);
        if (isPadding(offset))
        {
            // Archive records of padding the header alone
            return window.writtenEnd(offset + HEADER_LENGTH, end) == offset + HEADER_LENGTH ? null :
                "the frame at offset=" + offset + " says that it is padding, but something is written in it";
        }
        if (!window.load(offset, end - offset))
        {
            return "cut off within the frame at offset=" + offset + " length=" + (end - offset);
        }
        final int recorded = field(offset, DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET);
        final int computed = checksum.compute(
            window.buffer().addressOffset(), window.index(offset) + HEADER_LENGTH,
            (int)(end - offset) - HEADER_LENGTH);
        if (recorded != computed)
        {
            return "checksum failed at offset=" + offset + " length=" + (end - offset) + " recorded=" + recorded +
                " computed=" + computed;
        }
        final int said = messageLength(offset, end);

        return 0 == said || said == length(offset) - HEADER_LENGTH ? null :
            "wrong frame at offset=" + offset + " length=" + length(offset) + ": its message has length=" + said;
    }

    /** The offset where a frame whose header is right ends, and the next one begins. */
    public long end(final long offset) throws IOException
    {
        window.load(offset, HEADER_LENGTH);

        return offset + BitUtil.align(length(offset), ALIGNMENT);
    }

    public boolean isPadding(final long offset) throws IOException
    {
        window.load(offset, HEADER_LENGTH);

        return DataHeaderFlyweight.HDR_TYPE_PAD == type(offset);
    }

    public boolean isAtTermEnd(final long offset)
    {
        return 0 == termOffset(offset);
    }

    /** Length of the message in a frame whose header is right. */
    public int messageLength(final long offset)
    {
        return length(offset) - HEADER_LENGTH;
    }

    /** True if the message of a frame whose header is right is no part of a longer message. */
    public boolean isUnfragmented(final long offset)
    {
        return FrameDescriptor.UNFRAGMENTED ==
            window.buffer().getByte(window.index(offset) + DataHeaderFlyweight.FLAGS_FIELD_OFFSET);
    }

    /**
     * True if a frame, whose header is right and whose body is not, was being written when its process was killed.
     * <p>
     * A kill ends a write between two pages. So the segment is blank from a page within the frame on, and what is there
     * of the frame is not a whole frame.
     */
    public boolean isTorn(final long offset) throws IOException
    {
        if (!isFrame(offset) || null != headerProblem(offset))
        {
            return false;
        }
        final long end = end(offset);
        final long bodyOffset = offset + HEADER_LENGTH;
        final long writtenEnd = Math.max(bodyOffset, window.writtenEnd(offset, window.limit()));
        final long firstBlankPage = BitUtil.align(writtenEnd, PAGE_LENGTH);
        if (isPadding(offset) || end > window.limit() || firstBlankPage >= end)
        {
            return false;
        }
        // With its header a page's worth of the body was written. Nothing there: it may be padding with another type.
        if (writtenEnd == bodyOffset && (firstBlankPage != bodyOffset || isAtTermEnd(end)))
        {
            return false;
        }

        return !isWhole(offset) && !isOneBitOff(offset, firstBlankPage) && !hasSoundFrame(bodyOffset, writtenEnd);
    }

    /**
     * True if the frame of a header is whole although its length or its checksum is wrong. The checksum may be that of
     * another length, and the message may be whole by what it says of itself.
     */
    private boolean isWhole(final long offset) throws IOException
    {
        final long end = Math.min(window.limit(), offset + Math.min(shape.mtuLength(), termRest(offset)));
        window.load(offset, end - offset);

        return hasChecksumOfSomeLength(offset, end) || messageLength(offset, end) > 0;
    }

    /**
     * True if the body of a frame, whose header is right, is as it was recorded except for one bit before its first
     * blank page. From that page on a kill explains what is missing, be it one bit. The checksums of two texts differ
     * by that of their difference. The checksum of one bit is one division step more for each bit after it.
     */
    private boolean isOneBitOff(final long offset, final long firstBlankPage) throws IOException
    {
        final long end = end(offset);
        final int length = (int)(end - offset) - HEADER_LENGTH;
        if (!window.load(offset, HEADER_LENGTH + length))
        {
            return false;
        }
        final int difference = field(offset, DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET) ^
            checksum.compute(window.buffer().addressOffset(), window.index(offset) + HEADER_LENGTH, length);
        if (1 == Integer.bitCount(difference))
        {
            // the checksum itself
            return true;
        }
        final long blankBits = (end - firstBlankPage) * Byte.SIZE;
        int ofOneBit = CRC32C_POLYNOMIAL;
        for (long bit = 0; bit < (long)length * Byte.SIZE; bit++)
        {
            if (ofOneBit == difference)
            {
                return bit >= blankBits;
            }
            ofOneBit = (ofOneBit >>> 1) ^ (CRC32C_POLYNOMIAL & -(ofOneBit & 1));
        }

        return false;
    }

    /** True if a sound frame begins between two offsets. */
    private boolean hasSoundFrame(final long from, final long to) throws IOException
    {
        for (long offset = from; offset < to && window.load(offset, HEADER_LENGTH); offset += ALIGNMENT)
        {
            if (isOfPlace(offset) && !isPadding(offset) && null == headerProblem(offset) &&
                null == bodyProblem(offset))
            {
                return true;
            }
        }

        return false;
    }

    private boolean hasChecksumOfSomeLength(final long offset, final long end)
    {
        final int recorded = field(offset, DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET);
        final int index = window.index(offset);
        final ByteBuffer body = window.buffer().byteBuffer().duplicate();
        final CRC32C crc = new CRC32C();
        for (int at = index + HEADER_LENGTH; at + ALIGNMENT <= window.index(end); at += ALIGNMENT)
        {
            body.limit(at + ALIGNMENT).position(at);
            crc.update(body);
            if ((int)crc.getValue() == recorded)
            {
                return true;
            }
        }

        return false;
    }

    private int messageLength(final long offset, final long end)
    {
        return recordCheck.wholeLength(
            window.buffer(), window.index(offset) + HEADER_LENGTH, (int)(end - offset) - HEADER_LENGTH);
    }

    private boolean isOfPlace(final long offset)
    {
        final int type = type(offset);
        return field(offset, DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET) == termOffset(offset) &&
            field(offset, DataHeaderFlyweight.TERM_ID_FIELD_OFFSET) == termId(offset) &&
            field(offset, DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET) == shape.streamId() &&
            window.buffer().getByte(window.index(offset) + DataHeaderFlyweight.VERSION_FIELD_OFFSET) ==
                DataHeaderFlyweight.CURRENT_VERSION &&
            (DataHeaderFlyweight.HDR_TYPE_DATA == type || DataHeaderFlyweight.HDR_TYPE_PAD == type);
    }

    private int termOffset(final long offset)
    {
        return (int)(basePosition + offset & shape.termLength() - 1);
    }

    private int termRest(final long offset)
    {
        return shape.termLength() - termOffset(offset);
    }

    private int termId(final long offset)
    {
        return LogBufferDescriptor.computeTermIdFromPosition(
            basePosition + offset, LogBufferDescriptor.positionBitsToShift(shape.termLength()),
            shape.initialTermId());
    }

    private int length(final long offset)
    {
        return field(offset, DataHeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET);
    }

    private int type(final long offset)
    {
        return window.buffer().getShort(window.index(offset) + DataHeaderFlyweight.TYPE_FIELD_OFFSET, ORDER) & 0xFFFF;
    }

    private int field(final long offset, final int fieldOffset)
    {
        return window.buffer().getInt(window.index(offset) + fieldOffset, ORDER);
    }

    /**
     * The shape of a recorded stream, which each of its frames has to fit.
     *
     * @param mtuLength     longest frame.
     * @param termLength    bytes of a term.
     * @param initialTermId of the stream.
     * @param streamId      of the stream.
     */
    public record StreamShape(int mtuLength, int termLength, int initialTermId, int streamId)
    {
        static StreamShape of(final RecordingDescriptorDecoder recording)
        {
            return new StreamShape(
                recording.mtuLength(), recording.termBufferLength(), recording.initialTermId(), recording.streamId());
        }
    }
}
