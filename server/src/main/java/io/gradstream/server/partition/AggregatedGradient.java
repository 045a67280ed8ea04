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
import org.agrona.collections.IntArrayList;

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

    /** The part of a slot in the sum; reused. */
    private static final class Contribution
    {
        private long sequence;
        private long acknowledgedThrough;
        private long incarnation;
        private long clock;
    }

    private record RefusedPart(int slot, long sequence, int code)
    {
    }

    /** Most records of a sum that are appended in one go. */
    static final int MAX_RECORDS = 16;
    /** Most bytes of a table's sums for which the room is kept for the next time. */
    private static final long MAX_KEPT_BYTES = 256 * 1024;

    private final PartitionState state;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ClockSummedEncoder encoder = new ClockSummedEncoder();
    private final Sections sections = new Sections();
    private final Contribution[] contributions = new Contribution[PartitionState.MAX_SLOTS];
    /** Slots that contribute, in the order of their first part. */
    private final IntArrayList slots = new IntArrayList();
    private final List<RefusedPart> refusals = new ArrayList<>();
    private final Int2ObjectHashMap<RowSums> sumsByTable = new Int2ObjectHashMap<>();
    /** Sums of the tables that were pushed to, by number. */
    private final List<RowSums> sums = new ArrayList<>();
    private final int[] sectionRows = new int[Sections.MAX_SECTIONS];
    private int nextContribution;
    private int nextRefusal;
    private int nextTable;
    private boolean isComplete;

    AggregatedGradient(final PartitionState state)
    {
        this.state = state;
    }

    /** Forget everything. */
    void clear()
    {
        for (int i = 0; i < slots.size(); i++)
        {
            contributions[slots.getInt(i)].sequence = 0;
            contributions[slots.getInt(i)].clock = 0;
        }
        slots.clear();
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
        isComplete = false;
    }

    /** True if a part of the sum is not in the log yet. */
    boolean isPending()
    {
        return nextContribution < slots.size();
    }

    /** True if nothing more may be added. */
    boolean isComplete()
    {
        return isComplete;
    }

    /** Last sequence of a slot that is in it, 0 if none. */
    long lastSequence(final int slot)
    {
        return null == contributions[slot] ? 0 : contributions[slot].sequence;
    }

    /** The clock that a slot ends with the sum, 0 if none. */
    long clock(final int slot)
    {
        return null == contributions[slot] ? 0 : contributions[slot].clock;
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
        if (null == contributions[slot])
        {
            contributions[slot] = new Contribution();
        }
        final Contribution contribution = contributions[slot];
        if (0 == contribution.sequence)
        {
            slots.addInt(slot);
        }
        contribution.sequence = sequence;
        contribution.acknowledgedThrough = acknowledgedThrough;
        contribution.incarnation = incarnation;
        contribution.clock = Math.max(contribution.clock, clock);
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
        if (!isComplete)
        {
            sums.sort(Comparator.comparingInt((RowSums tableSums) -> tableSums.table().spec().tableId()));
            sums.forEach(RowSums::sort);
            isComplete = true;
        }
    }

    /** Bytes of the rows that change, for the snapshot under way. */
    long rowBytes()
    {
        long bytes = 0;
        for (int i = 0; i < sums.size(); i++)
        {
            bytes += (long)sums.get(i).rowCount() * RowScan.sideBytes(sums.get(i).table());
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

    /** Append its records, as many as fit and are appended in one go; returns how many. */
    int append(final LogAppender appender)
    {
        int records = 0;
        while (isPending() && records < MAX_RECORDS && appendNext(appender))
        {
            records++;
        }

        return records;
    }

    private boolean appendNext(final LogAppender appender)
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
            Math.min(slots.size() - nextContribution, room / CONTRIBUTION_LENGTH);
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
            .isLast((short)(nextContribution + contributionCount == slots.size() ? 1 : 0));
        final ClockSummedEncoder.ContributionsEncoder contributors = encoder.contributionsCount(contributionCount);
        for (final int end = nextContribution + contributionCount; nextContribution < end; nextContribution++)
        {
            final int slot = slots.getInt(nextContribution);
            final Contribution contribution = contributions[slot];
            contributors.next()
                .sequence(contribution.sequence)
                .acknowledgedThrough(contribution.acknowledgedThrough)
                .incarnation(contribution.incarnation)
                .clock(contribution.clock)
                .slot(slot);
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
