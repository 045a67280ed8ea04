// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.measure.InterruptedRunException;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ManualIoEventLoop;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.net.InetAddress;
import java.nio.FloatBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/** The client's side of Netty, on the thread that starts the transfers. */
final class NettyLink extends PeerLink
{
    /** Number of queued bytes at which they are sent at the latest. */
    private static final int FLUSH_BYTES = 64 * 1024;

    private final ManualIoEventLoop eventLoop;
    private final boolean maySpin;
    private int queuedBytes;
    private Channel channel;

    private NettyLink(final ManualIoEventLoop eventLoop, final DriverProfile profile)
    {
        this.eventLoop = eventLoop;
        maySpin = DriverProfile.LATENCY == profile;
    }

    /**
     * Connect to the loopback address.
     *
     * @throws IllegalStateException if no process listens there.
     */
    static NettyLink connect(final NettyTransport transport, final int port, final DriverProfile profile)
    {
        final ManualIoEventLoop eventLoop = transport.newEventLoop();
        final NettyLink link = new NettyLink(eventLoop, profile);
        try
        {
            link.channel = await(eventLoop, new Bootstrap()
                .group(eventLoop)
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(NettyTransport.READ_BYTES))
                .handler(link.new Answers())
                .connect(InetAddress.getLoopbackAddress(), port));
            return link;
        }
        catch (final RuntimeException ex)
        {
            link.close();
            throw ex;
        }
    }

    /** Run an event loop until a channel is open. */
    static Channel await(final ManualIoEventLoop eventLoop, final ChannelFuture future)
    {
        final long beginNs = System.nanoTime();
        while (!future.isDone())
        {
            if (Thread.interrupted())
            {
                throw new InterruptedRunException();
            }
            if (System.nanoTime() - beginNs > TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS))
            {
                throw new IllegalStateException("no TCP connection of 127.0.0.1 within " + CONNECT_TIMEOUT_MS + " ms");
            }
            eventLoop.run(MAX_WAIT_NS);
        }
        if (!future.isSuccess())
        {
            throw new IllegalStateException("no TCP connection of 127.0.0.1: " + future.cause(), future.cause());
        }

        return future.channel();
    }

    @Override
    void send(final PeerMessage message, final float[] values)
    {
        final ByteBuf bytes =
            NettyMessages.encode(message, PeerMeasure.PUSH == message.measure(), (to) -> to.put(values));
        queuedBytes += bytes.readableBytes();
        final ChannelFuture written = channel.write(bytes);
        if (written.isDone() && !written.isSuccess())
        {
            onFailure(written.cause());
        }
    }

    @Override
    int doPoll(final boolean mayWait)
    {
        if (!mayWait && queuedBytes < FLUSH_BYTES)
        {
            // there may be more to send at once
            return 0;
        }
        if (queuedBytes > 0)
        {
            queuedBytes = 0;
            channel.flush();
        }

        return mayWait && !maySpin ? eventLoop.run(MAX_WAIT_NS) : eventLoop.runNow();
    }

    @Override
    public void close()
    {
        NettyTransport.stop(eventLoop, YieldingIdleStrategy.INSTANCE);
    }

    /** Takes the answers of the server. */
    private final class Answers extends NettyMessages
    {
        Answers()
        {
            super(PeerMeasure.PULL);
        }

        @Override
        void onRow(final PeerMessage message, final int index, final FloatBuffer values)
        {
            values.get(nextTarget(), index * PeerRows.DIM, PeerRows.DIM);
        }

        @Override
        void onEnd(final ChannelHandlerContext context, final PeerMessage message)
        {
            onAnswer();
        }

        @Override
        public void channelInactive(final ChannelHandlerContext context)
        {
            onFailure(new ClosedChannelException());
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            onFailure(cause);
        }
    }
}
