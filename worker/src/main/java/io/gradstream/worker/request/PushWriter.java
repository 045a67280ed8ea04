// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.wire.ClockDoneEncoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** Writes the parts of a push into the spools: whole rows, each part as large as one record of the log may be. */
public final class PushWriter
{
    private static final int FRONT = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;
    static final int CLOCK_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + ClockDoneEncoder.BLOCK_LENGTH;
    private static final int CLOCK_ALIGNED = BitUtil.align(CLOCK_LENGTH, Spool.ALIGNMENT);
    private static final int EMPTY_BODY = Long.BYTES + TableSpec.AUDIT.valuesLength();
    private static final int EMPTY_LENGTH = FRONT + Sections.lengthOf(1, EMPTY_BODY);
    private static final int EMPTY_ALIGNED = BitUtil.align(EMPTY_LENGTH, Spool.ALIGNMENT);
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PushEncoder push = new PushEncoder();
    private final ClockDoneEncoder clockDone = new ClockDoneEncoder();
    private final int[] runRows = new int[Sections.MAX_SECTIONS];
    private final int slot;
    private final int maxPartLength;
    private final boolean isAudited;
    private final int auditLength;
    /** Empty parts that the end of a clock may need before it. */
    private final int emptyParts;

    // there was room for all of the push, and for the clock after it: no part waits for the room of the clock
    private boolean isRoomKnown;
    // the part that was measured last
    private int partEnd;
    private int runs;
    private int bodyLength;

    public PushWriter(final int slot, final int maxPartLength, final boolean isAudited, final int emptyParts)
    {
        this.emptyParts = emptyParts;
        this.slot = slot;
        this.maxPartLength = maxPartLength;
        this.isAudited = isAudited;
        auditLength = isAudited ? Sections.ENTRY_LENGTH + Long.BYTES + TableSpec.AUDIT.valuesLength() : 0;
    }

    /**
     * True if there is room at a partition for all of its rows.
     *
     * @throws IllegalArgumentException if there never will be.
     */
    public boolean hasRoom(final PushRequest request, final PartitionSession session)
    {
        final RowPlan plan = request.plan();
        long bytes = 0;
        int parts = 0;
        int largest = 0;
        for (int i = plan.begin(session.partition()); i < plan.end(session.partition()); i = partEnd)
        {
            measure(request, session.partition(), i);
            final int aligned = BitUtil.align(frameLength(), Spool.ALIGNMENT);
            bytes += aligned;
            largest = Math.max(largest, aligned);
            parts++;
        }
        final int clock = clockReserve(session);
        final int entries = parts + clockEntries(session);
        if (parts > 0 && !session.spool().couldHold(entries, bytes + clock))
        {
            throw new IllegalArgumentException("push of " + bytes + " bytes in " + parts + " parts to partition=" +
                session.partition() + " never fits its spool at once: push fewer rows, or raise " +
                "spoolBytesPerPartition or maxInFlight");
        }

        return 0 == parts || (session.canPush() &&
            session.spool().hasRoom(entries, bytes + clock, Math.max(largest, clock)));
    }

    /** True if there is room at a partition for the part that was measured last. */
    public boolean hasRoomForPart(final PartitionSession session)
    {
        final int aligned = BitUtil.align(frameLength(), Spool.ALIGNMENT);
        final int clock = clockReserve(session);
        final int entries = 1 + clockEntries(session);
        final boolean isRoomForClock = 0 == clock || !session.spool().couldHold(entries, aligned + clock) ||
            session.spool().hasRoom(entries, aligned + clock, Math.max(aligned, clock));

        return isRoomForClock && Spool.NOT_NOW != session.claim(frameLength());
    }

    /** True if there is room at a partition for the end of a clock. */
    public boolean hasRoomForClock(final PartitionSession session)
    {
        return session.canPush() && session.spool().hasRoom(1, CLOCK_ALIGNED, CLOCK_ALIGNED);
    }

    /** Bytes that pushes leave free for the end of the clock, where nothing is applied before that. */
    private int clockReserve(final PartitionSession session)
    {
        return session.isSequential() ? 2 * CLOCK_ALIGNED + emptyReserve() : 0;
    }

