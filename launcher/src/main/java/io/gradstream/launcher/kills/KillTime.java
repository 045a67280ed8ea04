// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A moment of a training run: a time after training began, or a share of the planned batches.
 *
 * @param afterMs milliseconds after training began, or {@link #NOT_A_TIME} when it is a share.
 * @param share   of the planned batches, 0 to 1; ignored when it is a time.
 */
public record KillTime(long afterMs, double share)
{
    /** Value of afterMs for a share. */
    static final long NOT_A_TIME = -1;
    /** Longest time, one day. */
    static final long MAX_AFTER_MS = 24 * 3600 * 1000L;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(ms|s|m|%)");
    private static final String ALLOWED = "must be a time after training began (3s, 500ms, 1m; at most a day)" +
        " or a share of the planned batches (40%)";

    /**
     * Parse {@code 3s}, {@code 500ms}, {@code 1m} or {@code 40%}.
     *
     * @throws IllegalArgumentException if it is none of these.
     */
    public static KillTime parse(final String text)
    {
        final Matcher matcher = TEXT.matcher(text.trim());
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("'" + text + "' " + ALLOWED);
        }

        final double number = Double.parseDouble(matcher.group(1));
        final boolean isShare = "%".equals(matcher.group(2));
        final double ms = switch (matcher.group(2))
        {
            case "s" -> number * 1000;
            case "m" -> number * 60_000;
            default -> number;
        };
        if (isShare ? number > 100 : ms > MAX_AFTER_MS)
        {
            throw new IllegalArgumentException("'" + text + "' " + ALLOWED);
        }

        return isShare ? new KillTime(NOT_A_TIME, number / 100) : new KillTime(Math.round(ms), 0);
    }

    /** True if it is a time, not a share of the batches. */
    public boolean isTime()
    {
        return afterMs != NOT_A_TIME;
    }

    /**
     * True if the moment has come.
     *
     * @param sinceBeganMs since training began.
     * @param shareDone    batches done of those planned; 0 to 1.
     * @param isAllHeld    true if every worker holds back its last batches, so that no greater share will be done.
     */
    boolean isDue(final long sinceBeganMs, final double shareDone, final boolean isAllHeld)
    {
        return isTime() ? sinceBeganMs >= afterMs : isAllHeld || shareDone >= share;
    }
}
