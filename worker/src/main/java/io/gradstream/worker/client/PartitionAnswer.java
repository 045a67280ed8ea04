// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.DescriptionDecoder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One partition's answer so far, page by page. A page of another epoch begins it anew. */
public final class PartitionAnswer
{
    /** A slot at one partition. */
    public record SlotAt(long incarnation, long clock, long ended, long lastSequence)
    {
    }

    /** A table's rows at one partition. */
    public record RowCounts(long present, long notFinite)
    {
    }

    private final Map<TableSpec, RowCounts> tables = new LinkedHashMap<>();
    private final Map<Integer, SlotAt> slots = new LinkedHashMap<>();
    private final int partition;
    private long epoch;
    private long position;
    private long heldNs;
    private List<Integer> chain = List.of();
    private int joiner;
    private int wanted;
    private boolean isComplete;
    private int nextTable;
    private int nextSlot;

    PartitionAnswer(final int partition)
    {
        this.partition = partition;
        restart();
    }

    /** The partition's primary changes: what another one said does not count. */
    void restart()
    {
        epoch = 0;
        position = 0;
        heldNs = 0;
        chain = List.of();
        joiner = Chain.NONE;
        wanted = 0;
        tables.clear();
        slots.clear();
        isComplete = false;
        nextTable = 0;
        nextSlot = 0;
    }

    void onPage(final DescriptionDecoder page)
    {
        epoch = page.epoch();
        position = page.position();
        // a server that does not tell it leaves the least of all numbers here, as it does for a slot's ended clocks
        heldNs = Math.max(0, page.heldNs());
        joiner = page.joiner();
        wanted = page.wanted();
        nextTable = page.nextTable();
        nextSlot = page.nextSlot();
        final boolean isLast = 1 == page.last();
        chain = new ArrayList<>();
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
            slots.put(slot.slot(), new SlotAt(
                slot.incarnation(), slot.clock(), Math.max(slot.clock(), slot.ended()), slot.lastSequence()));
        }
        isComplete = isLast;
    }

    public boolean isComplete()
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

    public int partition()
    {
        return partition;
    }

    /** Epoch of its primary, 0 if nothing is known. */
    public long epoch()
    {
        return epoch;
    }

    /** End of its primary's log. */
    public long position()
    {
        return position;
    }

    /** How long the oldest pull has waited for slots that are behind; 0: none waits. */
    public long heldNs()
    {
        return heldNs;
    }

    /** Nodes in sync, the primary first; empty if nothing is known. */
    public List<Integer> chain()
    {
        return chain;
    }

    /** Node that catches up behind them, or {@link Chain#NONE}. */
    public int joiner()
    {
        return joiner;
    }

    /** Nodes in sync that there should be. */
    public int wanted()
    {
        return wanted;
    }

    public Map<TableSpec, RowCounts> tables()
    {
        return tables;
    }

    public Map<Integer, SlotAt> slots()
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