    private int emptyReserve()
    {
        return emptyParts > 0 ? (emptyParts + 1) * EMPTY_ALIGNED : 0;
    }

    /** True if there is room at a partition for an empty part. */
    public boolean hasRoomForEmpty(final PartitionSession session)
    {
        return session.canPush() && session.spool().hasRoom(1, EMPTY_ALIGNED, EMPTY_ALIGNED);
    }

    private int clockEntries(final PartitionSession session)
    {
        return session.isSequential() ? 1 + emptyParts : 0;
    }

    /** Number of parts that a partition's rows take. */
    public int parts(final PushRequest request, final int partition)
    {
        final RowPlan plan = request.plan();
        int parts = 0;
        for (int i = plan.begin(partition); i < plan.end(partition); i = partEnd)
        {
            measure(request, partition, i);
            parts++;
        }

        return parts;
    }

    /** Begin a push; {@code isRoom} if {@link #hasRoom} holds for all partitions and nothing was written since. */
    public void begin(final boolean isRoom)
    {
        isRoomKnown = isRoom;
    }

    /**
     * Write the next part of a partition.
     *
     * @return index of the first row after it, or {@link Spool#NOT_NOW}.
     */
    public int write(
        final PushRequest request,
        final int index,
        final PartitionSession session,
        final long ticket,
        final long clock)
    {
        final RowPlan plan = request.plan();
        measure(request, session.partition(), index);
        final int offset =
            isRoomKnown || hasRoomForPart(session) ? session.claim(frameLength()) : Spool.NOT_NOW;
        if (Spool.NOT_NOW == offset)
        {
            return Spool.NOT_NOW;
        }
        final UnsafeBuffer buffer = session.spool().buffer();
        writeHeader(session, offset, clock, request.isKeyCached() ? KeyLists.WANTED : KeyLists.NONE);
        int body = writeSections(request, session.partition(), buffer);
        int row = index;
        for (int i = 0; i < runs; i++)
        {
            plan.writeKeys(session.partition(), row, runRows[i], buffer, body);
            body += (int)KeyForm.length(plan.keyForm(session.partition()), runRows[i]);
            request.copyRows(row, runRows[i], session.spool(), body);
            body += runRows[i] * request.rowLength();
            row += runRows[i];
        }
        if (isAudited)
        {
            session.pushCounts().addContent(writeAudit(buffer, offset + FRONT, body, session.spool().next()));
        }
        session.commit(ticket, true);

        return partEnd;
    }

    /** Write a part that changes nothing, for which there is room: it adds zeros to the slot's counts. */
    public void writeEmpty(final PartitionSession session, final long clock)
    {
        final int offset = session.claim(EMPTY_LENGTH);
        final UnsafeBuffer buffer = session.spool().buffer();
        writeHeader(session, offset, clock, KeyLists.NONE);
        writeAuditSection(push.sectionsCount(1));
        buffer.putInt(push.limit(), EMPTY_BODY, ORDER);
        final int body = push.limit() + Sections.BODY_LENGTH_LENGTH;
        buffer.setMemory(body, EMPTY_BODY, (byte)0);
        buffer.putLong(body, slot, ORDER);
        session.commit(Tickets.NONE, false);
    }

    private void writeHeader(
        final PartitionSession session, final int offset, final long clock, final long keyList)
    {
        push.wrapAndApplyHeader(session.spool().buffer(), offset, header)
            .epoch(0)
            .sequence(session.spool().next())
            .acknowledgedThrough(0)
            .incarnation(0)
            .clock(clock)
            .partition(session.partition())
            .slot(slot)
            .keyList(keyList);
    }

    public boolean writeClock(final PartitionSession session, final long ticket, final long clock, final long adopted)
    {
        final int offset = session.claim(CLOCK_LENGTH);
        if (Spool.NOT_NOW == offset)
        {
            return false;
        }
        clockDone.wrapAndApplyHeader(session.spool().buffer(), offset, header)
            .epoch(0)
            .sequence(session.spool().next())
            .acknowledgedThrough(0)
            .incarnation(0)
            .clock(clock)
            .partition(session.partition())
            .slot(slot)
            .adopted(adopted);
        session.commit(ticket, false);

        return true;
    }

