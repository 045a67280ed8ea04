// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Sections;
import io.gradstream.codecs.log.ClockSummedEncoder;
import io.gradstream.codecs.log.MessageHeaderEncoder;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.server.table.RowSums;
import io.gradstream.server.table.RowTable;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The sum of the pushes of slots in one clock, or in one duty cycle. It adds them up in the order in which they are
 * given, and writes them to the log as one sum, in as many records as are needed. The records count once the last is
 * there.
 */
final class AggregatedGradient
{
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int CONTRIBUTION_LENGTH = ClockSummedEncoder.ContributionsEncoder.sbeBlockLength();
    private static final int REFUSAL_LENGTH = ClockSummedEncoder.RefusalsEncoder.sbeBlockLength();
    private static final int FIXED_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + ClockSummedEncoder.BLOCK_LENGTH +
        ClockSummedEncoder.ContributionsEncoder.sbeHeaderSize() + ClockSummedEncoder.RefusalsEncoder.sbeHeaderSize() +
        Sections.lengthOf(0, 0);

    /** A slot that contributes to the sum. */
    private record Contribution(int slot, long sequence, long acknowledgedThrough, long incarnation, long clock)
    {
    }

    private record RefusedPart(int slot, long sequence, int code)
    {
    }

    /** Most bytes of a table's sums for which the room is kept for the next time. */
    private static final long MAX_KEPT_BYTES = 256 * 1024;

    private final PartitionState state;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ClockSummedEncoder encoder = new ClockSummedEncoder();
    private final Sections sections = new Sections();
    private final List<Contribution> contributions = new ArrayList<>();
    private final List<RefusedPart> refusals = new ArrayList<>();
    private final Int2ObjectHashMap<RowSums> sumsByTable = new Int2ObjectHashMap<>();
    /** Sums of the tables that were pushed to, by number. */
    private final List<RowSums> sums = new ArrayList<>();
    private final int[] sectionRows = new int[Sections.MAX_SECTIONS];
    private int nextContribution;
    private int nextRefusal;
    private int nextTable;

    AggregatedGradient(final PartitionState state)
    {
        this.state = state;
    }

    /** Forget everything. */
    void clear()
    {
        contributions.clear();
        refusals.clear();
        for (int i = 0; i < sums.size(); i++)
        {
            if (heldBytes(sums.get(i).table(), sums.get(i).rowCount()) > MAX_KEPT_BYTES)
            {
                sumsByTable.remove(sums.get(i).table().spec().tableId());
            }
            sums.get(i).clear();
        }
        sums.clear();
        nextContribution = 0;
        nextRefusal = 0;
        nextTable = 0;
    }

    /** True if a part of the sum is not in the log yet. */
    boolean isPending()
    {
        return nextContribution < contributions.size();
    }

    /** Last sequence of a slot that is in it, 0 if none. */
    long lastSequence(final int slot)
    {
        for (int i = 0; i < contributions.size(); i++)
        {
            if (slot == contributions.get(i).slot)
            {
                return contributions.get(i).sequence;
            }
        }

        return 0;
    }

    /** The clock that a slot ends with the sum, 0 if none. */
    long clock(final int slot)
    {
        for (int i = 0; i < contributions.size(); i++)
        {
            if (slot == contributions.get(i).slot)
            {
                return contributions.get(i).clock;
            }
        }

        return 0;
    }

    /** Take everything that is held of a slot, up to the end of a clock, which must be there, and add it. */
    void add(final int slot, final BufferedUpdates held)
    {
        while (BufferedUpdates.Kind.CLOCK != held.firstKind())
        {
            if (BufferedUpdates.Kind.REFUSED == held.firstKind())
            {
                addRefused(slot, held.firstSequence(), (int)held.firstValue());
            }
            else
            {
                sections.wrap(held.buffer(), held.firstOffset(), held.firstLength());
                add(sections);
            }
            held.removeFirst();
        }
        contribute(
            slot, held.firstSequence(), held.firstAcknowledgedThrough(), held.firstIncarnation(), held.firstValue());
        held.removeFirst();
    }

    /**
     * The sum has everything of a slot up to a sequence, except refused parts; clock 0: the slot ends no clock with it.
     */
    void contribute(
        final int slot,
        final long sequence,
        final long acknowledgedThrough,
        final long incarnation,
        final long clock)
    {
        contributions.add(new Contribution(slot, sequence, acknowledgedThrough, incarnation, clock));
    }

    void addRefused(final int slot, final long sequence, final int code)
    {
        refusals.add(new RefusedPart(slot, sequence, code));
    }

    /** Add all sections of a part, from the current one on. */
    void add(final Sections part)
    {
        while (part.next())
        {
            final RowTable table = state.table(part.tableId());
            RowSums tableSums = sumsByTable.get(part.tableId());
            if (null == tableSums || tableSums.table() != table)
            {
                tableSums = new RowSums(table, part.rowCount());
                sumsByTable.put(part.tableId(), tableSums);
            }
            if (0 == tableSums.rowCount())
            {
                sums.add(tableSums);
            }
            tableSums.add(part);
        }
    }

