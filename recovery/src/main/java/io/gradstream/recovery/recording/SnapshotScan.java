// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.snapshot.EpochEntryDecoder;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.codecs.snapshot.SlotStateDecoder;
import io.gradstream.codecs.snapshot.SnapshotStartedDecoder;
import io.gradstream.codecs.snapshot.TableStateDecoder;
import io.gradstream.recovery.archive.SnapshotCheck;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.StreamReport.State;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A snapshot read and checked from its first frame to its last, with what there is to say about it but its rows. */
public final class SnapshotScan
{
    private final SnapshotCheck check = new SnapshotCheck();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final List<LogScan.Epoch> epochs = new ArrayList<>();
    private final List<TableSpec> tables = new ArrayList<>();
    private final TreeMap<Integer, Long> slots = new TreeMap<>();
    private final TreeMap<Integer, Long> rows = new TreeMap<>();
    private long epoch;
    private long index;
    private long chainHash;
    private StreamReport report;

    private SnapshotScan()
    {
    }

    public static SnapshotScan run(final RecordingDirectory directory, final RecordingEntry entry)
    {
        final SnapshotScan scan = new SnapshotScan();
        try (RecordingReader reader = directory.read(entry))
        {
            scan.read(entry, reader);
        }

        return scan;
    }

    /**
     * The report that says whether the snapshot is sound and whole.
     *
     * @return the report; only {@link State#COMPLETE} counts as a snapshot.
     */
    public StreamReport report()
    {
        return report;
    }

    /** Position of the log that it stands for. */
    public long position()
    {
        return check.position();
    }

    /** Number of the last record that is in it. */
    public long index()
    {
        return index;
    }

    /** Chain hash of the last record that is in it. */
    public long chainHash()
    {
        return chainHash;
    }

    /** Epochs it knows, oldest first. */
    public List<LogScan.Epoch> epochs()
    {
        return epochs;
    }

    public List<TableSpec> tables()
    {
        return tables;
    }

    /** Last sequence of each slot. */
    public TreeMap<Integer, Long> slots()
    {
        return slots;
    }

    public TreeMap<Integer, Long> rows()
    {
        return rows;
    }

    private void read(final RecordingEntry entry, final RecordingReader reader)
    {
        long frames = 0;
        String problem = null;
        while (null == problem && reader.next())
        {
            problem = checkFrame(reader);
            if (null == problem)
            {
                frames++;
                onFrame(reader.buffer(), reader.offset());
            }
        }
        if (null != problem)
        {
            report = new StreamReport(
                entry, State.BROKEN, reader.beginPosition(), epoch, frames, check.position(), problem);
            return;
        }

        final boolean isBroken = RecordingReader.End.BROKEN == reader.end();
        final State state = isBroken ? State.BROKEN : check.isEnded() ? State.COMPLETE : State.UNFINISHED;
        final String remark = State.UNFINISHED == state ? "it has no end and never counted" : reader.problem();
        report = new StreamReport(
            entry, state, reader.position(), epoch, frames, check.position(),
            State.COMPLETE == state ? null : remark);
    }

    private String checkFrame(final RecordingReader reader)
    {
        try
        {
            if (reader.length() < SnapshotFrames.ENVELOPE_LENGTH)
            {
                return "frame too short, length=" + reader.length();
            }
            check.onRecord(reader.buffer(), reader.offset(), reader.length(), reader.position());
            return null;
        }
        catch (final ReplayException ex)
        {
            return ex.getMessage();
        }
    }

    private void onFrame(final DirectBuffer buffer, final int offset)
    {
        switch (header.wrap(buffer, offset).templateId())
        {
            case SnapshotStartedDecoder.TEMPLATE_ID -> onStarted(buffer, offset);
            case EpochEntryDecoder.TEMPLATE_ID -> onEpochEntry(buffer, offset);
            case SlotStateDecoder.TEMPLATE_ID -> onSlotState(buffer, offset);
            case TableStateDecoder.TEMPLATE_ID -> onTableState(buffer, offset);
            case RowsStateDecoder.TEMPLATE_ID -> onRowsState(buffer, offset);
            default ->
            {
            }
        }
    }

    private void onStarted(final DirectBuffer buffer, final int offset)
    {
        final SnapshotStartedDecoder started =
            new SnapshotStartedDecoder().wrapAndApplyHeader(buffer, offset, header);
        epoch = started.epoch();
        index = started.index();
        chainHash = started.chainHash();
    }

    private void onEpochEntry(final DirectBuffer buffer, final int offset)
    {
        final EpochEntryDecoder entry = new EpochEntryDecoder().wrapAndApplyHeader(buffer, offset, header);
        epochs.add(new LogScan.Epoch(entry.epoch(), entry.startPosition()));
    }

    private void onSlotState(final DirectBuffer buffer, final int offset)
    {
        final SlotStateDecoder slot = new SlotStateDecoder().wrapAndApplyHeader(buffer, offset, header);
        slots.put(slot.slot(), slot.lastSequence());
    }

    private void onTableState(final DirectBuffer buffer, final int offset)
    {
        final TableStateDecoder table = new TableStateDecoder().wrapAndApplyHeader(buffer, offset, header);
        tables.add(new TableSpec(
            table.tableId(), table.name(), table.dim(), ElementType.of(table.elementType()), table.rows(),
            table.initialiser(), table.initialiserSeed(), table.initialiserScale(), table.function()));
    }

    private void onRowsState(final DirectBuffer buffer, final int offset)
    {
        final RowsStateDecoder frame = new RowsStateDecoder().wrapAndApplyHeader(buffer, offset, header);
        rows.merge(frame.tableId(), (long)frame.rowCount(), Long::sum);
    }
}
