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
package io.gradstream.worker.model;

import io.gradstream.codecs.TableSpec;
import io.gradstream.model.ModelHandler;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The tables of a model that several partitions send: each has all of them, and they are handed on once. How many bytes
 * of state a row has is known with the first row, so a table is handed on then; one without rows has none.
 */
final class ModelTables
{
    private static final int UNKNOWN = -1;

    private final ModelHandler handler;
    private final Int2ObjectHashMap<TableSpec> specs = new Int2ObjectHashMap<>();
    private final Int2IntHashMap stateLengths = new Int2IntHashMap(UNKNOWN);

    ModelTables(final ModelHandler handler)
    {
        this.handler = handler;
    }

    /** A partition has a table; returns null, or why it cannot be the same model's. */
    String onTable(final TableSpec spec)
    {
        final TableSpec known = specs.putIfAbsent(spec.tableId(), spec);

        return null == known || known.equals(spec) ? null :
            "table " + spec.tableId() + " differs between partitions: " + known.difference(spec);
    }

    /** A partition has rows of so many bytes of values and state; returns null, or why they cannot be the table's. */
    String checkRows(final int tableId, final int length)
    {
        final TableSpec spec = specs.get(tableId);
        final int stateLength = null == spec ? UNKNOWN : length - spec.valuesLength();
        if (stateLength < 0)
        {
            return "rows do not fit table " + tableId;
        }
        final int known = stateLengths.get(tableId);
        if (UNKNOWN == known)
        {
            stateLengths.put(tableId, stateLength);
            handler.onTable(spec, stateLength);
        }

        return UNKNOWN == known || known == stateLength ? null : "rows of table " + tableId + " differ in length";
    }

    void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
    {
        handler.onRow(tableId, key, row, offset);
    }

    /** All partitions are complete: hand on the tables that have no rows. */
    void complete()
    {
        specs.values().forEach((spec) ->
        {
            if (!stateLengths.containsKey(spec.tableId()))
            {
                handler.onTable(spec, 0);
            }
        });
    }
}
