// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells a process when to stop: on SIGTERM and Ctrl-C, and when asked for, at the end of its standard input, which
 * comes when the parent ends in whatever way. Lines of the standard input are commands.
 * <p>
 * A process that has not ended {@link #STOP_TIMEOUT_MS} after it was told to stop is ended hard.
 */
public final class ParentLink implements AutoCloseable
{
    /** Longest time from the wish to stop until the process ends. */
    public static final long STOP_TIMEOUT_MS = 10_000;

    private static final int EXIT_FAILED = 1;

    private final Queue<String> commands = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean isStopped;
    private volatile boolean isOrphan;

    /** Listen for signals, and, if there is a parent, to it at the other end of standard input. */
    public static ParentLink open(final boolean isStoppedByEof)
    {
        final ParentLink link = new ParentLink();
        Runtime.getRuntime().addShutdownHook(new Thread(link::onShutdown, "stop"));
        if (isStoppedByEof)
        {
            final Thread reader = new Thread(() -> link.read(System.in), "parent");
            reader.setDaemon(true);
            reader.start();
        }

        return link;
    }

    /** True if the process should stop. */
    public boolean isStopped()
    {
        return isStopped;
    }

    /** True if standard input has ended, as it does when the parent ends. */
    public boolean isOrphan()
    {
        return isOrphan;
    }

    /** The next command line from the parent, or null if there is none. */
    public String pollCommand()
    {
        return commands.poll();
    }

    /** Declare that everything is stopped, so that the process may end. */
    @Override
    public void close()
    {
        closed.countDown();
    }

    private void onShutdown()
    {
        isStopped = true;
        awaitClosed();
    }

    private void read(final InputStream in)
    {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)))
        {
            String line = reader.readLine();
            while (null != line)
            {
                onLine(line.trim());
                line = reader.readLine();
            }
        }
        catch (final IOException ignore)
        {
            // a broken pipe says the same as its end
        }

        isOrphan = true;
        isStopped = true;
        if (!awaitClosed())
        {
            Runtime.getRuntime().halt(EXIT_FAILED);
        }
    }

    private void onLine(final String line)
    {
        commands.add(line);
    }

    private boolean awaitClosed()
    {
        try
        {
            return closed.await(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