    /**
     * Measure the part that begins at an index, and how many of a partition's rows it holds: of a range each run is a
     * section.
     */
    private void measure(final PushRequest request, final int partition, final int index)
    {
        final RowPlan plan = request.plan();
        final int end = plan.end(partition);
        final int form = plan.keyForm(partition);
        final int sectionLength = Sections.ENTRY_LENGTH + KeyForm.headLength(form);
        final int rowLength = KeyForm.lengthPerRow(form) + request.rowLength();
        int left = maxPartLength - auditLength - Sections.lengthOf(0, 0);
        runs = 0;
        partEnd = index;
        bodyLength = 0;
        while (partEnd < end && runs < Sections.MAX_SECTIONS - 1 && left >= sectionLength + rowLength)
        {
            final int runEnd = plan.isRange() ? plan.runEnd(partEnd, end) : end;
            final int count = Math.min(runEnd - partEnd, (left - sectionLength) / rowLength);
            runRows[runs++] = count;
            bodyLength += KeyForm.headLength(form) + count * rowLength;
            left -= sectionLength + count * rowLength;
            partEnd += count;
        }
        if (partEnd == index)
        {
            throw new IllegalStateException("a row of table '" + request.spec().name() + "' does not fit a part of " +
                maxPartLength + " bytes: raise maxPartLength");
        }
        if (isAudited)
        {
            bodyLength += Long.BYTES + TableSpec.AUDIT.valuesLength();
        }
    }

    /**
     * Rows of a part that has as many as it may.
     *
     * @param keyForm   of its keys, which are no range.
     * @param rowLength bytes of a row's values.
     */
    int rowsOfPart(final int keyForm, final int rowLength)
    {
        final int left = maxPartLength - auditLength - Sections.lengthOf(0, 0);
        final int head = Sections.ENTRY_LENGTH + KeyForm.headLength(keyForm);

        return (left - head) / (KeyForm.lengthPerRow(keyForm) + rowLength);
    }

    /** Bytes of the part that was measured last. */
    int frameLength()
    {
        return FRONT + Sections.lengthOf(runs + (isAudited ? 1 : 0), bodyLength);
    }

    private int writeSections(final PushRequest request, final int partition, final UnsafeBuffer buffer)
    {
        final PushEncoder.SectionsEncoder sections = push.sectionsCount(runs + (isAudited ? 1 : 0));
        for (int i = 0; i < runs; i++)
        {
            sections.next()
                .tableId(request.spec().tableId())
                .rowCount(runRows[i])
                .valuesLength(runRows[i] * request.rowLength())
                .keyForm((short)request.plan().keyForm(partition))
                .encoding((short)request.encoding());
        }
        if (isAudited)
        {
            writeAuditSection(sections);
        }
        buffer.putInt(push.limit(), bodyLength, ORDER);

        return push.limit() + Sections.BODY_LENGTH_LENGTH;
    }

    private static void writeAuditSection(final PushEncoder.SectionsEncoder sections)
    {
        sections.next()
            .tableId(TableSpec.AUDIT.tableId())
            .rowCount(1)
            .valuesLength(TableSpec.AUDIT.valuesLength())
            .keyForm((short)KeyForm.KEYS)
            .encoding((short)Sections.RAW);
    }

    private long writeAudit(final UnsafeBuffer buffer, final int begin, final int offset, final long sequence)
    {
        final long contentHash = Sections.contentHash(buffer, begin, offset - begin, sequence);
        buffer.putLong(offset, slot, ORDER);
        buffer.putLong(offset + 8, 1, ORDER);
        buffer.putLong(offset + 16, sequence, ORDER);
        buffer.putLong(offset + 24, sequence * sequence, ORDER);
        buffer.putLong(offset + 32, contentHash, ORDER);

        return contentHash;
    }
}
