// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.model.ModelHandler;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Hands rows on with the state that their table's update function keeps. Where they have none, it is that of new rows:
 * zeros.
 */
final class ZeroState implements ModelHandler
{
    private final ModelHandler next;
    private final UpdateFunctions functions;
    private final Int2ObjectHashMap<UnsafeBuffer> rowByTable = new Int2ObjectHashMap<>();
    private final Int2IntHashMap lengthByTable = new Int2IntHashMap(-1);

    ZeroState(final ModelHandler next, final UpdateFunctions functions)
    {
        this.next = next;
        this.functions = functions;
    }

    @Override
    public void onTable(final TableSpec spec, final int stateLength)
    {
        final int length = spec.dim() * functions.parse(spec.function()).statePerValue() * Float.BYTES;
        UsageException.refuseIf(stateLength > 0 && stateLength != length,
            "table '" + spec.name() + "' has " + stateLength / Float.BYTES +
                " floats of state a row, its function '" + spec.function() + "' keeps " + length / Float.BYTES +
                ": leave the state out to begin it anew");
        lengthByTable.put(spec.tableId(), spec.valuesLength() + stateLength);
        rowByTable.put(spec.tableId(), new UnsafeBuffer(new byte[spec.valuesLength() + length]));
        next.onTable(spec, length);
    }

    @Override
    public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
    {
        final UnsafeBuffer whole = rowByTable.get(tableId);
        whole.putBytes(0, row, offset, lengthByTable.get(tableId));
        next.onRow(tableId, key, whole, 0);
    }
}
