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
package io.gradstream.worker;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.DescriptionDecoder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one partition has answered so far, page by page. A page of another epoch begins it anew.
 */
final class PartitionAnswer
{
    /**
     * A slot at one partition.
     */
    record SlotAt(long incarnation, long clock, long lastSequence)
    {
    }

    /**
     * A table's rows at one partition.
     */
    record RowCounts(long present, long notFinite)
    {
    }

    private final Map<TableSpec, RowCounts> tables = new LinkedHashMap<>();
    private final Map<Integer, SlotAt> slots = new LinkedHashMap<>();
    private PartitionDescription description;
    private boolean isComplete;
    private int nextTable;
    private int nextSlot;

    PartitionAnswer(final int partition)
    {
        description = PartitionDescription.unknown(partition);
    }

    /** The partition's primary changes: what another one said does not count. */
    void restart()
    {
        description = PartitionDescription.unknown(description.partition());
        tables.clear();
        slots.clear();
        isComplete = false;
        nextTable = 0;
        nextSlot = 0;
    }

    /** Take a page that was asked for. */
    void onPage(final DescriptionDecoder page)
    {
        final int partition = page.partition();
        final long epoch = page.epoch();
        final long position = page.position();
        final int joiner = page.joiner();
        final int wanted = page.wanted();
        nextTable = page.nextTable();
        nextSlot = page.nextSlot();
        final boolean isLast = 1 == page.last();
        final List<Integer> chain = new ArrayList<>();
        for (final DescriptionDecoder.MembersDecoder member : page.members())
        {
            chain.add(member.nodeId());
        }
        for (final DescriptionDecoder.TablesDecoder table : page.tables())
        {
            takeTable(table);
        }
        for (final DescriptionDecoder.SlotsDecoder slot : page.slots())
        {
            slots.put(slot.slot(), new SlotAt(slot.incarnation(), slot.clock(), slot.lastSequence()));
        }
        description = new PartitionDescription(partition, epoch, position, chain, joiner, wanted);
        isComplete = isLast;
    }

    boolean isComplete()
    {
        return isComplete;
    }

    int nextTable()
    {
        return nextTable;
    }

    int nextSlot()
    {
        return nextSlot;
    }

    long epoch()
    {
        return description.epoch();
    }

    PartitionDescription description()
    {
        return description;
    }

    Map<TableSpec, RowCounts> tables()
    {
        return tables;
    }

    Map<Integer, SlotAt> slots()
    {
        return slots;
    }

    private void takeTable(final DescriptionDecoder.TablesDecoder table)
    {
        final int tableId = table.tableId();
        final int dim = table.dim();
        final ElementType elementType = ElementType.of(table.elementType());
        final long rows = table.rows();
        final int initialiser = table.initialiser();
        final long seed = table.initialiserSeed();
        final float scale = table.initialiserScale();
        final RowCounts counts = new RowCounts(table.rowsPresent(), table.rowsNotFinite());
        // names are read in the order they are written
        final String name = table.name();
        tables.put(new TableSpec(
            tableId, name, dim, elementType, rows, initialiser, seed, scale, table.function()), counts);
    }
}
