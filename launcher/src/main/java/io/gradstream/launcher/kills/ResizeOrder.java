// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One change of the number of servers or workers.
 *
 * @param change of the number.
 * @param number of the server that is drained, or {@link KillOrder#NEXT} for the highest one.
 * @param when   it is due.
 */
public record ResizeOrder(Change change, int number, KillTime when)
{
    private static final Pattern DRAIN = Pattern.compile("(?:(?:server:)?(\\d{1,4})@)?([^@]*)");

    /** The changes of the servers and workers. */
    public enum Change
    {
        /** A server is started, and gets its share of the places. */
        ADD,
        /** All places of a server move to others, and it is stopped. */
        DRAIN,
        /** A server is drained and stopped, then started again, and gets its share of the places. */
        DRAIN_AND_RETURN,
        /** A worker is started, and takes part in the work. */
        ADD_WORKER
    }

    /**
     * Parse the time at which a server is added: {@code 5s} or {@code 40%}.
     *
     * @throws IllegalArgumentException if it is no time.
     */
    public static ResizeOrder parseAdd(final String text)
    {
        return new ResizeOrder(Change.ADD, KillOrder.NEXT, KillTime.parse(text));
    }

    /**
     * Parse the time at which a worker is added: {@code 5s} or {@code 40%}.
     *
     * @throws IllegalArgumentException if it is no time.
     */
    public static ResizeOrder parseAddWorker(final String text)
    {
        return new ResizeOrder(Change.ADD_WORKER, KillOrder.NEXT, KillTime.parse(text));
    }

    /**
     * Parse {@code 5s}, {@code 40%}, {@code 1@40%} or {@code server:1@40%}.
     *
     * @throws IllegalArgumentException if it is none of these.
     */
    public static ResizeOrder parseDrain(final String text)
    {
        final Matcher matcher = DRAIN.matcher(text.trim());
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("'" + text + "' must be a time, or a server's number, @ and a time:" +
                " 40%, 1@5s");
        }

        return new ResizeOrder(Change.DRAIN,
            null == matcher.group(1) ? KillOrder.NEXT : Integer.parseInt(matcher.group(1)),
            KillTime.parse(matcher.group(2)));
    }
}
