// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.function.Consumer;

/** Takes messages apart as their bytes come in, row by row: none is put together as a whole first. */
abstract class NettyMessages extends ChannelInboundHandlerAdapter
{
    private final ByteBuffer header =
        ByteBuffer.allocateDirect(PeerMessage.HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer row = ByteBuffer.allocateDirect(PeerRows.ROW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final FloatBuffer floats = row.asFloatBuffer();
    private final PeerMeasure withValues;
    private PeerMessage message;
    private int rowsTaken;

    /**
     * Takes messages of a connection.
     *
     * @param withValues which of them have values: pushes at the server, pulls at the client.
     */
    NettyMessages(final PeerMeasure withValues)
    {
        this.withValues = withValues;
    }

    /** One row of a message has come; there may be more. */
    abstract void onRow(PeerMessage message, int index, FloatBuffer values);

    /** All of a message has come. */
    abstract void onEnd(ChannelHandlerContext context, PeerMessage message);

    /** Make a message, followed by values if there are any to write. */
    static ByteBuf encode(final PeerMessage message, final boolean hasValues, final Consumer<FloatBuffer> values)
    {
        final int length = PeerMessage.HEADER_LENGTH + (hasValues ? message.valueBytes() : 0);
        final ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        final ByteBuffer buffer = bytes.internalNioBuffer(0, length).order(ByteOrder.LITTLE_ENDIAN);
        message.encode(buffer);
        if (hasValues)
        {
            values.accept(buffer.asFloatBuffer());
        }

        return bytes.writerIndex(length);
    }

    @Override
    public final void channelRead(final ChannelHandlerContext context, final Object received)
    {
        final ByteBuf in = (ByteBuf)received;
        try
        {
            while (in.isReadable())
            {
                onBytes(context, in);
            }
        }
        finally
        {
            in.release();
        }
    }

    @Override
    public final void channelReadComplete(final ChannelHandlerContext context)
    {
        context.flush();
    }

    private void onBytes(final ChannelHandlerContext context, final ByteBuf in)
    {
        if (null == message)
        {
            if (isFilled(header, in))
            {
                message = PeerMessage.decode(header.flip());
                header.clear();
                rowsTaken = 0;
                endIfComplete(context);
            }
        }
        else if (isFilled(row, in))
        {
            row.clear();
            onRow(message, rowsTaken++, floats.clear());
            endIfComplete(context);
        }
    }

    private void endIfComplete(final ChannelHandlerContext context)
    {
        if (message.measure() != withValues || rowsTaken == message.rows())
        {
            final PeerMessage complete = message;
            message = null;
            onEnd(context, complete);
        }
    }

    private static boolean isFilled(final ByteBuffer target, final ByteBuf in)
    {
        final int end = target.limit();
        target.limit(target.position() + Math.min(in.readableBytes(), target.remaining()));
        in.readBytes(target);
        target.limit(end);

        return !target.hasRemaining();
    }
}
