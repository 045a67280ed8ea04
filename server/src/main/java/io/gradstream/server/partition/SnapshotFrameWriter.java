// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.snapshot.ConsistencyStateEncoder;
import io.gradstream.codecs.snapshot.EpochEntryEncoder;
import io.gradstream.codecs.snapshot.MessageHeaderEncoder;
import io.gradstream.codecs.snapshot.RateStateEncoder;
import io.gradstream.codecs.snapshot.RowsStateEncoder;
import io.gradstream.codecs.snapshot.SlotRefusalsEncoder;
import io.gradstream.codecs.snapshot.SlotStateEncoder;
import io.gradstream.codecs.snapshot.SnapshotEndedEncoder;
import io.gradstream.codecs.snapshot.SnapshotStartedEncoder;
import io.gradstream.codecs.snapshot.TableStateEncoder;
import io.gradstream.server.table.RowTable;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Encodes the frames of a snapshot one after the other into a side buffer, each behind its length. The queue keeps
 * what the sink has no room for yet.
 */
final class SnapshotFrameWriter
{
    /** Bytes of a RowsState frame before its rows. */
    static final int ROWS_HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + RowsStateEncoder.BLOCK_LENGTH +
        RowsStateEncoder.rowDataHeaderLength();

    /** Bytes of a SlotState frame before its refusals. */
    static final int SLOT_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + SlotStateEncoder.BLOCK_LENGTH +
        SlotStateEncoder.RefusalsEncoder.sbeHeaderSize();
    /** Bytes of a SlotRefusals frame before its refusals. */
    static final int SLOT_REFUSALS_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + SlotRefusalsEncoder.BLOCK_LENGTH +
        SlotRefusalsEncoder.RefusalsEncoder.sbeHeaderSize();
    /** Bytes of one refusal. */
    static final int REFUSAL_LENGTH = SlotStateEncoder.RefusalsEncoder.sbeBlockLength();

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int COMPACTED_BYTES = 1024 * 1024;
    private static final int INITIAL_CAPACITY = 64 * 1024;
    /** Longest queue that is kept for the next time. */
    private static final int MAX_KEPT_CAPACITY = 1024 * 1024;

    private ExpandableDirectByteBuffer queue = new ExpandableDirectByteBuffer(INITIAL_CAPACITY);
    private final UnsafeBuffer row = new UnsafeBuffer(0, 0);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final SnapshotStartedEncoder started = new SnapshotStartedEncoder();
    private final EpochEntryEncoder epochEntry = new EpochEntryEncoder();
    private final SlotStateEncoder slotState = new SlotStateEncoder();
    private final SlotRefusalsEncoder slotRefusals = new SlotRefusalsEncoder();
    private final ConsistencyStateEncoder consistencyState = new ConsistencyStateEncoder();
    private final TableStateEncoder tableState = new TableStateEncoder();
    private final RateStateEncoder rateState = new RateStateEncoder();
    private final RowsStateEncoder rowsState = new RowsStateEncoder();
    private final SnapshotEndedEncoder ended = new SnapshotEndedEncoder();
    private int head;
    private int tail;
    private int frames;
    private int taken;
    private long rows;

    /** Forget what is queued, and give back what was needed only once. */
    void reset()
    {
        queue = queue.capacity() > MAX_KEPT_CAPACITY ? new ExpandableDirectByteBuffer(INITIAL_CAPACITY) : queue;
        head = 0;
        tail = 0;
        frames = 0;
        taken = 0;
        rows = 0;
    }

    int queuedBytes()
    {
        return tail - head;
    }

    int peekLength()
    {
        return queue.getInt(head, ORDER);
    }

    /** Take the oldest queued frame out, sealed with its number. */
    void take(final MutableDirectBuffer destination, final int offset)
    {
        final int length = peekLength();
        destination.putBytes(offset, queue, head + Integer.BYTES, length);
        SnapshotFrames.seal(destination, offset, length, taken++);
        head += Integer.BYTES + length;
        if (head == tail)
        {
            head = 0;
            tail = 0;
        }
        else if (head >= COMPACTED_BYTES && head >= tail - head)
        {
            // a sink that is slow may never empty it
            queue.putBytes(0, queue, head, tail - head);
            tail -= head;
            head = 0;
        }
    }

    /** Bytes that the queue takes. */
    int capacity()
    {
        return queue.capacity();
    }

    void started(final int jobId, final PartitionState state)
    {
        started.wrapAndApplyHeader(queue, tail + Integer.BYTES, header)
            .position(state.cursor.position())
            .epoch(state.cursor.epoch())
            .index(state.cursor.index())
            .chainHash(state.cursor.chainHash())
            .jobId(jobId)
            .partition(state.partition);
        put(started.encodedLength());
    }

    void epoch(final long epoch, final long startPosition)
    {
        epochEntry.wrapAndApplyHeader(queue, tail + Integer.BYTES, header).epoch(epoch).startPosition(startPosition);
        put(epochEntry.encodedLength());
    }

