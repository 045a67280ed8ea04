// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.server.table.RowObserver;
import io.gradstream.server.table.RowTable;

/** Copies rows before they change, for the snapshot and the model that are being written. */
final class RowCopies implements RowObserver
{
    private final RowSweep snapshot;
    private final RowSweep model;

    RowCopies(final RowSweep snapshot, final RowSweep model)
    {
        this.snapshot = snapshot;
        this.model = model;
    }

    @Override
    public void beforeUpdate(final RowTable table, final int index)
    {
        snapshot.beforeUpdate(table, index);
        model.beforeUpdate(table, index);
    }

    /** True if so many bytes of rows may change now. */
    boolean hasRoomFor(final long bytes)
    {
        // both are asked: each notes that a change waits for it
        return snapshot.hasRoomFor(bytes) & model.hasRoomFor(bytes);
    }

    /** True if one more record surely fits. */
    boolean hasRoom()
    {
        return snapshot.hasRoom() && model.hasRoom();
    }
}
