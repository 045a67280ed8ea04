// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;

import java.io.IOException;

/** The systems that do the work of a push, with which Gradstream is compared. */
enum Peer
{
    GRPC("gRPC-Java bidi", "")
    {
        @Override
        PeerService serve(final PeerRows rows)
        {
            return new GrpcService(rows);
        }

        @Override
        PeerLink connect(final int port, final DriverProfile profile)
        {
            return new GrpcLink(port, profile);
        }
    },
    NETTY_NIO("Netty TCP, NIO", "")
    {
        @Override
        PeerService serve(final PeerRows rows)
        {
            return new NettyService(NettyTransport.NIO, rows);
        }

        @Override
        PeerLink connect(final int port, final DriverProfile profile)
        {
            return NettyLink.connect(NettyTransport.NIO, port, profile);
        }
    },
    NETTY_EPOLL("Netty TCP, epoll", "")
    {
        @Override
        String missing()
        {
            return NettyTransport.whyNoEpoll();
        }

        @Override
        PeerService serve(final PeerRows rows)
        {
            return new NettyService(NettyTransport.EPOLL, rows);
        }

        @Override
        PeerLink connect(final int port, final DriverProfile profile)
        {
            return NettyLink.connect(NettyTransport.EPOLL, port, profile);
        }
    },
    REDIS("Redis SET and GET, Jedis", "SET replaces: no arithmetic")
    {
        @Override
        String missing()
        {
            return null == RedisProcess.binary() ? "no redis-server on the PATH: install the package redis-server" : "";
        }

        @Override
        PeerService serve(final PeerRows rows)
        {
            throw new IllegalArgumentException("invalid peer=" + this + ": it is a program of its own");
        }

        @Override
        PeerLink connect(final int port, final DriverProfile profile)
        {
            return new RedisLink(port);
        }
    };

    private final String title;
    private final String note;

    Peer(final String title, final String note)
    {
        this.title = title;
        this.note = note;
    }

    /** The peer's name in the table. */
    String title()
    {
        return title;
    }

    /** A note on the peer's figures for the reader, or empty. */
    String note()
    {
        return note;
    }

    /** The reason why the peer cannot run here, or empty. */
    String missing()
    {
        return "";
    }

    /** Begin to serve on a free port of the loopback address. This thread drives the service. */
    abstract PeerService serve(PeerRows rows);

    /** Connect to a service on the loopback address. */
    abstract PeerLink connect(int port, DriverProfile profile) throws IOException;
}