    /** A slot: in one frame if its refusals fit that, else in several. */
    void slot(final Slot slot, final int maxFrameLength)
    {
        final Long2LongHashMap.EntryIterator refusals = slot.refusals.entrySet().iterator();
        int left = slot.refusals.size();
        int count = Math.min(left, (maxFrameLength - SLOT_LENGTH) / REFUSAL_LENGTH);
        final SlotStateEncoder.RefusalsEncoder encoder =
            slotState.wrapAndApplyHeader(queue, tail + Integer.BYTES, header)
                .lastSequence(slot.last)
                .acknowledgedThrough(slot.acknowledgedThrough)
                .clock(slot.clock)
                .incarnation(slot.incarnation)
                .slot(slot.id)
                .jumped(slot.jumped)
                .lastIncarnation(slot.lastIncarnation)
                .backup(slot.backup)
                .partsPerClock((short)slot.partsPerClock)
                .goneOn((short)(slot.hasGoneOn ? 1 : 0))
                .ended(slot.ended)
                .refusalsCount(count);
        for (int i = 0; i < count; i++)
        {
            refusals.next();
            encoder.next().sequence(refusals.getLongKey()).code((short)refusals.getLongValue());
        }
        put(slotState.encodedLength());
        for (left -= count; left > 0; left -= count)
        {
            count = Math.min(left, (maxFrameLength - SLOT_REFUSALS_LENGTH) / REFUSAL_LENGTH);
            furtherRefusals(slot.id, refusals, count);
        }
    }

    private void furtherRefusals(final int slot, final Long2LongHashMap.EntryIterator refusals, final int count)
    {
        final SlotRefusalsEncoder.RefusalsEncoder encoder =
            slotRefusals.wrapAndApplyHeader(queue, tail + Integer.BYTES, header).slot(slot).refusalsCount(count);
        for (int i = 0; i < count; i++)
        {
            refusals.next();
            encoder.next().sequence(refusals.getLongKey()).code((short)refusals.getLongValue());
        }
        put(slotRefusals.encodedLength());
    }

    void consistency(final Consistency consistency, final long exactFrom)
    {
        consistencyState.wrapAndApplyHeader(queue, tail + Integer.BYTES, header)
            .slots(consistency.slots())
            .staleness(consistency.staleness())
            .exactFrom(exactFrom);
        put(consistencyState.encodedLength());
    }

    void table(final TableSpec spec)
    {
        tableState.wrapAndApplyHeader(queue, tail + Integer.BYTES, header)
            .rows(spec.rows())
            .initialiserSeed(spec.initialiserSeed())
            .tableId(spec.tableId())
            .dim(spec.dim())
            .elementType((short)spec.elementType().code())
            .initialiser((short)spec.initialiser())
            .initialiserScale(spec.initialiserScale())
            .name(spec.name())
            .function(spec.function());
        put(tableState.encodedLength());
    }

    void rate(final RowTable table)
    {
        rateState.wrapAndApplyHeader(queue, tail + Integer.BYTES, header)
            .tableId(table.spec().tableId())
            .factor(table.rateFactor())
            .step(table.rateStep())
            .stepsAhead(table.rateStepsAhead());
        put(rateState.encodedLength());
    }

    void row(final RowTable table, final int index)
    {
        startRows(table);
        addRow(table, index);
        endRows();
    }

    void startRows(final RowTable table)
    {
        rowsState.wrapAndApplyHeader(queue, tail + Integer.BYTES, header)
            .tableId(table.spec().tableId())
            .rowCount(0)
            .rowLength(table.rowLength());
        queue.putInt(rowsState.limit(), 0, ORDER);
        rowsState.limit(rowsState.limit() + RowsStateEncoder.rowDataHeaderLength());
    }

    void addRow(final RowTable table, final int index)
    {
        final int offset = rowsState.limit();
        table.store().wrap(index, row);
        queue.putLong(offset, table.store().key(index), ORDER);
        queue.putBytes(offset + Long.BYTES, row, 0, table.rowLength());
        rowsState.limit(offset + Long.BYTES + table.rowLength());
        rows++;
    }

    int startedRowsLength()
    {
        return rowsState.encodedLength() + MessageHeaderEncoder.ENCODED_LENGTH;
    }

    /**
     * @return false if no row was added: the frame is dropped.
     */
    boolean endRows()
    {
        final int length = startedRowsLength();
        final int dataLength = length - ROWS_HEADER_LENGTH;
        if (0 == dataLength)
        {
            return false;
        }
        final int begin = tail + Integer.BYTES;
        queue.putInt(begin + ROWS_HEADER_LENGTH - RowsStateEncoder.rowDataHeaderLength(), dataLength, ORDER);
        rowsState.rowCount(dataLength / (Long.BYTES + rowLengthAt(begin)));
        put(rowsState.encodedLength());

        return true;
    }

    void ended()
    {
        ended.wrapAndApplyHeader(queue, tail + Integer.BYTES, header)
            .rowCount(rows)
            .frames(frames + 1);
        put(ended.encodedLength());
    }

    private int rowLengthAt(final int frame)
    {
        return queue.getInt(
            frame + MessageHeaderEncoder.ENCODED_LENGTH + RowsStateEncoder.rowLengthEncodingOffset(), ORDER);
    }

    private void put(final int bodyLength)
    {
        final int length = bodyLength + MessageHeaderEncoder.ENCODED_LENGTH;
        queue.putInt(tail, length, ORDER);
        tail += Integer.BYTES + length;
        frames++;
    }
}
