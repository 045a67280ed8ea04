// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.server.table.RowObserver;
import io.gradstream.server.table.RowTable;

/** Copies rows before they change, for the snapshot and the export that are being written. */
final class CopyOnWriteRows implements RowObserver
{
    private final RowScan snapshot;
    private final RowScan export;

    CopyOnWriteRows(final RowScan snapshot, final RowScan export)
    {
        this.snapshot = snapshot;
        this.export = export;
    }

    @Override
    public void beforeUpdate(final RowTable table, final int index)
    {
        snapshot.beforeUpdate(table, index);
        export.beforeUpdate(table, index);
    }

    /** True if so many bytes of rows may change now. */
    boolean hasRoomFor(final long bytes)
    {
        // both are asked: each notes that a change waits for it
        return snapshot.hasRoomFor(bytes) & export.hasRoomFor(bytes);
    }

    /** True if one more record surely fits. */
    boolean hasRoom()
    {
        return snapshot.hasRoom() && export.hasRoom();
    }
}
