// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.Sections;

/** Looks up rows of one table by their keys, many at once: where memory is slow, the looks at it overlap. */
public final class RowLookup
{
    /** Most rows of one look-up. */
    static final int MAX_ROWS = 1024;

    private static final int MIN_ROWS = 16;

    /** Keys of the rows. */
    final long[] keys;
    /** Number of each row, or -1. */
    final int[] rows;
    /** Where each row's bytes begin, or 0. */
    final long[] addresses;

    private final RowTable table;

    /** For rows of so many values that about a thousand values are looked up at once. */
    RowLookup(final RowTable table)
    {
        this.table = table;
        final int most = Math.max(MIN_ROWS, MAX_ROWS / table.spec().dim());
        keys = new long[most];
        rows = new int[most];
        addresses = new long[most];
    }

    /** Most rows of one look-up of this table. */
    public int maxRows()
    {
        return keys.length;
    }

    /** The keys of a section from an index on, at the begin of an array that the next look-up overwrites. */
    public long[] keys(final Sections sections, final int from, final int count)
    {
        sections.keys(from, count, keys);
        return keys;
    }

    /** Find those of a section from an index on, of which each that is missing is created. */
    void findOrCreate(final Sections sections, final int from, final int count)
    {
        sections.keys(from, count, keys);
        table.store().find(keys, count, rows);
        for (int i = 0; i < count; i++)
        {
            if (rows[i] < 0)
            {
                rows[i] = table.findOrCreate(keys[i]);
            }
        }
        table.store().addresses(rows, count, addresses);
    }

    /** Find those whose keys are in {@link #keys}. */
    void find(final int count)
    {
        table.store().find(keys, count, rows);
        table.store().addresses(rows, count, addresses);
    }

    /** How many rows of a section are missing, and not held, of which one that it names twice counts twice. */
    public int countMissing(final Sections sections)
    {
        int missing = 0;
        for (int from = 0; from < sections.rowCount(); from += keys.length)
        {
            final int count = Math.min(keys.length, sections.rowCount() - from);
            sections.keys(from, count, keys);
            table.store().find(keys, count, rows);
            for (int i = 0; i < count; i++)
            {
                missing += rows[i] < 0 && !table.isHeld(keys[i]) ? 1 : 0;
            }
        }

        return missing;
    }
}
