// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;

/** Receives a model: its tables, each before its rows, then the rows in any order. */
public interface ModelHandler
{
    /**
     * There is a table.
     *
     * @param spec        of the table.
     * @param stateLength bytes of update function state of a row, after its values.
     */
    void onTable(TableSpec spec, int stateLength);

    /**
     * There is a row.
     *
     * @param tableId of a table that was handed over before.
     * @param key     of the row, which no other row of the table has.
     * @param row     {@link TableSpec#valuesLength()} bytes of values, then the state; little endian, valid during the
     *                call only.
     * @param offset  where the row begins in it.
     */
    void onRow(int tableId, long key, DirectBuffer row, int offset);
}
