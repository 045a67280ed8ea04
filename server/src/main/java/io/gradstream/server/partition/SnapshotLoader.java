// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.snapshot.ConsistencyStateDecoder;
import io.gradstream.codecs.snapshot.EpochEntryDecoder;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RateStateDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.codecs.snapshot.SlotRefusalsDecoder;
import io.gradstream.codecs.snapshot.SlotStateDecoder;
import io.gradstream.codecs.snapshot.SnapshotEndedDecoder;
import io.gradstream.codecs.snapshot.SnapshotStartedDecoder;
import io.gradstream.codecs.snapshot.TableStateDecoder;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.server.table.RowTable;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** Rebuilds a partition's state from the frames of a snapshot, each checked before it is used. */
final class SnapshotLoader
{
    private final int jobId;
    private final PartitionState state;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SnapshotStartedDecoder started = new SnapshotStartedDecoder();
    private final EpochEntryDecoder epochEntry = new EpochEntryDecoder();
    private final SlotStateDecoder slotState = new SlotStateDecoder();
    private final SlotRefusalsDecoder slotRefusals = new SlotRefusalsDecoder();
    private final ConsistencyStateDecoder consistencyState = new ConsistencyStateDecoder();
    private final TableStateDecoder tableState = new TableStateDecoder();
    private final RateStateDecoder rateState = new RateStateDecoder();
    private final RowsStateDecoder rowsState = new RowsStateDecoder();
    private final SnapshotEndedDecoder ended = new SnapshotEndedDecoder();
    private final UnsafeBuffer row = new UnsafeBuffer(0, 0);
    private int frames;
    private long rows;
    private boolean isLoaded;

    SnapshotLoader(final int jobId, final PartitionState state)
    {
        this.jobId = jobId;
        this.state = state;
    }

    void reset()
    {
        frames = 0;
        rows = 0;
        isLoaded = false;
    }

    boolean isLoaded()
    {
        return isLoaded;
    }

