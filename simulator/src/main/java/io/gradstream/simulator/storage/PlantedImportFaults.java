// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.simulator.world.BufferArena;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.PlantedFault;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** Commits the planted faults of rows that are imported: on their way into the log, and in snapshots. */
public final class PlantedImportFaults
{
    private static final int VERSION_LENGTH = Long.BYTES;
    private static final int VALUES_LENGTH = Imports.TABLE.valuesLength();

    private PlantedImportFaults()
    {
    }

    /**
     * A primary is about to take a push.
     *
     * @param sections of the push, at the first of them.
     * @param content  of the push.
     */
    public static void onPush(final Sections sections, final UnsafeBuffer content, final PlantedFault planted)
    {
        final boolean isHalf = PlantedFault.HALF_OF_ROW_IMPORTED == planted;
        if (!isHalf && PlantedFault.IMPORT_WITHOUT_STATE != planted || !sections.isRows())
        {
            return;
        }
        for (int i = 0; i < sections.rowCount(); i++)
        {
            final int row = sections.valuesOffset() + i * Imports.ROW_LENGTH;
            content.setMemory(isHalf ? row + Float.BYTES : row + VALUES_LENGTH, isHalf ? Float.BYTES : VALUES_LENGTH,
                (byte)0);
        }
    }

    static boolean isInSnapshot(final PlantedFault planted)
    {
        return PlantedFault.STATE_OF_IMPORT_LOST_IN_SNAPSHOT == planted ||
            PlantedFault.IMPORT_BACK_IN_SNAPSHOT == planted;
    }

    /** Returns what is read in place of a frame of a snapshot. */
    static UnsafeBuffer frame(final UnsafeBuffer frame, final int number, final PlantedFault planted)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        if (RowsStateDecoder.TEMPLATE_ID != header.wrap(frame, 0).templateId())
        {
            return frame;
        }
        final UnsafeBuffer copy = BufferArena.copy(frame, 0, frame.capacity());
        final RowsStateDecoder rows = new RowsStateDecoder().wrapAndApplyHeader(copy, 0, header);
        int at = rows.limit() + RowsStateDecoder.rowDataHeaderLength() + Long.BYTES + VERSION_LENGTH;
        for (int i = 0; Imports.TABLE.tableId() == rows.tableId() && i < rows.rowCount(); i++)
        {
            if (PlantedFault.STATE_OF_IMPORT_LOST_IN_SNAPSHOT == planted)
            {
                copy.setMemory(at + VALUES_LENGTH, VALUES_LENGTH, (byte)0);
            }
            else
            {
                takeBack(copy, at);
            }
            at += Long.BYTES + rows.rowLength();
        }
        SnapshotFrames.seal(copy, 0, copy.capacity(), number);

        return copy;
    }

    /**
     * The two elements of a row change alike, and when imported the second is a known multiple of the first: their
     * difference tells with what the row was imported.
     */
    private static void takeBack(final UnsafeBuffer buffer, final int at)
    {
        final float first = buffer.getFloat(at, ByteOrder.LITTLE_ENDIAN);
        final float second = buffer.getFloat(at + Float.BYTES, ByteOrder.LITTLE_ENDIAN);
        final int value = Math.round((second - first) / (Imports.row(1)[1] - Imports.row(1)[0]));
        buffer.putFloat(at, Imports.row(value)[0], ByteOrder.LITTLE_ENDIAN);
        buffer.putFloat(at + Float.BYTES, Imports.row(value)[1], ByteOrder.LITTLE_ENDIAN);
    }
}