    /** Sort the sum once all slots are added: it can then be written. */
    void complete()
    {
        sums.sort(Comparator.comparingInt((RowSums tableSums) -> tableSums.table().spec().tableId()));
        sums.forEach(RowSums::sort);
    }

    /** Bytes of the rows that change, for the snapshot under way. */
    long rowBytes()
    {
        long bytes = 0;
        for (int i = 0; i < sums.size(); i++)
        {
            bytes += (long)sums.get(i).rowCount() * RowSweep.sideBytes(sums.get(i).table());
        }

        return bytes;
    }

    /** Bytes that its rows count for where they are held. */
    long heldBytes()
    {
        long bytes = 0;
        for (int i = 0; i < sums.size(); i++)
        {
            bytes += heldBytes(sums.get(i).table(), sums.get(i).rowCount());
        }

        return bytes;
    }

    static long heldBytes(final RowTable table, final int rowCount)
    {
        return (long)rowCount * (table.spec().valuesLength() + BufferedUpdates.ROW_BYTES);
    }

    /**
     * Append the next of its records.
     *
     * @return false if the log has no room now; then nothing has happened.
     */
    boolean append(final LogAppender appender)
    {
        int room = appender.log().maxRecordLength() - FIXED_LENGTH;
        final int refusalCount = Math.min(refusals.size() - nextRefusal, room / REFUSAL_LENGTH);
        room -= refusalCount * REFUSAL_LENGTH;
        int sectionCount = 0;
        int bodyLength = 0;
        int table = nextTable;
        boolean isFull = nextRefusal + refusalCount < refusals.size();
        while (!isFull && table < sums.size() && sectionCount < Sections.MAX_SECTIONS)
        {
            final RowSums tableSums = sums.get(table);
            final int left = tableSums.rowsLeft();
            final int rows = tableSums.nextRows(room - Sections.ENTRY_LENGTH);
            if (rows > 0)
            {
                sectionRows[sectionCount++] = rows;
                bodyLength += tableSums.length(rows);
                room -= Sections.ENTRY_LENGTH + tableSums.length(rows);
            }
            isFull = rows < left;
            table += isFull ? 0 : 1;
        }
        // the contributions stand in the last records: records that these do not follow are void
        final int contributionCount = isFull || table < sums.size() ? 0 :
            Math.min(contributions.size() - nextContribution, room / CONTRIBUTION_LENGTH);
        room -= contributionCount * CONTRIBUTION_LENGTH;
        if (!appender.tryClaim(appender.log().maxRecordLength() - room))
        {
            return false;
        }
        encode(appender, contributionCount, refusalCount, sectionCount, bodyLength);
        appender.append();

        return true;
    }

    private void encode(
        final LogAppender appender,
        final int contributionCount,
        final int refusalCount,
        final int sectionCount,
        final int bodyLength)
    {
        final MutableDirectBuffer buffer = appender.buffer();
        encoder.wrapAndApplyHeader(buffer, appender.offset(), header)
            .isLast((short)(nextContribution + contributionCount == contributions.size() ? 1 : 0));
        final ClockSummedEncoder.ContributionsEncoder slots = encoder.contributionsCount(contributionCount);
        for (final int end = nextContribution + contributionCount; nextContribution < end; nextContribution++)
        {
            final Contribution contribution = contributions.get(nextContribution);
            slots.next()
                .sequence(contribution.sequence)
                .acknowledgedThrough(contribution.acknowledgedThrough)
                .incarnation(contribution.incarnation)
                .clock(contribution.clock)
                .slot(contribution.slot);
        }
        final ClockSummedEncoder.RefusalsEncoder refused = encoder.refusalsCount(refusalCount);
        for (final int end = nextRefusal + refusalCount; nextRefusal < end; nextRefusal++)
        {
            final RefusedPart part = refusals.get(nextRefusal);
            refused.next().sequence(part.sequence).slot(part.slot).code((short)part.code);
        }
        encodeSections(buffer, sectionCount, bodyLength);
    }

    private void encodeSections(final MutableDirectBuffer buffer, final int sectionCount, final int bodyLength)
    {
        final ClockSummedEncoder.SectionsEncoder entries = encoder.sectionsCount(sectionCount);
        buffer.putInt(encoder.limit() + sectionCount * Sections.ENTRY_LENGTH, bodyLength, ORDER);
        int offset = encoder.limit() + sectionCount * Sections.ENTRY_LENGTH + Sections.BODY_LENGTH_LENGTH;
        for (int i = 0; i < sectionCount; i++)
        {
            final RowSums tableSums = sums.get(nextTable);
            final int rows = sectionRows[i];
            entries.next()
                .tableId(tableSums.table().spec().tableId())
                .rowCount(rows)
                .valuesLength(rows * tableSums.table().spec().valuesLength())
                .keyForm((short)tableSums.form(rows))
                .encoding((short)Sections.RAW);
            offset += tableSums.write(rows, buffer, offset);
            nextTable += tableSums.isWritten() ? 1 : 0;
        }
    }
}
