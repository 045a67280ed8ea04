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

import io.gradstream.server.partition.HostedPartition;
import org.agrona.CloseHelper;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/**
 * The partitions that this node keeps a copy of, in the order in which they came.
 */
final class HostedPartitions implements AutoCloseable
{
    private final List<HostedPartition> all = new ArrayList<>();
    private final Int2ObjectHashMap<HostedPartition> byNumber = new Int2ObjectHashMap<>();

    void add(final HostedPartition copy)
    {
        all.add(copy);
        byNumber.put(copy.number(), copy);
    }

    List<HostedPartition> all()
    {
        return all;
    }

    /** The copy of a partition, or null if none is kept here. */
    HostedPartition of(final int partition)
    {
        return byNumber.get(partition);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(all);
    }
}
