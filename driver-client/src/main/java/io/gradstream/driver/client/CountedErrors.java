// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import io.aeron.exceptions.AeronException;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Tells the operator of a process what went wrong in one part of it. It tells each kind of error at once, and from then
 * on at most once a minute, with how often it came meanwhile. Two errors are of one kind if they differ in numbers
 * only, such as ports, sessions and positions.
 * <p>
 * Errors that Aeron reports in sound runs too, when a peer leaves or coordinators elect a leader, are counted. They are
 * told only if they go on for longer than a minute. Any thread may report.
 */
public final class CountedErrors implements ErrorHandler
{
    /** Kinds told apart; all further ones count as one. */
    public static final int MAX_KINDS = 128;
    /** Characters of a message by which kinds are told apart. */
    static final int MAX_KIND_LENGTH = 256;
    /** A kind has one line in so long. */
    static final long LINE_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private static final String FURTHER = "errors of further kinds";
    private static final int MAX_CAUSES = 4;

    /** The errors that Aeron reports in sound runs: beginnings of its messages, without the category before them. */
    private static final Set<String> EXPECTED = Set.of(
        // a client of the Archive has left, or a replay was no longer wanted
        "controlSessionId=", "control response publication is not connected", "response publication is closed",
        "control request for unknown session", "no connection established for replayChannel",
        // coordinators elect a leader, or one catches up
        "leader heartbeat timeout", "inactive follower quorum", "log disconnected from leader",
        "potential new election in progress", "new leader detected", "unexpected image close",
        "no catchup progress", "failed to join catchup log", "failed to join live log",
        "log replication has not progressed", "replay already stopped", "quorum position went backwards",
        // a session's client has left meanwhile
        "failed to connect session response publication");

    private final String part;
    private final Function<Throwable, String> text;
    private final Consumer<String> lines;
    private final NanoClock nanoClock;
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    /** Of a part that tells errors in one line each, on standard error. */
    public CountedErrors(final String part)
    {
        this(part, Throwable::toString);
    }

    /**
     * Of a part that tells more when a kind comes up first.
     *
     * @param text of an error of a kind not seen before, without a line's end.
     */
    public CountedErrors(final String part, final Function<Throwable, String> text)
    {
        this(part, text, (line) -> System.err.println(line));
    }

    /**
     * Of a part that does not tell errors on standard error.
     *
     * @param part  begins each line.
     * @param text  of an error of a kind not seen before, without a line's end.
     * @param lines takes them.
     */
    public CountedErrors(final String part, final Function<Throwable, String> text, final Consumer<String> lines)
    {
        this(part, text, lines, System::nanoTime);
    }

    CountedErrors(
        final String part,
        final Function<Throwable, String> text,
        final Consumer<String> lines,
        final NanoClock nanoClock)
    {
        this.part = part;
        this.text = text;
        this.lines = lines;
        this.nanoClock = nanoClock;
    }

    @Override
    public void onError(final Throwable error)
    {
        final String line = count(error, nanoClock.nanoTime());
        if (null != line)
        {
            lines.accept(part + ": " + line);
        }
    }

    /** How often errors came, told or not. */
    public synchronized long total()
    {
        return kinds.values().stream().mapToLong((kind) -> kind.total).sum();
    }

    private synchronized String count(final Throwable error, final long nowNs)
    {
        final String name = kindOf(error);
        final boolean isFurther = kinds.size() >= MAX_KINDS && !kinds.containsKey(name);
        final Kind kind = kinds.computeIfAbsent(isFurther ? FURTHER : name, (ignore) -> new Kind(nowNs));
        final boolean isNew = 0 == kind.total;
        kind.total++;
        if (nowNs - kind.lastNs >= LINE_INTERVAL_NS)
        {
            kind.sinceNs = nowNs;
        }
        kind.lastNs = nowNs;
        final boolean isDue = isExpected(error) ? nowNs - Math.max(kind.sinceNs, kind.toldNs) >= LINE_INTERVAL_NS :
            isNew || nowNs - kind.toldNs >= LINE_INTERVAL_NS;
        if (!isDue)
        {
            return null;
        }

        final long untold = kind.total - kind.told - 1;
        kind.told = kind.total;
        kind.toldNs = nowNs;

        return isNew ? (isFurther ? FURTHER + ", such as " : "") + text.apply(error) :
            error + " (and " + untold + " more like it since " + (isExpected(error) ? "it began" : "it was told last") +
            ", " + kind.total + " in all)";
    }

    private static boolean isExpected(final Throwable error)
    {
        if (!(error instanceof final AeronException aeron))
        {
            return false;
        }
        final String message = String.valueOf(error.getMessage());
        final String prefix = aeron.category() + " - ";
        final String detail = message.startsWith(prefix) ? message.substring(prefix.length()) : message;

        return EXPECTED.stream().anyMatch(detail::startsWith);
    }

    static String kindOf(final Throwable error)
    {
        final StringBuilder kind = new StringBuilder();
        Throwable cause = error;
        for (int i = 0; i < MAX_CAUSES && null != cause; i++)
        {
            kind.append(cause.getClass().getName()).append(' ');
            appendWithoutNumbers(kind, String.valueOf(cause.getMessage()));
            cause = cause.getCause();
        }
        kind.setLength(Math.min(kind.length(), MAX_KIND_LENGTH));

        return kind.toString();
    }

    /** Words that hold a digit are numbers here: addresses, identities in hexadecimal, file names with a session. */
    private static void appendWithoutNumbers(final StringBuilder kind, final String message)
    {
        int i = 0;
        while (i < message.length() && kind.length() < MAX_KIND_LENGTH)
        {
            final int start = i;
            boolean hasDigit = false;
            while (i < message.length() && Character.isLetterOrDigit(message.charAt(i)))
            {
                hasDigit |= Character.isDigit(message.charAt(i));
                i++;
            }
            if (i == start)
            {
                kind.append(message.charAt(i++));
            }
            else
            {
                kind.append(hasDigit ? "#" : message.substring(start, i));
            }
        }
    }

    private static final class Kind
    {
        private long total;
        private long told;
        private long toldNs;
        private long sinceNs;
        private long lastNs;

        Kind(final long nowNs)
        {
            toldNs = nowNs;
            sinceNs = nowNs;
            lastNs = nowNs;
        }
    }
}
