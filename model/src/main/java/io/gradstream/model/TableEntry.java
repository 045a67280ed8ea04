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
    int rowLength()
    {
        return spec.valuesLength() + stateLength;
    }
}
