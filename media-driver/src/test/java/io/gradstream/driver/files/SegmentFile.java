// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The last segment of a recording, made frame by frame in memory as Archive writes it, and damaged a bit at a time.
 * <p>
 * Its messages say their own checksum and length in their first eight bytes.
 */
final class SegmentFile implements AutoCloseable
{
    static final int TERM_LENGTH = 256 * 1024;
    static final int SEGMENT_LENGTH = 4 * TERM_LENGTH;
    static final int MTU_LENGTH = 65504;
    static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    /** Of the segment; the recording has others before. */
    static final long BASE_POSITION = 3L * SEGMENT_LENGTH;

    private static final int STREAM_ID = 1003;
    private static final int INITIAL_TERM_ID = 7;
    private static final Checksum CHECKSUM = Checksums.crc32c();

    /** Where each frame begins. */
    final List<Integer> frames = new ArrayList<>();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(SEGMENT_LENGTH);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final DataHeaderFlyweight header = new DataHeaderFlyweight();
    private final RecordingDescriptorDecoder recording = new RecordingDescriptorDecoder();
    private final Random random = new Random(5);
    private final FileChannel channel;
    private int end;
    private int recordsEnd;

    SegmentFile(final Path file) throws IOException
    {
        channel = FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.write(ByteBuffer.allocate(1), SEGMENT_LENGTH - 1L);
        final UnsafeBuffer entry = new UnsafeBuffer(new byte[256]);
        new RecordingDescriptorEncoder().wrap(entry, 0)
            .recordingId(0).startPosition(0).stopPosition(AeronArchive.NULL_POSITION)
            .initialTermId(INITIAL_TERM_ID).segmentFileLength(SEGMENT_LENGTH).termBufferLength(TERM_LENGTH)
            .mtuLength(MTU_LENGTH).streamId(STREAM_ID);
        recording.wrap(
            entry, 0, RecordingDescriptorDecoder.BLOCK_LENGTH, RecordingDescriptorDecoder.SCHEMA_VERSION);
    }

    /** Says whether a message made by {@link #append} is whole. */
    static int wholeLength(final DirectBuffer buffer, final int offset, final int available)
    {
        final int length = available < 2 * Integer.BYTES ? 0 : buffer.getInt(offset + Integer.BYTES);
        final boolean isWhole = length > 2 * Integer.BYTES && length <= available &&
            buffer.getInt(offset) == CHECKSUM.compute(
                buffer.addressOffset(), offset + Integer.BYTES, length - Integer.BYTES);

        return isWhole ? length : 0;
    }

    /** Where the last message ends; behind it there may be padding. */
    int recordsEnd()
    {
        return recordsEnd;
    }

    int end()
    {
        return end;
    }

    /** A message of which so many bytes at its end are zero, and padding before it if it does not fit the term. */
    void append(final int length, final int zeroes) throws IOException
    {
        append(length, zeroes, random.nextInt(255) + 1);
    }

    /** As {@link #append(int, int)}, with a given byte before the zeroes. */
    void append(final int length, final int zeroes, final int last) throws IOException
    {
        final int aligned = BitUtil.align(HEADER_LENGTH + length, FrameDescriptor.FRAME_ALIGNMENT);
        if (aligned > TERM_LENGTH - (end & (TERM_LENGTH - 1)))
        {
            padToTermEnd();
        }
        final int body = frame(HEADER_LENGTH + length, DataHeaderFlyweight.HDR_TYPE_DATA);
        for (int i = 2 * Integer.BYTES; i < length - zeroes; i++)
        {
            buffer.putByte(body + i, (byte)(1 + random.nextInt(255)));
        }
        buffer.putByte(body + length - zeroes - 1, (byte)last);
        buffer.putInt(body + Integer.BYTES, length);
        buffer.putInt(body, CHECKSUM.compute(buffer.addressOffset(), body + Integer.BYTES, length - Integer.BYTES));
        header.sessionId(CHECKSUM.compute(buffer.addressOffset(), body, aligned - HEADER_LENGTH));
        write(end, aligned);
        end += aligned;
        recordsEnd = end;
    }

    void padToTermEnd() throws IOException
    {
        final int length = TERM_LENGTH - (end & (TERM_LENGTH - 1));
        frame(length, DataHeaderFlyweight.HDR_TYPE_PAD);
        header.sessionId(random.nextInt());
        write(end, HEADER_LENGTH);
        end += length;
    }

    private int frame(final int length, final int type)
    {
        frames.add(end);
        header.wrap(buffer, end, HEADER_LENGTH);
        header.frameLength(length).version((short)0).flags((short)0xC0).headerType(type);
        header.termOffset(end & (TERM_LENGTH - 1)).streamId(STREAM_ID)
            .termId(INITIAL_TERM_ID + (int)((BASE_POSITION + end) / TERM_LENGTH));

        return end + HEADER_LENGTH;
    }

    boolean isPadding(final int frame)
    {
        return DataHeaderFlyweight.HDR_TYPE_PAD ==
            buffer.getShort(frame + DataHeaderFlyweight.TYPE_FIELD_OFFSET);
    }

    void flip(final int offset, final int bit) throws IOException
    {
        buffer.putByte(offset, (byte)(buffer.getByte(offset) ^ 1 << bit));
        write(offset, 1);
    }

    void blank(final int from, final int to) throws IOException
    {
        buffer.setMemory(from, to - from, (byte)0);
        write(from, to - from);
    }

    SegmentTailScan.Findings read(final SegmentTailScan tailScan) throws IOException
    {
        return tailScan.read(channel, BASE_POSITION, recording);
    }

    private void write(final int offset, final int length) throws IOException
    {
        channel.write(bytes.limit(offset + length).position(offset), offset);
        bytes.clear();
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
