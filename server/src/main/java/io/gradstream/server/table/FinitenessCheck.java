// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.Sections;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.function.IntFunction;

/**
 * Applies a part to copies of the rows it names, to see whether any would become infinite or NaN, for tables that
 * refuse that. A row that the part names twice is updated twice, as when it is applied. The copies are as many as the
 * rows of one part.
 */
public final class FinitenessCheck
{
    private static final long MISSING = -1;

    private final IntFunction<RowTable> tableById;
    private final Int2ObjectHashMap<Long2LongHashMap> offsetsByTable = new Int2ObjectHashMap<>();
    private final ExpandableArrayBuffer copies = new ExpandableArrayBuffer();
    private final UnsafeBuffer copy = new UnsafeBuffer(0, 0);
    private int length;

    public FinitenessCheck(final IntFunction<RowTable> tableById)
    {
        this.tableById = tableById;
    }

    /** True if all rows stay finite in tables that refuse others. Sections must be right for the tables. */
    public boolean staysFinite(final Sections sections)
    {
        boolean isFinite = true;
        sections.rewind();
        while (isFinite && sections.next())
        {
            final RowTable table = tableById.apply(sections.tableId());
            isFinite = !table.refusesNonFinite() || staysFinite(sections, table);
        }
        if (length > 0)
        {
            offsetsByTable.values().forEach(Long2LongHashMap::clear);
            length = 0;
        }

        return isFinite;
    }

    private boolean staysFinite(final Sections sections, final RowTable table)
    {
        if (sections.isRows())
        {
            return FiniteFloats.areFinite(
                sections.buffer(), sections.valuesOffset(), sections.valuesLength() / Float.BYTES);
        }
        final int valuesLength = table.spec().valuesLength();
        for (int i = 0; i < sections.rowCount(); i++)
        {
            copy.wrap(copies, copyOf(table, sections.key(i)), table.rowLength());
            if (!table.staysFinite(copy, sections.elements(), sections.elementsOffset() + i * valuesLength))
            {
                return false;
            }
        }

        return true;
    }

    private int copyOf(final RowTable table, final long key)
    {
        Long2LongHashMap offsets = offsetsByTable.get(table.spec().tableId());
        if (null == offsets)
        {
            offsets = new Long2LongHashMap(MISSING);
            offsetsByTable.put(table.spec().tableId(), offsets);
        }
        final long known = offsets.get(key);
        if (MISSING != known)
        {
            return (int)known;
        }
        final int offset = length;
        length += table.rowLength();
        copies.checkLimit(length);
        table.copy(key, copies, offset);
        offsets.put(key, offset);

        return offset;
    }
}
