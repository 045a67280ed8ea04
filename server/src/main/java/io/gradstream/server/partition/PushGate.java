// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;

/**
 * Takes the pushes of a primary into the log: each as it comes, or as part of a sum. {@link Partition} chooses one of
 * three by the staleness bound. Messages come in the order of their slot's sequences.
 */
interface PushGate
{
    /**
     * Get ready for a part, before its content is checked: if the part is applied at once, log the rates that it counts
     * by.
     *
     * @return false if the log has no room now.
     */
    default boolean prepare(final PushPartHeader part, final RecordWriter writer)
    {
        return writer.appendRateFactors();
    }

    /** Take a part whose content is right for the tables. */
    Outcome onPart(PushPartHeader part, Sections sections, RecordWriter writer);

    /** Take the place of a part that is refused for its content, which uses up its sequence. */
    Outcome onRefused(PushPartHeader part, Refusal why, RecordWriter writer);

    /** Take the end of a slot's iteration. */
    Outcome onClock(PushPartHeader part, RecordWriter writer);

    /** Why the last message was {@link Outcome#REFUSED}. */
    default Refusal refusal()
    {
        return Refusal.BUSY;
    }

    /** Last sequence of a slot that was taken, in the log or not; 0 if none. */
    long lastTaken(int slot);

    /**
     * True if it has taken messages that go into the log when the duty cycle ends. Until they are there, neither the
     * bound nor a slot's process may change.
     */
    default boolean isCycleOpen()
    {
        return false;
    }

    /** The duty cycle ends: log the messages that waited for that; returns the records appended. */
    default int endCycle(final RecordWriter writer)
    {
        return 0;
    }

    /** Log the messages that wait for slots no longer; returns the records appended. */
    default int doWork(final RecordWriter writer, final long nowNs)
    {
        return 0;
    }
}
