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
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;

/**
 * What a model is given to: its tables, each before its rows, then the rows in any order.
 */
public interface ModelHandler
{
    /**
     * There is a table.
     *
     * @param spec        of the table.
     * @param stateLength bytes of update function state of a row, behind its values.
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
