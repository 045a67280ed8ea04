// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One kill that the user asked for.
 *
 * @param target processes to kill.
 * @param number of a {@link Target#SERVER} or {@link Target#WORKER}, or {@link #NEXT}.
 * @param when   it is due.
 */
public record KillOrder(Target target, int number, KillTime when)
{
    /** Servers, or workers, take turns. */
    public static final int NEXT = -1;

    private static final Pattern TEXT =
        Pattern.compile("(server|worker|primary|all|coordinator)(?::(\\d{1,4}))?@(.*)");

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
