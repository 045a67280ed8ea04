// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import java.util.Locale;

/** Guesses how long a run still takes, by how fast it was so far. */
public final class RemainingTime
{
    private static final double MIN_SHARE = 0.01;
    private static final long MS_PER_S = 1000;
    private static final long S_PER_MINUTE = 60;
    private static final long MINUTES_PER_HOUR = 60;

    private RemainingTime()
    {
    }

    /**
     * The time for people.
     *
     * @param elapsedMs since training began.
     * @param share     done meanwhile, 0 to 1.
     * @return such as {@code ETA 1m 05s}; empty where nothing can be said, or nothing is left.
     */
    public static String text(final long elapsedMs, final double share)
    {
        if (!(share >= MIN_SHARE && share < 1))
        {
            return "";
        }
        final long seconds = (long)Math.ceil(elapsedMs * (1 - share) / share / MS_PER_S);
        final long minutes = seconds / S_PER_MINUTE;
        if (0 == minutes)
        {
            return "ETA " + seconds + "s";
        }
        return minutes < MINUTES_PER_HOUR ?
            String.format(Locale.ROOT, "ETA %dm %02ds", minutes, seconds % S_PER_MINUTE) :
            String.format(Locale.ROOT, "ETA %dh %02dm", minutes / MINUTES_PER_HOUR, minutes % MINUTES_PER_HOUR);
    }
}
