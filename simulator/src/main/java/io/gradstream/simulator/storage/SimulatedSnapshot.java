// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.codecs.snapshot.SlotRefusalsDecoder;
import io.gradstream.codecs.snapshot.SlotRefusalsEncoder;
import io.gradstream.codecs.snapshot.SlotStateDecoder;
import io.gradstream.codecs.snapshot.SlotStateEncoder;
import io.gradstream.recovery.log.SnapshotSink;
import io.gradstream.simulator.world.BufferArena;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.RowReader;
import io.gradstream.simulator.world.ScenarioConfig;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A snapshot while it is taken and afterwards; it counts once it is complete and verified. */
final class SimulatedSnapshot implements SnapshotSink
{
    private static final int VERSION_LENGTH = 8;

    private final long position;
    private final SimulatedStorage storage;
    private final Faults faults;
    private final RowReader youngerRows;
    private final int maxFrameLength;
    private final List<UnsafeBuffer> frames = new ArrayList<>();
    private final long[] lasts = new long[ScenarioConfig.MOST_SLOTS];
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private UnsafeBuffer claim;
    private int recordingsToVerify = 4;
    private boolean isComplete;
    private boolean isKept;
    private boolean isRotten;
    private boolean isAbandoned;

    /**
     * An empty one.
     *
     * @param youngerRows null, or what overwrites the rows given: the planted fault of no copy before write.
     */
    SimulatedSnapshot(
        final long position,
        final SimulatedStorage storage,
        final Faults faults,
        final RowReader youngerRows,
        final int maxFrameLength)
    {
        this.maxFrameLength = maxFrameLength;
        this.position = position;
        this.storage = storage;
        this.faults = faults;
        this.youngerRows = youngerRows;
    }

    long position()
    {
        return position;
    }

    boolean isUnderWay()
    {
        return isComplete && !isKept && !isAbandoned;
    }

    /** Its log is cut off or deleted: it must not count any more. */
    void abandon()
    {
        isAbandoned = true;
    }

    /** The Archive reads it back; whoever has taken it need not be there any more. */
    void verify()
    {
        if (isComplete && !isKept && !isAbandoned && --recordingsToVerify <= 0 && storage.mayCount(position))
        {
            isKept = true;
            storage.count(this);
        }
    }

    long last(final int slot)
    {
        return lasts[slot];
    }

    boolean isSound()
    {
        return !isRotten;
    }

    void rot()
    {
        isRotten = true;
    }

    List<UnsafeBuffer> read(final PlantedFault planted)
    {
        final List<UnsafeBuffer> read = new ArrayList<>(frames);
        for (int i = 0; i < frames.size() && isSound() && PlantedImportFaults.isInSnapshot(planted); i++)
        {
            read.set(i, PlantedImportFaults.frame(frames.get(i), i, planted));
        }
        final boolean isChanged =
            PlantedFault.DEDUPE_TABLE_LOST == planted || PlantedFault.REFUSALS_LOST_IN_SNAPSHOT == planted;
        for (int i = 0; i < frames.size() && isSound(); i++)
        {
            if (PlantedFault.FURTHER_REFUSALS_LOST_IN_SNAPSHOT == planted &&
                SlotRefusalsDecoder.TEMPLATE_ID == header.wrap(frames.get(i), 0).templateId())
            {
                read.set(i, withoutRefusals(frames.get(i), i));
            }
        }
        for (int i = 0; i < frames.size() && isChanged && isSound(); i++)
        {
            if (SlotStateDecoder.TEMPLATE_ID == header.wrap(frames.get(i), 0).templateId())
            {
                final UnsafeBuffer copy = changedSlot(frames.get(i), PlantedFault.DEDUPE_TABLE_LOST == planted);
                SnapshotFrames.seal(copy, 0, copy.capacity(), i);
                read.set(i, copy);
            }
        }

        return read;
    }

    /** Without the last sequence, or without the refusals. */
    private static UnsafeBuffer changedSlot(final UnsafeBuffer frame, final boolean isWithoutLast)
    {
        final SlotStateEncoder encoder = new SlotStateEncoder();
        final int body = MessageHeaderDecoder.ENCODED_LENGTH;
        final int length = isWithoutLast ? frame.capacity() :
            body + SlotStateEncoder.BLOCK_LENGTH + SlotStateEncoder.RefusalsEncoder.sbeHeaderSize();
        final UnsafeBuffer copy = BufferArena.direct(length);
        copy.putBytes(0, frame, 0, length);
        encoder.wrap(copy, body);
        if (isWithoutLast)
        {
            encoder.lastSequence(0);
        }
        else
        {
            encoder.refusalsCount(0);
        }

        return copy;
    }

    private static UnsafeBuffer withoutRefusals(final UnsafeBuffer frame, final int number)
    {
        final int length = MessageHeaderDecoder.ENCODED_LENGTH + SlotRefusalsEncoder.BLOCK_LENGTH +
            SlotRefusalsEncoder.RefusalsEncoder.sbeHeaderSize();
        final UnsafeBuffer copy = BufferArena.direct(length);
        copy.putBytes(0, frame, 0, length);
        new SlotRefusalsEncoder().wrap(copy, MessageHeaderDecoder.ENCODED_LENGTH).refusalsCount(0);
        SnapshotFrames.seal(copy, 0, length, number);

        return copy;
    }

    @Override
    public int maxFrameLength()
    {
        return maxFrameLength;
    }

    @Override
    public boolean tryClaim(final int length)
    {
        storage.step();
        if (length > maxFrameLength)
        {
            // as Aeron does
            throw new IllegalArgumentException("frame of length=" + length + ", longest=" + maxFrameLength);
        }
        if (faults.strike(FaultClass.LOG_FULL, 0.5))
        {
            return false;
        }
        claim = BufferArena.direct(length);

        return true;
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return claim;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public void commit()
    {
        final int templateId = header.wrap(claim, 0).templateId();
        if (SlotStateDecoder.TEMPLATE_ID == templateId)
        {
            final SlotStateDecoder slot = new SlotStateDecoder().wrapAndApplyHeader(claim, 0, header);
            lasts[slot.slot()] = slot.lastSequence();
        }
        if (null != youngerRows && RowsStateDecoder.TEMPLATE_ID == templateId)
        {
            overwriteRows();
        }
        frames.add(claim);
        storage.step();
    }

    @Override
    public void complete()
    {
        storage.step();
        isComplete = true;
    }

    @Override
    public boolean hasFailed()
    {
        return isAbandoned;
    }

    @Override
    public boolean isVerified()
    {
        storage.step();

        return isKept;
    }

    @Override
    public long olderPosition()
    {
        return isKept ? storage.olderPosition(position) : 0;
    }

    private void overwriteRows()
    {
        final RowsStateDecoder rows = new RowsStateDecoder().wrapAndApplyHeader(claim, 0, header);
        int offset = rows.limit() + RowsStateDecoder.rowDataHeaderLength();
        for (int i = 0; i < rows.rowCount(); i++)
        {
            youngerRows.readRow(rows.tableId(), claim.getLong(offset, ByteOrder.LITTLE_ENDIAN), claim,
                offset + Long.BYTES + VERSION_LENGTH);
            offset += Long.BYTES + rows.rowLength();
        }
        SnapshotFrames.seal(claim, 0, claim.capacity(), frames.size());
    }
}
