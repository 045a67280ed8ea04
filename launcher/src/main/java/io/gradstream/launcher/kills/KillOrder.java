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
 * @param server of {@link Target#SERVER}, or {@link #NEXT}.
 * @param when   it is due.
 */
public record KillOrder(Target target, int server, KillTime when)
{
    /** Servers take turns. */
    public static final int NEXT = -1;

    private static final Pattern TEXT = Pattern.compile("(server|primary|all|coordinator)(?::(\\d{1,4}))?@(.*)");

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
        COORDINATOR
    }

    /**
     * Parse {@code primary@40%}, {@code server@3s}, {@code server:1@500ms}, {@code all@40%} or {@code coordinator@3s}.
     *
     * @throws IllegalArgumentException if it is none of these.
     */
    public static KillOrder parse(final String text)
    {
        final Matcher matcher = TEXT.matcher(text.trim());
        final boolean isMatch = matcher.matches();
        if (!isMatch || null != matcher.group(2) && !"server".equals(matcher.group(1)))
        {
            throw new IllegalArgumentException("'" + text + "' must be server, server:N, primary, all or coordinator," +
                " then @ and a time: primary@40%, server:1@3s");
        }

        return new KillOrder(
            Target.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
            null == matcher.group(2) ? NEXT : Integer.parseInt(matcher.group(2)),
            KillTime.parse(matcher.group(3)));
    }
}
