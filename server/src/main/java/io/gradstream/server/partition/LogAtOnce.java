// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;

/** Logs each message as it comes, in a record of its own. */
final class LogAtOnce implements PushGate
{
    private final PartitionState state;
    private final CopyOnWriteRows copies;

    LogAtOnce(final PartitionState state, final CopyOnWriteRows copies)
    {
        this.state = state;
        this.copies = copies;
    }

    /** Log a part. It is refused with BUSY while parts before it are held, as whole rows may be. */
    @Override
    public Outcome onPart(final PushPartHeader part, final Sections sections, final RecordWriter writer)
    {
        return part.sequence > lastTaken(part.slot) + 1 ? Outcome.REFUSED : Outcome.appendedIf(
            copies.hasRoomFor(state.rowBytes(sections)) && writer.appendRowsUpdated(part, sections));
    }

    @Override
    public Outcome onRefused(final PushPartHeader part, final Refusal why, final RecordWriter writer)
    {
        return Outcome.appendedIf(writer.appendRefused(part, why));
    }

    @Override
    public Outcome onClock(final PushPartHeader part, final RecordWriter writer)
    {
        return Outcome.appendedIf(writer.appendClockDone(part));
    }

    @Override
    public long lastTaken(final int slot)
    {
        return state.lastSequence(slot);
    }
}
