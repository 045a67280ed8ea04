// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ManualIoEventLoop;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.FloatBuffer;

/** The server's side of Netty: one thread that reads, applies and answers. */
final class NettyService implements PeerService
{
    private final IdleStrategy idleStrategy = YieldingIdleStrategy.INSTANCE;
    private final ManualIoEventLoop eventLoop;
    private final Channel channel;

    NettyService(final NettyTransport transport, final PeerRows rows)
    {
        eventLoop = transport.newEventLoop();
        final ServerBootstrap bootstrap = new ServerBootstrap()
            .group(eventLoop)
            .channel(transport.serverChannel())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(NettyTransport.READ_BYTES))
            .childHandler(new ChannelInitializer<>()
            {
                @Override
                protected void initChannel(final Channel child)
                {
                    child.pipeline().addLast(new Requests(rows));
                }
            });
        channel = NettyLink.await(
            eventLoop, bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @Override
    public int port()
    {
        return ((InetSocketAddress)channel.localAddress()).getPort();
    }

    @Override
    public void doWork(final boolean isBusy)
    {
        if (isBusy)
        {
            idleStrategy.idle(eventLoop.runNow());
        }
        else
        {
            eventLoop.run(MAX_WAIT_NS);
        }
    }

    @Override
    public void close()
    {
        NettyTransport.stop(eventLoop, idleStrategy);
    }

    /** Takes the requests of one client. */
    private static final class Requests extends NettyMessages
    {
        private final PeerRows rows;

        Requests(final PeerRows rows)
        {
            super(PeerMeasure.PUSH);
            this.rows = rows;
        }

        @Override
        void onRow(final PeerMessage message, final int index, final FloatBuffer values)
        {
            rows.apply(message.firstRow() + index, values);
        }

        @Override
        void onEnd(final ChannelHandlerContext context, final PeerMessage message)
        {
            final ChannelFuture written = context.write(encode(message, PeerMeasure.PULL == message.measure(),
                (to) -> rows.read(message.firstRow(), message.rows(), to)));
            if (written.isDone() && !written.isSuccess())
            {
                throw new IllegalStateException("cannot answer: " + written.cause(), written.cause());
            }
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            // the client sees that its connection is gone, and says so
            System.err.println("peer: " + cause);
            final ChannelFuture unused = context.close();
        }
    }
}
