// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.raw;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.gradstream.launcher.process.ChildProcess;
import io.gradstream.launcher.process.JvmCommand;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.measure.Await;
import io.gradstream.perf.measure.InterruptedRunException;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Raw Aeron between this process and an echo process: a publication each way, and nothing else. */
public final class RawRig implements AutoCloseable
{
    private static final String MAX_HEAP = "256m";
    private static final long START_TIMEOUT_MS = 60_000;
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final RawChannels channels;
    private final ChildProcess echo;
    private Subscription subscription;
    private ExclusivePublication publication;

    private RawRig(final RawChannels channels, final ChildProcess echo)
    {
        this.channels = channels;
        this.echo = echo;
    }

    public static RawRig start(final RawChannels channels, final Aeron aeron) throws IOException
    {
        final RawRig rig = new RawRig(channels, ChildProcess.start("raw echo",
            JvmCommand.of(MAX_HEAP, Path.of(""), RawEcho.class.getName(), channels.arguments())));
        try
        {
            rig.awaitReady();
            rig.connect(aeron);
            return rig;
        }
        catch (final RuntimeException ex)
        {
            rig.close();
            throw ex;
        }
    }

    public RawPingPong pingPong(final RawPingPong.Exchange exchange, final int transferBytes)
    {
        return new RawPingPong(publication, subscription, exchange, transferBytes);
    }

    public RawStreaming streaming(final int transferBytes, final IdleStrategy idleStrategy)
    {
        return new RawStreaming(publication, subscription, transferBytes, idleStrategy);
    }

    /** Process id of the other side. */
    public long echoPid()
    {
        return echo.pid();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(publication, subscription, echo);
    }

    private void awaitReady()
    {
        if (!echo.awaitLine(StatusLine.READY, START_TIMEOUT_MS))
        {
            InterruptedRunException.check();
            throw new IllegalStateException("the raw echo process " + (echo.isAlive() ? "was not ready within " +
                START_TIMEOUT_MS / 1_000 + " s" : "did not start") + ": see its messages above");
        }
    }

    private void connect(final Aeron aeron)
    {
        subscription = aeron.addSubscription(channels.back(), RawChannels.BACK_STREAM_ID);
        publication = aeron.addExclusivePublication(channels.there(), RawChannels.THERE_STREAM_ID);
        final IdleStrategy idleStrategy = channels.profile().newIdleStrategy();
        Await.until("the raw echo process" + (channels.isSharing() ? "" : " (are UDP ports of 127.0.0.1 filtered?)"),
            CONNECT_TIMEOUT_NS, () -> publication.isConnected() && subscription.isConnected(), idleStrategy::idle);
    }
}
