// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulation;

import org.agrona.MutableDirectBuffer;

/**
 * Reads a row as it is now.
 */
@FunctionalInterface
interface RowReader
{
    void readRow(int tableId, long key, MutableDirectBuffer destination, int offset);
}
