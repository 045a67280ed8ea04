// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;

/**
 * A table of a model.
 *
 * @param spec        of the table.
 * @param stateLength bytes of update function state of a row, after its values.
 * @param rows        that the model has of it.
 */
public record TableEntry(TableSpec spec, int stateLength, long rows)
{
    /** Most bytes of update function state of a row. */
    static final int MAX_STATE_LENGTH = 1024 * 1024;

    int rowLength()
    {
        return spec.valuesLength() + stateLength;
    }

    /**
     * Find the problem of the table.
     *
     * @return one line that names the property, its value and what is allowed; null if nothing is wrong.
     */
    String problem()
    {
        if (stateLength < 0 || stateLength > MAX_STATE_LENGTH || 0 != stateLength % Float.BYTES)
        {
            return "invalid stateLength=" + stateLength + ": must be a multiple of " + Float.BYTES + " in 0.." +
                MAX_STATE_LENGTH;
        }

        return spec.problem();
    }

    boolean isKey(final long key)
    {
        return 0 == spec.rows() || (key >= 0 && key < spec.rows());
    }

    String outside(final long key)
    {
        return "key=" + key + " of table '" + spec.name() + "' (tableId=" + spec.tableId() +
            ") is not in the table: keys are 0.." + (spec.rows() - 1);
    }
}
