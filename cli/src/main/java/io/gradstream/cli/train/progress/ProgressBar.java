// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import java.io.PrintStream;
import java.util.Locale;

/** Shows a run's progress on one line, rewritten again and again on a terminal, or else on a new line each second. */
public final class ProgressBar
{
    static final long TERMINAL_INTERVAL_MS = 100;
    public static final long LINE_INTERVAL_MS = 1000;

    private static final int WIDTH = 24;

    private final PrintStream out;
    private final boolean isTerminal;
    private long nextMs;
    private int lastLength;

    public ProgressBar(final PrintStream out, final boolean isTerminal)
    {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** True if it is time to show progress again. */
    public boolean isDue(final long nowMs)
    {
        return nowMs >= nextMs;
    }

    /**
     * Show progress.
     *
     * @param share done, 0 to 1.
     * @param rest  of the line.
     */
    public void show(final long nowMs, final double share, final String rest)
    {
        nextMs = nowMs + (isTerminal ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS);
        final int filled = (int)Math.round(WIDTH * share);
        final String line = String.format(Locale.ROOT, "[%s%s] %3.0f%% %s",
            "#".repeat(filled), ".".repeat(WIDTH - filled), 100 * share, rest);
        if (isTerminal)
        {
            out.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
            out.flush();
            lastLength = line.length();
        }
        else
        {
            out.println(line);
        }
    }

    /** Say something above the bar. */
    public void say(final String text)
    {
        end();
        out.println(text);
    }

    /** Leave the line. */
    public void end()
    {
        if (lastLength > 0)
        {
            out.println();
            lastLength = 0;
        }
    }
}
