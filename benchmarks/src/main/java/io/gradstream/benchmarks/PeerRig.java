// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import org.agrona.CloseHelper;

import java.io.IOException;

/** A running peer: its process, and this process's connection to it. */
final class PeerRig implements AutoCloseable
{
    private final Peer peer;
    /** Null if the peer is not in Java. */
    private final PeerProcess process;
    private final RedisProcess redis;
    private final PeerLink link;

    private PeerRig(final Peer peer, final PeerProcess process, final RedisProcess redis, final PeerLink link)
    {
        this.peer = peer;
        this.process = process;
        this.redis = redis;
        this.link = link;
    }

    /**
     * Start the process and connect.
     *
     * @throws IllegalStateException if the process does not run in time.
     */
    static PeerRig start(final Peer peer, final DriverProfile profile) throws IOException
    {
        final boolean isRedis = Peer.REDIS == peer;
        final RedisProcess redis = isRedis ? RedisProcess.start() : null;
        final PeerProcess process = isRedis ? null : PeerProcess.start(peer, profile);
        try
        {
            return new PeerRig(peer, process, redis,
                peer.connect(isRedis ? redis.port() : process.port(), profile));
        }
        catch (final IOException | RuntimeException ex)
        {
            CloseHelper.closeAll(process, redis);
            throw ex;
        }
    }

    Peer peer()
    {
        return peer;
    }

    PeerLink link()
    {
        return link;
    }

    /** Milliseconds that the compilers of both processes were at work until now. */
    long compiledMs()
    {
        return PeerServer.compiledMs() + (null == process ? 0 : process.compiledMs());
    }

    /** Tell the peer, if it is in Java, whether it is measured from now on. */
    void busy(final boolean isBusy)
    {
        if (null != process)
        {
            process.busy(isBusy);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(link, process, redis);
    }
}
