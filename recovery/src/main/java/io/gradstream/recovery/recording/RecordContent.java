// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.Refusal;
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

import java.util.ArrayList;
import java.util.List;

/**
 * The content of a log record, for people: its type, whose parts it holds, how many rows it changes. A flyweight over
 * one verified record at a time.
 */
public final class RecordContent
{
    /** One part of a slot. */
    public record Part(int slot, long sequence)
    {
    }

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final EpochStartedDecoder epochStarted = new EpochStartedDecoder();
    private final TableCreatedDecoder tableCreated = new TableCreatedDecoder();
    private final RowsUpdatedDecoder rowsUpdated = new RowsUpdatedDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final SequenceJumpedDecoder sequenceJumped = new SequenceJumpedDecoder();
    private final SlotTakenDecoder slotTaken = new SlotTakenDecoder();
    private final ConsistencySetDecoder consistencySet = new ConsistencySetDecoder();
    private final RateFactorSetDecoder rateFactorSet = new RateFactorSetDecoder();
    private final ClockSummedDecoder clockSummed = new ClockSummedDecoder();
    private final Sections sections = new Sections();
    private final List<Part> parts = new ArrayList<>();
    private String type;
    private String detail;
    private TableSpec table;
    private long rows;

    public RecordContent wrap(final DirectBuffer buffer, final int offset, final int length)
    {
        parts.clear();
        rows = 0;
        detail = "";
        table = null;
        switch (LogRecords.templateId(buffer, offset))
        {
            case EpochStartedDecoder.TEMPLATE_ID -> onEpochStarted(buffer, offset);
            case TableCreatedDecoder.TEMPLATE_ID -> onTableCreated(buffer, offset);
            case RowsUpdatedDecoder.TEMPLATE_ID -> onRowsUpdated(buffer, offset, length);
            case RefusedDecoder.TEMPLATE_ID -> onRefused(buffer, offset);
            case ClockDoneDecoder.TEMPLATE_ID -> onClockDone(buffer, offset);
            case SequenceJumpedDecoder.TEMPLATE_ID -> onSequenceJumped(buffer, offset);
            case SlotTakenDecoder.TEMPLATE_ID -> onSlotTaken(buffer, offset);
            case ConsistencySetDecoder.TEMPLATE_ID -> onConsistencySet(buffer, offset);
            case RateFactorSetDecoder.TEMPLATE_ID -> onRateFactorSet(buffer, offset);
            case ClockSummedDecoder.TEMPLATE_ID -> onClockSummed(buffer, offset, length);
            default -> type = "template-" + LogRecords.templateId(buffer, offset);
        }

        return this;
    }

    /** Name of the record's template in the schema; {@code template-N} for one that this version does not know. */
    public String type()
    {
        return type;
    }

    /** The parts that the record holds, until the next record; none for a record that no worker caused. */
    public List<Part> parts()
    {
        return parts;
    }

    /** Rows it changes, over all tables. */
    public long rows()
    {
        return rows;
    }

    /** The other facts of the record: {@code name=value} fields, or an empty text. */
    public String detail()
    {
        return detail;
    }

    /** The table it creates, or null. */
    public TableSpec table()
    {
        return table;
    }

    private void onEpochStarted(final DirectBuffer buffer, final int offset)
    {
        type = "EpochStarted";
        detail = "node=" + epochStarted.wrapAndApplyHeader(buffer, offset, header).nodeId();
    }

    private void onTableCreated(final DirectBuffer buffer, final int offset)
    {
        type = "TableCreated";
        tableCreated.wrapAndApplyHeader(buffer, offset, header);
        table = new TableSpec(
            tableCreated.tableId(), tableCreated.name(), tableCreated.dim(),
            ElementType.of(tableCreated.elementType()), tableCreated.rows(), tableCreated.initialiser(),
            tableCreated.initialiserSeed(), tableCreated.initialiserScale(), tableCreated.function());
        detail = "table=" + table.tableId() + " name=" + table.name();
    }

    private void onRowsUpdated(final DirectBuffer buffer, final int offset, final int length)
    {
        type = "RowsUpdated";
        rowsUpdated.wrapAndApplyHeader(buffer, offset, header);
        for (final RowsUpdatedDecoder.ContributionsDecoder part : rowsUpdated.contributions())
        {
            parts.add(new Part(part.slot(), part.sequence()));
        }
        countRows(buffer, rowsUpdated.limit(), offset + length);
    }

    private void onClockSummed(final DirectBuffer buffer, final int offset, final int length)
    {
        type = "ClockSummed";
        clockSummed.wrapAndApplyHeader(buffer, offset, header);
        detail = 0 == clockSummed.isLast() ? "goes on" : "complete";
        for (final ClockSummedDecoder.ContributionsDecoder part : clockSummed.contributions())
        {
            parts.add(new Part(part.slot(), part.sequence()));
            detail = Consistency.FINISHED == part.clock() ? detail : "clock=" + part.clock();
        }
        for (final ClockSummedDecoder.RefusalsDecoder part : clockSummed.refusals())
        {
            detail += " refused=" + part.slot() + "/" + part.sequence() + "/" + Refusal.of(part.code());
        }
        countRows(buffer, clockSummed.limit(), offset + length);
    }

    private void countRows(final DirectBuffer buffer, final int sectionsOffset, final int end)
    {
        sections.wrap(buffer, sectionsOffset, end - sectionsOffset);
        while (sections.next())
        {
            rows += sections.rowCount();
        }
    }

    private void onRefused(final DirectBuffer buffer, final int offset)
    {
        type = "Refused";
        refused.wrapAndApplyHeader(buffer, offset, header);
        parts.add(new Part(refused.slot(), refused.sequence()));
        detail = "refusal=" + Refusal.of(refused.code());
    }

    private void onClockDone(final DirectBuffer buffer, final int offset)
    {
        type = "ClockDone";
        clockDone.wrapAndApplyHeader(buffer, offset, header);
        parts.add(new Part(clockDone.slot(), clockDone.sequence()));
        detail = "clock=" + clockDone.clock();
    }

    private void onSequenceJumped(final DirectBuffer buffer, final int offset)
    {
        type = "SequenceJumped";
        sequenceJumped.wrapAndApplyHeader(buffer, offset, header);
        parts.add(new Part(sequenceJumped.slot(), sequenceJumped.toSequence()));
        detail = "lost from=" + sequenceJumped.fromSequence() + " to=" + sequenceJumped.toSequence() +
            " clock=" + sequenceJumped.clock();
    }

    private void onSlotTaken(final DirectBuffer buffer, final int offset)
    {
        type = "SlotTaken";
        slotTaken.wrapAndApplyHeader(buffer, offset, header);
        detail = "slot=" + slotTaken.slot() + " incarnation=" + slotTaken.incarnation() +
            (isBackup(slotTaken.role()) ? " backup" : "");
    }

    private static boolean isBackup(final int role)
    {
        return SlotRole.Kind.BACKUP.ordinal() == role;
    }

    private void onConsistencySet(final DirectBuffer buffer, final int offset)
    {
        type = "ConsistencySet";
        consistencySet.wrapAndApplyHeader(buffer, offset, header);
        detail = "slots=" + consistencySet.slots() + " staleness=" +
            consistencySet.staleness();
    }

    private void onRateFactorSet(final DirectBuffer buffer, final int offset)
    {
        type = "RateFactorSet";
        rateFactorSet.wrapAndApplyHeader(buffer, offset, header);
        detail = "table=" + rateFactorSet.tableId() + " factor=" + rateFactorSet.factor();
    }
}
