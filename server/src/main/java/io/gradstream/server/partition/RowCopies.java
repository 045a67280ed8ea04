/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
