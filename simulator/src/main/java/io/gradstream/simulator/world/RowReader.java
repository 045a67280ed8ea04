// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import org.agrona.MutableDirectBuffer;

/** Reads a row as it is now. */
@FunctionalInterface
public interface RowReader
{
    void readRow(int tableId, long key, MutableDirectBuffer destination, int offset);
}
