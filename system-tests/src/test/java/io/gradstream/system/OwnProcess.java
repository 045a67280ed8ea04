// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Signals to processes that the test has started, and what the kernel says became of them.
 */
final class OwnProcess
{
    private static final long SIGNAL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private OwnProcess()
    {
    }

    /** Stop it as a long scheduler or collector pause would, and wait until the kernel says so. */
    static void pause(final long pid)
    {
        isSignalled("STOP", pid);
        final long deadlineNs = System.nanoTime() + SIGNAL_TIMEOUT_NS;
        while (!isPaused(pid))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("pid=" + pid + " was not stopped by SIGSTOP: state=" + state(pid));
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /** Let it go on. One that is gone, or ends just now, is left alone. */
    static void goOn(final long pid)
    {
        if (!isSignalled("CONT", pid) && !isGone(pid))
        {
            throw new AssertionError("pid=" + pid + " was not woken by SIGCONT: state=" + state(pid));
        }
    }

    static boolean isPaused(final long pid)
    {
        return 'T' == state(pid);
    }

    /** Is there no such process any more, or only its exit code? */
    static boolean isGone(final long pid)
    {
        final char state = state(pid);
        return GONE == state || 'Z' == state || 'X' == state;
    }

    private static final char GONE = ' ';

    // A process may end between any look at it and the signal: only a look afterwards tells why one failed.
    private static boolean isSignalled(final String name, final long pid)
    {
        try
        {
            return 0 == new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
        }
        catch (final IOException ex)
        {
            throw new AssertionError("there is no kill command", ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", ex);
        }
    }

    /** State letter of proc(5); the name before it is in parentheses and may hold anything. */
    private static char state(final long pid)
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2);
        }
        catch (final IOException ex)
        {
            return GONE;
        }
    }
}
