// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.codecs.TableSpec;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.model.ModelHandler;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Hands rows of values alone on with the state that their table's update function gives new rows: zeros.
 */
final class ZeroState implements ModelHandler
{
    private final ModelHandler next;
    private final UpdateFunctions functions;
    private final Int2ObjectHashMap<UnsafeBuffer> rowByTable = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<TableSpec> specByTable = new Int2ObjectHashMap<>();

    ZeroState(final ModelHandler next, final UpdateFunctions functions)
    {
        this.next = next;
        this.functions = functions;
    }

    @Override
    public void onTable(final TableSpec spec, final int stateLength)
    {
        final int length = spec.dim() * functions.parse(spec.function()).statePerValue() * Float.BYTES;
        specByTable.put(spec.tableId(), spec);
        rowByTable.put(spec.tableId(), new UnsafeBuffer(new byte[spec.valuesLength() + length]));
        next.onTable(spec, length);
    }

    @Override
    public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
    {
        final UnsafeBuffer whole = rowByTable.get(tableId);
        whole.putBytes(0, row, offset, specByTable.get(tableId).valuesLength());
        next.onRow(tableId, key, whole, 0);
    }
}
