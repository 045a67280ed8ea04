// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.server.table.RowObserver;
import io.gradstream.server.table.RowTable;

/**
 * Who copies rows before they change: the snapshot and the model that are being written.
 */
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

    /** May so many bytes of rows change now? */
    boolean hasRoomFor(final long bytes)
    {
        // both are asked: each notes what waits for it
        return snapshot.hasRoomFor(bytes) & model.hasRoomFor(bytes);
    }

    /** Does one more record surely fit? */
    boolean hasRoom()
    {
        return snapshot.hasRoom() && model.hasRoom();
    }
}