    void onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        final String problem = SnapshotFrames.verify(buffer, offset, length, frames);
        require(null == problem, problem);
        header.wrap(buffer, offset);
        require((0 == frames) == (SnapshotStartedDecoder.TEMPLATE_ID == header.templateId()) && !isLoaded,
            "frame out of place");
        switch (header.templateId())
        {
            case SnapshotStartedDecoder.TEMPLATE_ID -> onStarted(buffer, offset);
            case EpochEntryDecoder.TEMPLATE_ID -> onEpochEntry(buffer, offset);
            case SlotStateDecoder.TEMPLATE_ID -> onSlotState(buffer, offset);
            case SlotRefusalsDecoder.TEMPLATE_ID -> onSlotRefusals(buffer, offset);
            case ConsistencyStateDecoder.TEMPLATE_ID -> onConsistencyState(buffer, offset);
            case TableStateDecoder.TEMPLATE_ID -> onTableState(buffer, offset);
            case RateStateDecoder.TEMPLATE_ID -> onRateState(buffer, offset);
            case RowsStateDecoder.TEMPLATE_ID -> onRowsState(buffer, offset);
            case SnapshotEndedDecoder.TEMPLATE_ID -> onEnded(buffer, offset);
            default -> require(false, "unknown templateId=" + header.templateId());
        }
        frames++;
    }

    private void onStarted(final DirectBuffer buffer, final int offset)
    {
        started.wrapAndApplyHeader(buffer, offset, header);
        require(started.jobId() == jobId && started.partition() == state.partition,
            "it is of job=" + started.jobId() + " partition=" + started.partition());
        state.cursor.set(started.position(), started.index(), started.epoch(), started.chainHash());
    }

    private void onEpochEntry(final DirectBuffer buffer, final int offset)
    {
        epochEntry.wrapAndApplyHeader(buffer, offset, header);
        state.epochs.add(epochEntry.epoch(), epochEntry.startPosition());
    }

    private void onSlotState(final DirectBuffer buffer, final int offset)
    {
        slotState.wrapAndApplyHeader(buffer, offset, header);
        require(PartitionState.isSlot(slotState.slot()), "slot=" + slotState.slot());
        final Slot slot = state.slotOrNew(slotState.slot());
        slot.last = slotState.lastSequence();
        slot.acknowledgedThrough = slotState.acknowledgedThrough();
        state.raiseClock(slot, slotState.clock());
        // an older version does not say how far a slot was that has finished: nothing is promised then
        slot.ended = SlotStateDecoder.endedNullValue() == slotState.ended() ? slotState.clock() : slotState.ended();
        slot.hasGoneOn = 1 == slotState.goneOn();
        slot.incarnation = slotState.incarnation();
        slot.jumped = SlotStateDecoder.jumpedNullValue() == slotState.jumped() ? 0 : slotState.jumped();
        // before version 2 the process whose part was taken last was the one known to hold the slot
        slot.lastIncarnation = SlotStateDecoder.lastIncarnationNullValue() == slotState.lastIncarnation() ?
            slotState.incarnation() : slotState.lastIncarnation();
        // PartitionState.NOBODY is what an older version leaves here
        slot.backup = slotState.backup();
        slot.partsPerClock =
            SlotStateDecoder.partsPerClockNullValue() == slotState.partsPerClock() ? 0 : slotState.partsPerClock();
        for (final SlotStateDecoder.RefusalsDecoder refusal : slotState.refusals())
        {
            slot.refuse(refusal.sequence(), refusal.code());
        }
    }

    private void onSlotRefusals(final DirectBuffer buffer, final int offset)
    {
        slotRefusals.wrapAndApplyHeader(buffer, offset, header);
        final int id = slotRefusals.slot();
        require(PartitionState.isSlot(id) && null != state.slot(id), "refusals of slot=" + id + " without the slot");
        for (final SlotRefusalsDecoder.RefusalsDecoder refusal : slotRefusals.refusals())
        {
            state.slot(id).refuse(refusal.sequence(), refusal.code());
        }
    }

    private void onConsistencyState(final DirectBuffer buffer, final int offset)
    {
        consistencyState.wrapAndApplyHeader(buffer, offset, header);
        try
        {
            // the null value of an older version is negative
            state.loadConsistency(new Consistency(consistencyState.slots(), consistencyState.staleness()),
                consistencyState.exactFrom());
        }
        catch (final IllegalArgumentException ex)
        {
            require(false, ex.getMessage());
        }
    }

    private void onTableState(final DirectBuffer buffer, final int offset)
    {
        tableState.wrapAndApplyHeader(buffer, offset, header);
        if (null == state.table(tableState.tableId()))
        {
            state.addTable(new TableSpec(
                tableState.tableId(),
                tableState.name(),
                tableState.dim(),
                ElementType.of(tableState.elementType()),
                tableState.rows(),
                tableState.initialiser(),
                tableState.initialiserSeed(),
                tableState.initialiserScale(),
                tableState.function()));
        }
    }

    private void onRateState(final DirectBuffer buffer, final int offset)
    {
        rateState.wrapAndApplyHeader(buffer, offset, header);
        final RowTable table = state.table(rateState.tableId());
        require(null != table && null != table.schedule() && rateState.step() >= 0 &&
            rateState.factor() >= 0 && rateState.factor() <= 1, "rate of table=" + rateState.tableId());
        table.rateFactor(rateState.factor());
        table.rateStep(rateState.step());
        table.rateStepsAhead(
            RateStateDecoder.stepsAheadNullValue() == rateState.stepsAhead() ? 0 : rateState.stepsAhead());
    }

    private void onRowsState(final DirectBuffer buffer, final int offset)
    {
        rowsState.wrapAndApplyHeader(buffer, offset, header);
        final RowTable table = state.table(rowsState.tableId());
        final int rowLength = rowsState.rowLength();
        // before version 2 a row of the audit table had an element less, its last
        require(null != table && (table.rowLength() == rowLength ||
            TableSpec.AUDIT.tableId() == rowsState.tableId() && table.rowLength() == rowLength + Long.BYTES),
            "rows do not fit table=" + rowsState.tableId());
        final int count = rowsState.rowCount();
        int cursor = rowsState.limit() + RowsStateDecoder.rowDataHeaderLength();
        require(rowsState.rowDataLength() == count * (Long.BYTES + rowLength), "rowCount=" + count);
        for (int i = 0; i < count; i++)
        {
            final int index = table.store().create(buffer.getLong(cursor, ByteOrder.LITTLE_ENDIAN));
            table.store().wrap(index, row);
            row.putBytes(0, buffer, cursor + Long.BYTES, rowLength);
            table.onLoaded(index);
            cursor += Long.BYTES + rowLength;
        }
        rows += count;
    }

    private void onEnded(final DirectBuffer buffer, final int offset)
    {
        ended.wrapAndApplyHeader(buffer, offset, header);
        require(ended.frames() == frames + 1 && ended.rowCount() == rows,
            "frames=" + (frames + 1) + " of " + ended.frames() + " rows=" + rows + " of " + ended.rowCount());
        isLoaded = true;
    }

    private void require(final boolean condition, final String problem)
    {
        if (!condition)
        {
            throw new ReplayException("broken snapshot of partition=" + state.partition + " frame=" + frames + ": " +
                problem);
        }
    }
}
