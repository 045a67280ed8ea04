// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * Something that happened once, shown as a mark on the axis of time.
 *
 * @param timeMs when, ms since 1970 UTC.
 * @param kind   of event.
 * @param text   for readers, as {@code "kill -9 of server 1"}.
 */
public record Mark(long timeMs, Kind kind, String text)
{
    /** The kinds of events. Their names in lower case are labels of {@code gradstream_events_total}. */
    public enum Kind
    {
        /** Training began. */
        BEGIN,
        /** A process was killed, or stands still. */
        KILL,
        /** A killed process was started again, or one that stood still goes on. */
        RESTART,
        /** A server is added or drained, or this is over. */
        MOVE,
        /** All partitions that a kill took away are served again. */
        SERVICE_BACK,
        /** Another server leads a partition. */
        FAILOVER,
        /** Another coordinator leads. */
        ELECTION,
        /** A server is no longer heard. */
        SILENT,
        /** A server that was silent is heard again. */
        HEARD,
        /** Training ended before its time. */
        STOPPED_EARLY,
        /** Training ended. */
        END
    }

    static Mark of(final ProgressEvent event)
    {
        return new Mark(event.timeMs(), switch (event.kind())
        {
            case BEGIN -> Kind.BEGIN;
            case KILL -> Kind.KILL;
            case RESTART -> Kind.RESTART;
            case MOVE -> Kind.MOVE;
            case SERVICE_BACK -> Kind.SERVICE_BACK;
            case FAILOVER -> Kind.FAILOVER;
            case ELECTION -> Kind.ELECTION;
            case STOPPED_EARLY -> Kind.STOPPED_EARLY;
            case END -> Kind.END;
        }, event.text());
    }
}
