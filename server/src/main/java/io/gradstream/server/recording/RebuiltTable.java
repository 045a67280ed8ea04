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

    /**
     * Keys of its rows.
     *
     * @return keys, ascending.
     */
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
