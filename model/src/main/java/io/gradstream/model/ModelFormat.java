// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;

import java.nio.ByteOrder;

/**
 * The model file, version 2: all numbers little endian, texts ASCII. docs/MODELS.md is its reference.
 * <pre>
 * header   8 bytes "GRADMODL", int32 version = 2, int32 tables, int32 job, int32 partitions, int32 servers,
 *          int64 clock (-1: none), int64 exported at (ms since 1970).
 * table    int32 table id, int32 element type (1 float32, 2 int64), int32 dim,
 *          int32 bytes of update function state per row, int64 fixed row count (0: sparse), int64 rows in the file.
 *          int32 initialiser (0 zeros, 1 uniform, 2 normal), float32 its scale, int64 its seed,
 *          int32 length, name, int32 length, update function; tables by ascending id.
 * metadata int32 length in bytes, UTF-8 text about the model, of the program that trained it; version 1 has none.
 * check    int32 CRC-32C of all bytes before it.
 * row      int64 key, dim values, update function state; rows by table and ascending key.
 * trailer  int32 CRC-32C of all bytes before it.
 * </pre>
 */
final class ModelFormat
{
    static final String MAGIC = "GRADMODL";
    static final int VERSION = 2;
    static final int OLDEST_VERSION = 1;
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    static final int HEADER_LENGTH = 8 + 5 * Integer.BYTES + 2 * Long.BYTES;
    static final int CHECKSUM_LENGTH = Integer.BYTES;
    /** Most bytes of update function state of a row. */
    static final int MAX_STATE_LENGTH = 1024 * 1024;

    /** Most bytes of metadata. */
    static final int MAX_METADATA_LENGTH = 64 * 1024 * 1024;

    private ModelFormat()
    {
    }

    /**
     * Find the problem of a table.
     *
     * @return one line that names the property, its value and what is allowed; null if nothing is wrong.
     */
    static String problem(final TableSpec spec, final int stateLength)
    {
        if (stateLength < 0 || stateLength > MAX_STATE_LENGTH)
        {
            return "invalid stateLength=" + stateLength + ": must be 0.." + MAX_STATE_LENGTH;
        }

        return spec.problem();
    }

    static boolean isKey(final TableSpec spec, final long key)
    {
        return 0 == spec.rows() || (key >= 0 && key < spec.rows());
    }

    static String outside(final TableSpec spec, final long key)
    {
        return "key=" + key + " of table '" + spec.name() + "' (tableId=" + spec.tableId() +
            ") is not in the table: keys are 0.." + (spec.rows() - 1);
    }
}
