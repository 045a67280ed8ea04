// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * Something that happened once: a mark on the axis of time.
 *
 * @param timeMs when, ms since 1970 UTC.
 * @param kind   of event.
 * @param text   for readers, as {@code "kill -9 of server 1"}.
 */
public record ProgressEvent(long timeMs, Kind kind, String text)
{
    /** The kinds of events. */
    public enum Kind
    {
        /** The first batch was pushed. */
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
        /** Training ended before all batches were pushed, because the metric did not get better. */
        STOPPED_EARLY,
        /** The last batch was pushed. */
        END
    }
}
