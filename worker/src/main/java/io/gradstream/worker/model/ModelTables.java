// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
