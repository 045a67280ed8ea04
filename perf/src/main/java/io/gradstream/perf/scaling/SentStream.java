// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.aeron.LogBuffers;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Follows one publication in its log buffer, frame by frame, without being one of its subscribers. */
final class SentStream implements AutoCloseable
{
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;

    private final LogBuffers buffers;
    private final UnsafeBuffer[] terms;
    private final int streamId;
    private long position;

    /** Takes each message of a stream. */
    interface Listener
    {
        /**
         * A message begins, or goes on.
         *
         * @param kind       of the message; null if it goes on.
         * @param frameBytes in the log, with header and alignment.
         * @param bytes      of the message in this frame.
         */
        void onFrame(String kind, int frameBytes, int bytes);
    }

    /**
     * From the beginning of the term on that is written now.
     *
     * @throws IllegalStateException if the driver has not prepared the log buffer yet.
     * @throws IOException           if the log buffer is no longer there.
     */
    SentStream(final Path logBuffer) throws IOException
    {
        if (0 == Files.size(logBuffer))
        {
            throw new IllegalStateException(logBuffer + " is not prepared yet");
        }
        buffers = new LogBuffers(logBuffer.toString());
        terms = buffers.duplicateTermBuffers();
        streamId = LogBufferDescriptor.defaultFrameHeader(buffers.metaDataBuffer())
            .getInt(DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN);
        final long end = end();
        position = end - (end & buffers.termLength() - 1);
        if (position < end && FrameDescriptor.frameLengthVolatile(term(), 0) <= 0)
        {
            // the log goes on where an earlier one ended, in the middle of this term
            position = end;
        }
    }

    int streamId()
    {
        return streamId;
    }

    /** Tell of all frames since the last call. */
    void read(final Listener listener)
    {
        final long end = end();
        while (position < end)
        {
            final UnsafeBuffer term = term();
            final int offset = (int)(position & buffers.termLength() - 1);
            final int length = FrameDescriptor.frameLengthVolatile(term, offset);
            if (length <= 0)
            {
                // not written yet, or zeroed already
                position = end - position > buffers.termLength() ? end : position;
                return;
            }
            final int aligned = BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
            if (!FrameDescriptor.isPaddingFrame(term, offset))
            {
                final boolean isBegun = 0 !=
                    (FrameDescriptor.frameFlags(term, offset) & FrameDescriptor.BEGIN_FRAG_FLAG);
                final int bytes = length - HEADER_LENGTH;
                listener.onFrame(
                    isBegun ? MessageKind.of(term, offset + HEADER_LENGTH, bytes) : null, aligned, bytes);
            }
            position += aligned;
        }
    }

    @Override
    public void close()
    {
        buffers.close();
    }

    private UnsafeBuffer term()
    {
        return terms[LogBufferDescriptor.indexByTermCount(position / buffers.termLength())];
    }

    private long end()
    {
        final UnsafeBuffer metaData = buffers.metaDataBuffer();
        final int index = LogBufferDescriptor.indexByTermCount(LogBufferDescriptor.activeTermCount(metaData));
        final long tail = LogBufferDescriptor.rawTailVolatile(metaData, index);

        return LogBufferDescriptor.computePosition(
            LogBufferDescriptor.termId(tail), LogBufferDescriptor.termOffset(tail, buffers.termLength()),
            LogBufferDescriptor.positionBitsToShift(buffers.termLength()),
            LogBufferDescriptor.initialTermId(metaData));
    }
}
