// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/**
 * Idles as another strategy does, and now and then polls clients. Without the polls, servers would give up a client
 * that waits for its turn, and the client would give up its servers.
 */
final class KeepAliveIdleStrategy implements IdleStrategy
{
    /** Time between two polls. A server gives up a silent worker after 10 s, a worker a silent server after 1 s. */
    static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final IdleStrategy idleStrategy;
    private final NanoClock clock;
    private final Runnable clients;
    private long polledNs;

    /** Around another strategy; polls the clients on the thread that idles. */
    KeepAliveIdleStrategy(final IdleStrategy idleStrategy, final NanoClock clock, final Runnable clients)
    {
        this.idleStrategy = idleStrategy;
        this.clock = clock;
        this.clients = clients;
        polledNs = clock.nanoTime();
    }

    @Override
    public void idle(final int workCount)
    {
        pollIfDue();
        idleStrategy.idle(workCount);
    }

    @Override
    public void idle()
    {
        pollIfDue();
        idleStrategy.idle();
    }

    @Override
    public void reset()
    {
        idleStrategy.reset();
    }

    private void pollIfDue()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - polledNs >= INTERVAL_NS)
        {
            polledNs = nowNs;
            clients.run();
        }
    }
}
