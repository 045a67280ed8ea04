// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.netty.channel.Channel;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import org.agrona.concurrent.IdleStrategy;

import java.util.concurrent.TimeUnit;

/** How Netty talks to the system: through the JDK, or through its own native half. */
enum NettyTransport
{
    NIO(NioSocketChannel.class, NioServerSocketChannel.class),
    EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class);

    /** Bytes read at once: Netty's own choice ends at 64 KiB, of which a MiB needs sixteen. */
    static final int READ_BYTES = 256 * 1024;

    /** Longest wait at the end for queued messages. */
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Class<? extends Channel> channel;
    private final Class<? extends ServerChannel> serverChannel;

    NettyTransport(final Class<? extends Channel> channel, final Class<? extends ServerChannel> serverChannel)
    {
        this.channel = channel;
        this.serverChannel = serverChannel;
    }

    /** Why epoll cannot be used here, or empty. */
    static String whyNoEpoll()
    {
        return Epoll.isAvailable() ? "" : "epoll: " + Epoll.unavailabilityCause();
    }

    /** An event loop that runs when this thread calls it, so that no message is handed from thread to thread. */
    ManualIoEventLoop newEventLoop()
    {
        return new ManualIoEventLoop(
            Thread.currentThread(), this == NIO ? NioIoHandler.newFactory() : EpollIoHandler.newFactory());
    }

    Class<? extends Channel> channel()
    {
        return channel;
    }

    Class<? extends ServerChannel> serverChannel()
    {
        return serverChannel;
    }

    /** Close all channels of an event loop. */
    static void stop(final ManualIoEventLoop eventLoop, final IdleStrategy idleStrategy)
    {
        final long beginNs = System.nanoTime();
        final Future<?> stopped = eventLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!stopped.isDone() && System.nanoTime() - beginNs < STOP_TIMEOUT_NS)
        {
            idleStrategy.idle(eventLoop.runNow());
        }
    }
}
