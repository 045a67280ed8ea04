// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/**
 * Sends lines to another process on a thread of its own, so that a process that does not read delays no other work. Of
 * lines that supersede each other only the newest waits.
 */
public final class LineSender
{
    /** Most lines that wait until the other process reads. */
    static final int MAX_LINES = 1024;

    private final OutputStream out;
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private boolean isClosing;
    private boolean isBroken;

    private LineSender(final OutputStream out)
    {
        this.out = out;
    }

    /** Start sending lines to a stream, which only {@link #close()} closes. */
    public static LineSender start(final String name, final OutputStream out)
    {
        final LineSender sender = new LineSender(out);
        final Thread thread = new Thread(sender::run, name);
        thread.setDaemon(true);
        thread.start();
        return sender;
    }

    /** Send a line after those that wait; false if {@link #MAX_LINES} wait. An ended process does not get it. */
    public synchronized boolean offer(final String line)
    {
        if (lines.size() >= MAX_LINES)
        {
            return false;
        }
        if (!isBroken)
        {
            lines.add(line);
            notifyAll();
        }

        return true;
    }

    /** Close the stream once everything is sent. */
    synchronized void close()
    {
        isClosing = true;
        notifyAll();
    }

    private void run()
    {
        try (OutputStream closedAtTheEnd = out)
        {
            String text = take();
            while (null != text)
            {
                closedAtTheEnd.write(text.getBytes(StandardCharsets.UTF_8));
                closedAtTheEnd.flush();
                text = take();
            }
        }
        catch (final IOException | InterruptedException ignore)
        {
            // the pipe is broken: the other process ended
        }
        finally
        {
            drop();
        }
    }

    private synchronized String take() throws InterruptedException
    {
        while (lines.isEmpty() && !isClosing)
        {
            wait();
        }
        if (lines.isEmpty())
        {
            return null;
        }

        final StringBuilder text = new StringBuilder();
        while (!lines.isEmpty())
        {
            text.append(lines.poll()).append('\n');
        }

        return text.toString();
    }

    private synchronized void drop()
    {
        isBroken = true;
        lines.clear();
    }
}
