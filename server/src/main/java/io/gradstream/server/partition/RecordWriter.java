// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.log.ClockDoneEncoder;
import io.gradstream.codecs.log.ConsistencySetEncoder;
import io.gradstream.codecs.log.EpochStartedEncoder;
import io.gradstream.codecs.log.MessageHeaderEncoder;
import io.gradstream.codecs.log.RateFactorSetEncoder;
import io.gradstream.codecs.log.RefusedEncoder;
import io.gradstream.codecs.log.RowsUpdatedEncoder;
import io.gradstream.codecs.log.SequenceJumpedEncoder;
import io.gradstream.codecs.log.SlotTakenEncoder;
import io.gradstream.codecs.log.TableCreatedEncoder;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.server.table.RowTable;

/**
 * Appends the records of a partition to its log, which applies them. Each method returns false when the log has no room
 * now; then nothing has happened.
 */
final class RecordWriter
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int ROWS_UPDATED_LENGTH = HEADER_LENGTH + RowsUpdatedEncoder.BLOCK_LENGTH +
        RowsUpdatedEncoder.ContributionsEncoder.sbeHeaderSize() +
        RowsUpdatedEncoder.ContributionsEncoder.sbeBlockLength();

    private final LogAppender appender;
    private final PartitionState state;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EpochStartedEncoder epochStarted = new EpochStartedEncoder();
    private final TableCreatedEncoder tableCreated = new TableCreatedEncoder();
    private final RowsUpdatedEncoder rowsUpdated = new RowsUpdatedEncoder();
    private final RefusedEncoder refused = new RefusedEncoder();
    private final ClockDoneEncoder clockDone = new ClockDoneEncoder();
    private final SequenceJumpedEncoder sequenceJumped = new SequenceJumpedEncoder();
    private final SlotTakenEncoder slotTaken = new SlotTakenEncoder();
    private final ConsistencySetEncoder consistencySet = new ConsistencySetEncoder();
    private final RateFactorSetEncoder rateFactorSet = new RateFactorSetEncoder();

    RecordWriter(final LogAppender appender, final PartitionState state)
    {
        this.appender = appender;
        this.state = state;
    }

    LogAppender appender()
    {
        return appender;
    }

    static int rowsUpdatedLength(final int sectionsLength)
    {
        return ROWS_UPDATED_LENGTH + sectionsLength;
    }

    boolean appendEpochStarted(final int nodeId)
    {
        if (!appender.tryClaim(HEADER_LENGTH + EpochStartedEncoder.BLOCK_LENGTH))
        {
            return false;
        }
        epochStarted.wrapAndApplyHeader(appender.buffer(), appender.offset(), header).nodeId(nodeId);

        return append();
    }

    boolean appendTableCreated(final TableSpec spec)
    {
        if (!appender.tryClaim(HEADER_LENGTH + TableCreatedEncoder.BLOCK_LENGTH +
            TableCreatedEncoder.nameHeaderLength() + spec.name().length() +
            TableCreatedEncoder.functionHeaderLength() + spec.function().length()))
        {
            return false;
        }
        tableCreated.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .rows(spec.rows())
            .initialiserSeed(spec.initialiserSeed())
            .tableId(spec.tableId())
            .dim(spec.dim())
            .elementType((short)spec.elementType().code())
            .initialiser((short)spec.initialiser())
            .initialiserScale(spec.initialiserScale())
            .name(spec.name())
            .function(spec.function());

        return append();
    }

    boolean appendRowsUpdated(final PushPartHeader part, final Sections sections)
    {
        if (!appender.tryClaim(rowsUpdatedLength(sections.length())))
        {
            return false;
        }
        rowsUpdated.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .contributionsCount(1).next()
            .sequence(part.sequence)
            .acknowledgedThrough(part.acknowledgedThrough)
            .incarnation(part.incarnation)
            .clock(part.clock)
            .slot(part.slot);
        appender.buffer().putBytes(rowsUpdated.limit(), sections.buffer(), sections.offset(), sections.length());

        return append();
    }

    boolean appendRefused(final PushPartHeader part, final Refusal refusal)
    {
        if (!appender.tryClaim(HEADER_LENGTH + RefusedEncoder.BLOCK_LENGTH))
        {
            return false;
        }
        refused.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .sequence(part.sequence)
            .acknowledgedThrough(part.acknowledgedThrough)
            .incarnation(part.incarnation)
            .slot(part.slot)
            .code((short)refusal.code());

        return append();
    }

    boolean appendClockDone(final PushPartHeader part)
    {
        if (!appender.tryClaim(HEADER_LENGTH + ClockDoneEncoder.BLOCK_LENGTH))
        {
            return false;
        }
        clockDone.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .sequence(part.sequence)
            .acknowledgedThrough(part.acknowledgedThrough)
            .incarnation(part.incarnation)
            .clock(part.clock)
            .slot(part.slot);

        return append();
    }

    boolean appendSequenceJumped(
        final int slot, final long incarnation, final long fromSequence, final long toSequence, final long clock)
    {
        if (!appender.tryClaim(HEADER_LENGTH + SequenceJumpedEncoder.BLOCK_LENGTH))
        {
            return false;
        }
        sequenceJumped.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .fromSequence(fromSequence)
            .toSequence(toSequence)
            .incarnation(incarnation)
            .clock(clock)
            .slot(slot);

        return append();
    }

    boolean appendSlotTaken(final int slot, final long incarnation, final SlotRole role)
    {
        if (!appender.tryClaim(HEADER_LENGTH + SlotTakenEncoder.BLOCK_LENGTH))
        {
            return false;
        }
        slotTaken.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .incarnation(incarnation)
            .slot(slot)
            .role((short)role.code())
            .partsPerClock((short)role.partsPerClock());

        return append();
    }

    boolean appendConsistencySet(final Consistency consistency)
    {
        if (!appender.tryClaim(HEADER_LENGTH + ConsistencySetEncoder.BLOCK_LENGTH))
        {
            return false;
        }
        consistencySet.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .slots(consistency.slots())
            .staleness(consistency.staleness());

        return append();
    }

    /**
     * Decide what rates count by in the next update, and log where that is not as before. A table that is not updated
     * does not come to a next step, but where slots are bound.
     */
    boolean appendRateFactors()
    {
        boolean isAppended = true;
        for (int i = 0; isAppended && i < state.scheduled().size(); i++)
        {
            final RowTable table = state.scheduled().get(i);
            final float factor = table.schedule().factor(state.rateStep(table));
            isAppended = factor == table.rateFactor() || appendRateFactorSet(table.spec().tableId(), factor);
        }

        return isAppended;
    }

    private boolean appendRateFactorSet(final int tableId, final float factor)
    {
        if (!appender.tryClaim(HEADER_LENGTH + RateFactorSetEncoder.BLOCK_LENGTH))
        {
            return false;
        }
        rateFactorSet.wrapAndApplyHeader(appender.buffer(), appender.offset(), header)
            .tableId(tableId)
            .factor(factor);

        return append();
    }

    private boolean append()
    {
        appender.append();
        return true;
    }
}
