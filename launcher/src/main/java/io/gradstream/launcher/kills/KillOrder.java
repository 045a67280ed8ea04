// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One kill that the user asked for, or one fault that {@link Chaos} has drawn.
 *
 * @param target  processes to kill.
 * @param number  of a {@link Target#SERVER} or {@link Target#WORKER}, or {@link #NEXT}.
 * @param when    it is due.
 * @param isDrawn true if it was drawn: then it need not meet a push in flight.
 * @param pauseMs time for which the processes stand still, instead of being killed; 0 if they are killed.
 */
public record KillOrder(Target target, int number, KillTime when, boolean isDrawn, long pauseMs)
{
    /** Servers, or workers, take turns. */
    public static final int NEXT = -1;

    private static final Pattern TEXT =
        Pattern.compile("(server|worker|primary|all|coordinator)(?::(\\d{1,4}))?@(.*)");

    /** A kill that the user asked for. */
    public KillOrder(final Target target, final int number, final KillTime when)
    {
        this(target, number, when, false, 0);
    }

    /** The processes that a kill ends. */
    public enum Target
    {
        /** One server. */
        SERVER,
        /** The server that is primary of the most partitions. */
        PRIMARY,
        /** All servers at once. */
        ALL,
        /** The leader of the coordinators. */
        COORDINATOR,
        /** One worker. */
        WORKER
    }

    /** True if the processes stand still for a while, and are not killed. */
    boolean isPause()
    {
        return pauseMs > 0;
    }

    /**
     * Parse {@code primary@40%}, {@code server@3s}, {@code server:1@500ms}, {@code all@40%}, {@code coordinator@3s},
     * {@code worker@40%} or {@code worker:1@3s}.
     *
     * @throws IllegalArgumentException if it is none of these.
     */
    public static KillOrder parse(final String text)
    {
        final Matcher matcher = TEXT.matcher(text.trim());
        final boolean isMatch = matcher.matches();
        if (!isMatch || null != matcher.group(2) && !matcher.group(1).matches("server|worker"))
        {
            throw new IllegalArgumentException("'" + text + "' must be server, server:N, primary, all, coordinator," +
                " worker or worker:N, then @ and a time: primary@40%, server:1@3s, worker@20%");
        }

        return new KillOrder(
            Target.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
            null == matcher.group(2) ? NEXT : Integer.parseInt(matcher.group(2)),
            KillTime.parse(matcher.group(3)));
    }
}
