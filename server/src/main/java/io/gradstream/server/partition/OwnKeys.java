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

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;

/**
 * Which keys belong to a partition. Keys mostly come in ascending order, so that the answer for the last key's block is
 * kept.
 */
final class OwnKeys
{
    private final PartitionFunction placement;
    private final int partition;
    private int tableId = -1;
    private long blockBegin;
    private long blockEnd;
    private boolean isBlockOwn;

    OwnKeys(final PartitionFunction placement, final int partition)
    {
        this.placement = placement;
        this.partition = partition;
    }

    /**
     * Is a key in the range of a table that is no system table, and does it belong here?
     */
    boolean contains(final TableSpec spec, final long key)
    {
        if (key < 0 || spec.rows() > 0 && key >= spec.rows())
        {
            return false;
        }
        if (key < blockBegin || key >= blockEnd || tableId != spec.tableId())
        {
            tableId = spec.tableId();
            blockEnd = PartitionFunction.blockEnd(key);
            blockBegin = blockEnd - (1L << PartitionFunction.BLOCK_BITS);
            isBlockOwn = placement.partitionOf(tableId, key) == partition;
        }

        return isBlockOwn;
    }
}
