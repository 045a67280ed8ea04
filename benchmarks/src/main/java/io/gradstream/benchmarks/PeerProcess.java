// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import io.gradstream.launcher.process.ChildProcess;
import io.gradstream.launcher.process.JvmCommand;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.measure.InterruptedRunException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The process of a {@link PeerServer}, as its parent sees it.
 */
final class PeerProcess implements AutoCloseable
{
    private static final String MAX_HEAP = "256m";
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ChildProcess process;
    private StatusLine lastLine;
    private int port;

    private PeerProcess(final ChildProcess process)
    {
        this.process = process;
    }

    /**
     * Start the process and wait until it listens.
     *
     * @throws IllegalStateException if it does not listen in time.
     */
    static PeerProcess start(final Peer peer, final DriverProfile profile) throws IOException
    {
        final PeerProcess started = new PeerProcess(ChildProcess.start(peer.title(), JvmCommand.of(
            MAX_HEAP, Path.of(""), PeerServer.class.getName(),
            List.of(peer.name(), profile.name().toLowerCase(Locale.ROOT)))));
        try
        {
            started.port = (int)started.await(StatusLine.READY).number(PeerServer.PORT);
            return started;
        }
        catch (final RuntimeException ex)
        {
            started.close();
            throw ex;
        }
    }

    int port()
    {
        return port;
    }

    /** Milliseconds that the compiler of the process was at work until now. */
    long compiledMs()
    {
        process.send(PeerServer.COMPILED);
        return await(StatusLine.PROGRESS).number(PeerServer.COMPILED_MS);
    }

    /** Tell the process whether it is measured from now on: if so, in profile latency, it never sleeps. */
    void busy(final boolean isBusy)
    {
        process.send(isBusy ? PeerServer.BUSY : PeerServer.REST);
    }

    @Override
    public void close()
    {
        process.close();
    }

    private StatusLine await(final String word)
    {
        final long beginNs = System.nanoTime();
        lastLine = null;
        while (null == lastLine || !lastLine.is(word))
        {
            if (Thread.interrupted())
            {
                throw new InterruptedRunException();
            }
            if (process.hasFailed() || System.nanoTime() - beginNs > ANSWER_TIMEOUT_NS)
            {
                throw new IllegalStateException("the " + process.name() + " process " + (process.isAlive() ?
                    "did not answer within " + TimeUnit.NANOSECONDS.toSeconds(ANSWER_TIMEOUT_NS) + " s" : "ended") +
                    ": see its messages above");
            }
            if (0 == process.poll((line) -> lastLine = StatusLine.parse(line)))
            {
                LockSupport.parkNanos(LOOK_INTERVAL_NS);
            }
        }

        return lastLine;
    }
}
