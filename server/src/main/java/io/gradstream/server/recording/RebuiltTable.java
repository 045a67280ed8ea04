// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.TableSpec;
import io.gradstream.server.table.RowStore;

import java.util.Arrays;

/**
 * One table of a rebuilt partition. A row's bytes: version (int64, log position of its last update), the values, the
 * state of the update function; all little endian.
 *
 * @param spec      of the table.
 * @param rowLength bytes of a row.
 * @param store     its rows.
 */
public record RebuiltTable(TableSpec spec, int rowLength, RowStore store)
{
    /** Bytes of a row before its values. */
    public static final int VERSION_LENGTH = Long.BYTES;

    /** Keys of its rows, ascending. */
    public long[] sortedKeys()
    {
        final long[] keys = new long[store.size()];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = store.key(i);
        }
        Arrays.sort(keys);

        return keys;
    }
}
