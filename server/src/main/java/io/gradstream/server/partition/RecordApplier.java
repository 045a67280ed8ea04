// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.log.ClockDoneDecoder;
import io.gradstream.codecs.log.ClockSummedDecoder;
import io.gradstream.codecs.log.ConsistencySetDecoder;
import io.gradstream.codecs.log.EpochStartedDecoder;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.codecs.log.RateFactorSetDecoder;
import io.gradstream.codecs.log.RefusedDecoder;
import io.gradstream.codecs.log.RowsUpdatedDecoder;
import io.gradstream.codecs.log.SequenceJumpedDecoder;
import io.gradstream.codecs.log.SlotTakenDecoder;
import io.gradstream.codecs.log.TableCreatedDecoder;
import org.agrona.DirectBuffer;

/** The one path by which log records change a partition's state: at the primary, on replay and at a standby alike. */
final class RecordApplier
{
    /** Version of the log from which on schedules of rates go on where the bound changes. */
    private static final int STEPS_GO_ON_VERSION = 6;
    private static final int STEPS_ALWAYS_GO_ON_VERSION = 7;

    private final PartitionState state;
    private final CopyOnWriteRows copies;
    private final ConsistentExport export;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final TableCreatedDecoder tableCreated = new TableCreatedDecoder();
    private final RowsUpdatedDecoder rowsUpdated = new RowsUpdatedDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final SequenceJumpedDecoder sequenceJumped = new SequenceJumpedDecoder();
    private final SlotTakenDecoder slotTaken = new SlotTakenDecoder();
    private final ConsistencySetDecoder consistencySet = new ConsistencySetDecoder();
    private final RateFactorSetDecoder rateFactorSet = new RateFactorSetDecoder();
    private final Sections sections = new Sections();
    private final AggregatedGradientApplier sums;

    RecordApplier(final PartitionState state, final CopyOnWriteRows copies, final ConsistentExport export)
    {
        this.state = state;
        this.copies = copies;
        this.export = export;
        sums = new AggregatedGradientApplier(state, copies);
    }

    void reset()
    {
        sums.clear();
    }

    /** True if the state is that of a position. False while a sum has begun: the state is then that before the sum. */
    boolean isComplete()
    {
        return !sums.isPending();
    }

    void apply(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        state.beginRecord();
        switch (LogRecords.templateId(buffer, offset))
        {
            case EpochStartedDecoder.TEMPLATE_ID -> applyEpochStarted(buffer, offset);
            case TableCreatedDecoder.TEMPLATE_ID -> applyTableCreated(buffer, offset);
            case RowsUpdatedDecoder.TEMPLATE_ID -> applyRowsUpdated(buffer, offset, length, position);
            case RefusedDecoder.TEMPLATE_ID -> applyRefused(buffer, offset, position);
            case ClockDoneDecoder.TEMPLATE_ID -> applyClockDone(buffer, offset, position);
            case SequenceJumpedDecoder.TEMPLATE_ID -> applySequenceJumped(buffer, offset, position);
            case SlotTakenDecoder.TEMPLATE_ID -> applySlotTaken(buffer, offset, position);
            case ConsistencySetDecoder.TEMPLATE_ID -> applyConsistencySet(buffer, offset);
            case RateFactorSetDecoder.TEMPLATE_ID -> applyRateFactorSet(buffer, offset);
            case ClockSummedDecoder.TEMPLATE_ID -> sums.apply(buffer, offset, length, position);
            default -> throw new IllegalStateException(
                "unknown record templateId=" + LogRecords.templateId(buffer, offset) + " position=" + position);
        }
        if (isComplete())
        {
            export.onApplied();
        }
    }

    private void applyEpochStarted(final DirectBuffer buffer, final int offset)
    {
        sums.clear();
        state.epochs.add(LogRecords.epoch(buffer, offset), state.cursor.previousPosition());
    }

    private void applyTableCreated(final DirectBuffer buffer, final int offset)
    {
        tableCreated.wrapAndApplyHeader(buffer, offset, header);
        final ElementType elementType = ElementType.of(tableCreated.elementType());
        state.addTable(new TableSpec(
            tableCreated.tableId(),
            tableCreated.name(),
            tableCreated.dim(),
            elementType,
            tableCreated.rows(),
            tableCreated.initialiser(),
            tableCreated.initialiserSeed(),
            tableCreated.initialiserScale(),
            tableCreated.function()));
    }

    private void applyRowsUpdated(
        final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        rowsUpdated.wrapAndApplyHeader(buffer, offset, header);
        final RowsUpdatedDecoder.ContributionsDecoder contributions = rowsUpdated.contributions();
        while (contributions.hasNext())
        {
            contributions.next();
            final Slot slot = state.slotOrNew(contributions.slot());
            slot.apply(contributions.sequence(), contributions.acknowledgedThrough(), contributions.incarnation(),
                position);
        }

        sections.wrap(buffer, rowsUpdated.limit(), offset + length - rowsUpdated.limit());
        while (sections.next())
        {
            state.update(sections, copies, position);
        }
    }

    private void applyRefused(final DirectBuffer buffer, final int offset, final long position)
    {
        refused.wrapAndApplyHeader(buffer, offset, header);
        final Slot slot = state.slotOrNew(refused.slot());
        slot.apply(refused.sequence(), refused.acknowledgedThrough(), refused.incarnation(), position);
        slot.refuse(refused.sequence(), refused.code());
    }

    private void applyClockDone(final DirectBuffer buffer, final int offset, final long position)
    {
        clockDone.wrapAndApplyHeader(buffer, offset, header);
        final Slot slot = state.slotOrNew(clockDone.slot());
        slot.apply(clockDone.sequence(), clockDone.acknowledgedThrough(), clockDone.incarnation(), position);
        state.raiseClock(slot, clockDone.clock());
    }

    private void applySequenceJumped(final DirectBuffer buffer, final int offset, final long position)
    {
        sequenceJumped.wrapAndApplyHeader(buffer, offset, header);
        final Slot slot = state.slotOrNew(sequenceJumped.slot());
        slot.jump(
            sequenceJumped.fromSequence(), sequenceJumped.toSequence(), sequenceJumped.incarnation(), position);
        state.raiseClock(slot, sequenceJumped.clock());
    }

    private void applySlotTaken(final DirectBuffer buffer, final int offset, final long position)
    {
        slotTaken.wrapAndApplyHeader(buffer, offset, header);
        // before version 4 every holder was alone
        final SlotRole role = SlotTakenDecoder.roleNullValue() == slotTaken.role() ? SlotRole.SOLE :
            SlotRole.ofWire(slotTaken.role(), slotTaken.partsPerClock());
        if (null == role)
        {
            throw new IllegalStateException("unknown role=" + slotTaken.role() + " position=" + position);
        }
        state.slotOrNew(slotTaken.slot()).take(slotTaken.incarnation(), role, position);
    }

    private void applyConsistencySet(final DirectBuffer buffer, final int offset)
    {
        consistencySet.wrapAndApplyHeader(buffer, offset, header);
        final Consistency consistency = new Consistency(consistencySet.slots(), consistencySet.staleness());
        if (header.version() >= STEPS_ALWAYS_GO_ON_VERSION)
        {
            state.changeConsistency(consistency);
        }
        else
        {
            state.changeConsistencyOld(consistency, header.version() >= STEPS_GO_ON_VERSION);
        }
    }

    private void applyRateFactorSet(final DirectBuffer buffer, final int offset)
    {
        rateFactorSet.wrapAndApplyHeader(buffer, offset, header);
        state.table(rateFactorSet.tableId()).rateFactor(rateFactorSet.factor());
    }
}
