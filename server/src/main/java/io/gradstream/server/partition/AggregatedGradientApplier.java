// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Sections;
import io.gradstream.codecs.log.ClockSummedDecoder;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Applies the sum of a clock when the last of its records is there. Until then the records are kept, so that a reader
 * never sees half of a clock, and a sum whose rest a failover has lost changes nothing.
 */
final class AggregatedGradientApplier
{
    /** Most bytes of records for which the room is kept for the next sum. */
    static final int MAX_KEPT_BYTES = 256 * 1024;

    private final PartitionState state;
    private final CopyOnWriteRows copies;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ClockSummedDecoder decoder = new ClockSummedDecoder();
    private final Sections sections = new Sections();
    private ExpandableArrayBuffer records = new ExpandableArrayBuffer();
    private int recordsLength;

    AggregatedGradientApplier(final PartitionState state, final CopyOnWriteRows copies)
    {
        this.state = state;
        this.copies = copies;
    }

    /** True if a sum has begun whose last record has not come. */
    boolean isPending()
    {
        return recordsLength > 0;
    }

    /** Forget the sum that has begun: its rest will not come. */
    void clear()
    {
        recordsLength = 0;
        records = records.capacity() > MAX_KEPT_BYTES ? new ExpandableArrayBuffer() : records;
    }

    /** Bytes of room for the records of a sum; it is kept for the next sum. */
    int capacity()
    {
        return records.capacity();
    }

    void apply(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        if (0 == decoder.wrapAndApplyHeader(buffer, offset, header).isLast())
        {
            records.putInt(recordsLength, length);
            records.putBytes(recordsLength + Integer.BYTES, buffer, offset, length);
            recordsLength += Integer.BYTES + length;
            return;
        }

        for (int at = 0; at < recordsLength; at += Integer.BYTES + records.getInt(at))
        {
            applyRecord(records, at + Integer.BYTES, records.getInt(at), position);
        }
        clear();
        applyRecord(buffer, offset, length, position);
    }

    private void applyRecord(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        decoder.wrapAndApplyHeader(buffer, offset, header);
        for (final ClockSummedDecoder.ContributionsDecoder contribution : decoder.contributions())
        {
            final Slot slot = state.slotOrNew(contribution.slot());
            slot.applyThrough(contribution.sequence(), contribution.acknowledgedThrough(),
                contribution.incarnation(), position);
            state.raiseClock(slot, contribution.clock());
        }
        for (final ClockSummedDecoder.RefusalsDecoder refusal : decoder.refusals())
        {
            state.slotOrNew(refusal.slot()).refuse(refusal.sequence(), refusal.code());
        }
        sections.wrap(buffer, decoder.limit(), offset + length - decoder.limit());
        while (sections.next())
        {
            state.update(sections, copies, position);
        }
    }
}
