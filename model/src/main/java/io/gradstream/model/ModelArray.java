// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An array of a model file: one part of all rows of a table.
 *
 * @param table of the rows.
 * @param part  of each row.
 * @param begin offset among the bytes of all arrays.
 */
record ModelArray(TableEntry table, Part part, long begin)
{
    /** The parts of a row. */
    enum Part
    {
        /** Its key. */
        KEYS,
        /** Its values. */
        VALUES,
        /** The state of the update function. A table without state has no such array. */
        STATE;

        /** Name of the array of a table. */
        String of(final TableSpec table)
        {
            return table.name() + "." + name().toLowerCase(Locale.ROOT);
        }
    }

    /** The arrays of tables in the order of the file: those of 8-byte elements come first, so that all are aligned. */
    static List<ModelArray> of(final List<TableEntry> tables)
    {
        final List<ModelArray> arrays = new ArrayList<>();
        long begin = 0;
        for (final String type : List.of(SafetensorsHeader.INT64, SafetensorsHeader.FLOAT32))
        {
            for (final TableEntry table : tables)
            {
                for (final Part part : Part.values())
                {
                    final ModelArray array = new ModelArray(table, part, begin);
                    if (type.equals(array.type()) && array.rowLength() > 0)
                    {
                        arrays.add(array);
                        begin = array.end();
                    }
                }
            }
        }

        return arrays;
    }

    String name()
    {
        return part.of(table.spec());
    }

    /** Bytes of the part in one row. */
    int rowLength()
    {
        return switch (part)
        {
            case KEYS -> Long.BYTES;
            case VALUES -> table.spec().valuesLength();
            case STATE -> table.stateLength();
        };
    }

    long end()
    {
        return Math.addExact(begin, Math.multiplyExact(table.rows(), rowLength()));
    }

    /** The array as the header has it. */
    SafetensorsHeader.Array header()
    {
        final List<Long> shape = Part.KEYS == part ? List.of(table.rows()) :
            List.of(table.rows(), (long)rowLength() / SafetensorsHeader.elementLength(type()));
        return new SafetensorsHeader.Array(type(), shape, List.of(begin, end()));
    }

    private String type()
    {
        final boolean isLong = Part.KEYS == part ||
            (Part.VALUES == part && ElementType.INT64 == table.spec().elementType());
        return isLong ? SafetensorsHeader.INT64 : SafetensorsHeader.FLOAT32;
    }
}
