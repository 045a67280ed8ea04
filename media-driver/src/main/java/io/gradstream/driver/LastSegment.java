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
package io.gradstream.driver;

import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * Reads the last segment of a recording of a killed process: where its frames end, whether they are right, and whether
 * the last one is torn, or something follows that the recording has given up.
 * <p>
 * Aeron's own tool reads chunks of 1 MiB, and before a chunk's begin or behind its end where the last frame ends at or
 * crosses a chunk's end: it crashes, or takes a sound recording away.
 */
final class LastSegment
{
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int PAGE_LENGTH = 4096;
    private static final int WINDOW_LENGTH = 1024 * 1024;

    private final Checksum checksum = Checksums.crc32c();
    private final ByteBuffer window =
        BufferUtil.allocateDirectAligned(WINDOW_LENGTH, Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final DataHeaderFlyweight frame = new DataHeaderFlyweight(window);
    private FileChannel channel;
    private long windowOffset;
    private long limit;
    private long offset;
    private int length;
    private String damage;

    /**
     * Read a segment, up to the recording's stop position if it has one.
     *
     * @param segment      file.
     * @param basePosition of the segment.
     * @param recording    that it belongs to.
     * @return what it holds.
     * @throws IOException if it cannot be read.
     */
    Findings read(final FileChannel segment, final long basePosition, final RecordingDescriptorDecoder recording)
        throws IOException
    {
        final int termLength = recording.termBufferLength();
        final long startTermOffset = recording.startPosition() & (termLength - 1);
        channel = segment;
        windowOffset = 0;
        window.limit(0);
        limit = Math.min(recording.segmentFileLength(), segment.size());
        offset = basePosition == recording.startPosition() - startTermOffset ? startTermOffset : 0;
        damage = null;
        final boolean isStopped = AeronArchive.NULL_POSITION != recording.stopPosition();
        final long endOffset = isStopped ? recording.stopPosition() - basePosition : limit;
        while (offset < endOffset && hasFrame(offset) && isHeaderRight(basePosition, recording))
        {
            // of a padding frame only the header is recorded
            if (FrameDescriptor.PADDING_FRAME_TYPE != frame.headerType() && !isBodyRight())
            {
                return !isStopped && isTorn() ?
                    new Findings(offset, length, false, null) : new Findings(offset, 0, false, damage);
            }
            offset += length;
        }
        if (isStopped && null == damage && offset != endOffset)
        {
            damage = "its frames end at offset=" + offset + " but it was stopped at offset=" + endOffset;
        }

        return new Findings(offset, 0, isStopped && null == damage && hasFrame(offset), damage);
    }

    private boolean hasFrame(final long atOffset) throws IOException
    {
        return load(atOffset, HEADER_LENGTH) && 0 != frameLength(atOffset);
    }

    private boolean isHeaderRight(final long basePosition, final RecordingDescriptorDecoder recording)
    {
        final int termLength = recording.termBufferLength();
        final long position = basePosition + offset;
        final int termOffset = (int)(position & (termLength - 1));
        final int termId = LogBufferDescriptor.computeTermIdFromPosition(
            position, LogBufferDescriptor.positionBitsToShift(termLength), recording.initialTermId());
        final int frameLength = frameLength(offset);
        length = BitUtil.align(frameLength, FrameDescriptor.FRAME_ALIGNMENT);
        final boolean isRight = frameLength >= HEADER_LENGTH && frameLength <= termLength - termOffset &&
            frame.termOffset() == termOffset && frame.termId() == termId && frame.streamId() == recording.streamId();
        damage = isRight ? null : "wrong frame at offset=" + offset + " length=" + frameLength + " termId=" +
            frame.termId() + " (expected " + termId + ") termOffset=" + frame.termOffset() + " (expected " +
            termOffset + ") streamId=" + frame.streamId() + " (expected " + recording.streamId() + ")";

        return isRight;
    }

    private boolean isBodyRight() throws IOException
    {
        if (!load(offset, length))
        {
            damage = "cut off within the frame at offset=" + offset + " length=" + length;
            return false;
        }
        final int index = (int)(offset - windowOffset);
        final int computed = checksum.compute(
            BufferUtil.address(window), index + HEADER_LENGTH, length - HEADER_LENGTH);
        final int recorded = frame.sessionId();
        damage = recorded == computed ? null : "checksum failed at offset=" + offset + " length=" + length +
            " recorded=" + recorded + " computed=" + computed;

        return null == damage;
    }

    // A kill ends a write between two pages: the end of a torn frame is blank, or missing, and no frame follows.
    private boolean isTorn() throws IOException
    {
        if (offset + length > limit)
        {
            return true;
        }
        if (length > WINDOW_LENGTH)
        {
            return false;
        }
        final long end = offset + length;
        final long lastPage = (end - 1) & -PAGE_LENGTH;

        return lastPage > offset && isBlank(lastPage, end) && !hasFrame(end);
    }

    private boolean isBlank(final long from, final long to)
    {
        for (long at = from; at < to; at += Long.BYTES)
        {
            if (0 != window.getLong((int)(at - windowOffset)))
            {
                return false;
            }
        }

        return true;
    }

    private int frameLength(final long atOffset)
    {
        frame.wrap(window, (int)(atOffset - windowOffset), HEADER_LENGTH);

        return frame.frameLength();
    }

    /** False if the segment ends before. */
    private boolean load(final long from, final int bytes) throws IOException
    {
        if (from + bytes > limit || bytes > WINDOW_LENGTH)
        {
            return false;
        }
        if (from < windowOffset || from + bytes > windowOffset + window.limit())
        {
            windowOffset = from;
            window.clear().limit((int)Math.min(WINDOW_LENGTH, limit - from));
            int read = 0;
            while (window.hasRemaining() && read >= 0)
            {
                read = channel.read(window, from + window.position());
            }
            window.flip();
            frame.wrap(window, 0, HEADER_LENGTH);
        }

        return from + bytes <= windowOffset + window.limit();
    }

    /**
     * What a segment holds.
     *
     * @param endOffset  behind its last whole frame.
     * @param tornLength bytes of a torn frame that begins there, or 0.
     * @param isStale    whether something follows that lies behind the stop position.
     * @param damage     what is wrong otherwise, or null.
     */
    record Findings(long endOffset, int tornLength, boolean isStale, String damage)
    {
    }
}
