// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.codecs.snapshot.SnapshotEndedDecoder;
import io.gradstream.codecs.snapshot.SnapshotStartedDecoder;
import io.gradstream.codecs.snapshot.TableStateDecoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the frames that one partition sends of a model, each checked before it is used, and hands tables and rows on.
 */
final class ModelFrames
{
    /** Bytes of a row before its values: its version. */
    private static final int VERSION_LENGTH = 8;

    private final ModelTables tables;
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(64 * 1024));
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final TableStateDecoder table = new TableStateDecoder();
    private final RowsStateDecoder rowsState = new RowsStateDecoder();
    private final SnapshotEndedDecoder ended = new SnapshotEndedDecoder();
    private int frames;
    private long rows;
    private boolean isComplete;

    ModelFrames(final ModelTables tables)
    {
        this.tables = tables;
    }

    boolean isComplete()
    {
        return isComplete;
    }

    /** Take the next frame. Null, or one line that says what is wrong: one was lost, or is damaged. */
    String onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > frame.capacity() || isComplete)
        {
            return "frame=" + frames + " is out of place, length=" + length;
        }
        // checksums are computed off heap
        frame.putBytes(0, buffer, offset, length);
        final String problem = SnapshotFrames.verify(frame, 0, length, frames);
        if (null != problem)
        {
            return "frame=" + frames + ": " + problem;
        }
        header.wrap(frame, 0);
        final String wrong = switch (header.templateId())
        {
            case SnapshotStartedDecoder.TEMPLATE_ID -> null;
            case TableStateDecoder.TEMPLATE_ID -> onTable();
            case RowsStateDecoder.TEMPLATE_ID -> onRows();
            case SnapshotEndedDecoder.TEMPLATE_ID -> onEnded();
            default -> "frame=" + frames + " is of an unknown kind";
        };
        frames++;

        return wrong;
    }

    private String onTable()
    {
        table.wrapAndApplyHeader(frame, 0, header);
        return tables.onTable(new TableSpec(
            table.tableId(),
            table.name(),
            table.dim(),
            ElementType.of(table.elementType()),
            table.rows(),
            table.initialiser(),
            table.initialiserSeed(),
            table.initialiserScale(),
            table.function()));
    }

    private String onRows()
    {
        rowsState.wrapAndApplyHeader(frame, 0, header);
        final int rowLength = rowsState.rowLength();
        final int count = rowsState.rowCount();
        final int tableId = rowsState.tableId();
        if (rowsState.rowDataLength() != count * (Long.BYTES + rowLength))
        {
            return "frame=" + frames + ": rowCount=" + count;
        }
        final String wrong = tables.checkRows(tableId, rowLength - VERSION_LENGTH);
        int at = rowsState.limit() + RowsStateDecoder.rowDataHeaderLength();
        for (int i = 0; null == wrong && i < count; i++)
        {
            tables.onRow(
                tableId, frame.getLong(at, ByteOrder.LITTLE_ENDIAN), frame, at + Long.BYTES + VERSION_LENGTH);
            at += Long.BYTES + rowLength;
        }
        rows += count;

        return wrong;
    }

    private String onEnded()
    {
        ended.wrapAndApplyHeader(frame, 0, header);
        isComplete = ended.frames() == frames + 1 && ended.rowCount() == rows;

        return isComplete ? null : "frames=" + (frames + 1) + " of " + ended.frames() + " rows=" + rows + " of " +
            ended.rowCount();
    }
}
