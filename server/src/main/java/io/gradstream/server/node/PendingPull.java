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
package io.gradstream.server.node;

import io.gradstream.codecs.Sections;
import io.gradstream.server.partition.HostedPartition;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * A pull that waits for its sequence, or for room on the worker's response stream. Reused.
 */
final class PendingPull
{
    private static final long[] NO_KEYS = {};
    /** Keys kept allocated between uses; larger pulls allocate. */
    private static final int KEPT_KEYS = 1024;

    WorkerConnection connection;
    HostedPartition host;
    long epoch;
    long requestId;
    long lastSequence;
    int tableId;
    int rowCount;
    /** First row not yet sent. Invariant: 0 ≤ nextRow ≤ rowCount. */
    int nextRow;
    private boolean isRange;
    private long firstKey;
    private long[] keys = NO_KEYS;

    void keys(final int keyForm, final int count, final DirectBuffer buffer, final int offset)
    {
        rowCount = count;
        nextRow = 0;
        isRange = Sections.RANGE == keyForm;
        if (isRange)
        {
            firstKey = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
            return;
        }
        if (keys.length < count)
        {
            keys = new long[Math.max(count, KEPT_KEYS)];
        }
        for (int i = 0; i < count; i++)
        {
            keys[i] = buffer.getLong(offset + i * Long.BYTES, ByteOrder.LITTLE_ENDIAN);
        }
    }

    long key(final int row)
    {
        return isRange ? firstKey + row : keys[row];
    }

    int keyBytes()
    {
        return isRange ? Long.BYTES : rowCount * Long.BYTES;
    }

    void release()
    {
        connection = null;
        host = null;
        if (keys.length > KEPT_KEYS)
        {
            keys = NO_KEYS;
        }
    }
}
