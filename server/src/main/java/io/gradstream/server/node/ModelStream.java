// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.snapshot.SnapshotEndedDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.ModelFrameEncoder;
import io.gradstream.recovery.log.FrameSink;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Sends the frames of a model to the client that exports it, one at a time, and the last one only when it may. */
final class ModelStream implements FrameSink
{
    /** Longest frame: a row with its state fits one, and a response stream takes it with its header. */
    static final int MAX_FRAME_LENGTH = 65_472;

    private static final int FRAME_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH + ModelFrameEncoder.BLOCK_LENGTH +
        ModelFrameEncoder.frameHeaderLength();
    private static final int TEMPLATE_ID_OFFSET = 2;

    private final ResponseStream responses;
    private final UnsafeBuffer buffer =
        new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME_OFFSET + MAX_FRAME_LENGTH));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ModelFrameEncoder encoder = new ModelFrameEncoder();
    private int length;
    private boolean isWaiting;
    private boolean isEnd;

    ModelStream(final ResponseStream responses)
    {
        this.responses = responses;
    }

    /** Begin a model: set the fields that each frame carries. */
    void begin(final long epoch, final long requestId, final long clock, final int partition)
    {
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch)
            .requestId(requestId)
            .clock(clock)
            .partition(partition);
    }

    @Override
    public int maxFrameLength()
    {
        return MAX_FRAME_LENGTH;
    }

    @Override
    public boolean tryClaim(final int newLength)
    {
        if (isWaiting)
        {
            return false;
        }
        length = newLength;

        return true;
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int offset()
    {
        return FRAME_OFFSET;
    }

    @Override
    public void commit()
    {
        isWaiting = true;
        isEnd = SnapshotEndedDecoder.TEMPLATE_ID ==
            buffer.getShort(FRAME_OFFSET + TEMPLATE_ID_OFFSET, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(FRAME_OFFSET - ModelFrameEncoder.frameHeaderLength(), length, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Send the frame that waits.
     *
     * @param mayEnd true if the last frame may be sent.
     * @return true if a frame was sent.
     */
    boolean send(final boolean mayEnd)
    {
        final boolean isSent = isWaiting && (mayEnd || !isEnd) && responses.isConnected() &&
            responses.offer(buffer, 0, FRAME_OFFSET + length);
        isWaiting &= !isSent;

        return isSent;
    }

    /** Bytes of the frame that waits. */
    int length()
    {
        return length;
    }

    /** True if every frame that was handed over has been sent. */
    boolean isDrained()
    {
        return !isWaiting;
    }
}
