// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.List;

import io.gradstream.launcher.Audit;
import io.gradstream.worker.ClientContext;

/**
 * A slot held by a thread of this process, which knows to the last push what it has sent.
 */
final class ThreadLoad implements SlotLoad
{
    private static final long JOIN_MS = 10_000;

    private final int slot;
    private final ClientContext context;
    private final Thread thread;
    private volatile PushLoop loop;
    private volatile List<Audit.Sums> sent;
    private volatile RuntimeException failure;
    private volatile boolean isDraining;
    private volatile boolean isClosed;

    private ThreadLoad(final int slot, final ClientContext context)
    {
        this.slot = slot;
        this.context = context;
        thread = new Thread(this::run, "load-" + slot);
        thread.setDaemon(true);
    }

    /** Start pushing to a cluster. */
    static ThreadLoad start(final int slot, final FaultCluster cluster)
    {
        return start(slot, cluster.clientContext());
    }

    /** Start pushing to a job of a cluster. */
    static ThreadLoad start(final int slot, final ClientContext context)
    {
        final ThreadLoad load = new ThreadLoad(slot, context);
        load.thread.start();
        return load;
    }

    @Override
    public int slot()
    {
        return slot;
    }

    @Override
    public long outstanding()
    {
        final PushLoop now = loop;
        return null == now ? 0 : now.pushed() - now.acknowledged();
    }

    @Override
    public long acknowledged()
    {
        final PushLoop now = loop;
        return null == now ? 0 : now.acknowledged();
    }

    @Override
    public long pushed()
    {
        final PushLoop now = loop;
        return null == now ? 0 : now.pushed();
    }

    @Override
    public List<Life> lives()
    {
        return List.of(new Life(0, loop.pushed(), loop.acknowledged()));
    }

    @Override
    public List<Audit.Sums> sent()
    {
        return sent;
    }

    @Override
    public void check()
    {
        if (null != failure)
        {
            throw new AssertionError("slot " + slot + " cannot go on", failure);
        }
    }

    @Override
    public void slow(final boolean isWanted)
    {
        final PushLoop now = loop;
        if (null != now)
        {
            now.slow(isWanted);
        }
    }

    @Override
    public void drain()
    {
        isDraining = true;
    }

    @Override
    public boolean isDrained()
    {
        return null != sent;
    }

    @Override
    public void close()
    {
        isClosed = true;
        try
        {
            thread.join(JOIN_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        try (LoadClient client = new LoadClient(context, slot, 0))
        {
            loop = client.loop();
            while (!isClosed && !isDraining)
            {
                client.push();
            }
            if (!isClosed)
            {
                client.drain();
                sent = client.sent();
            }
            while (!isClosed)
            {
                client.poll();
            }
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
    }
}
