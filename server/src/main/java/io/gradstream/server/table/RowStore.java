// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.TableSpec;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Rows of one table of one partition, numbered in the order of their creation. A row's bytes stay where they are for
 * the life of the store; rows are never removed.
 */
public interface RowStore extends AutoCloseable
{
    int size();

    /** Most rows there may be. */
    int capacity();

    /** Number of a row, or -1 if there is none. */
    int find(long key);

    /**
     * Numbers of several rows: as {@link #find(long)} gives each.
     *
     * @param keys  of the rows, from index 0 on.
     * @param count of rows.
     * @param rows  to write their numbers to.
     */
    void find(long[] keys, int count, int[] rows);

    /** Create a row of zero bytes. There must be room for it and it must not exist. */
    int create(long key);

    long key(int row);

    /**
     * Where the bytes of several rows begin off heap: they stay there until the store is closed, and may be read and
     * written in place.
     *
     * @param rows      numbers, from index 0 on; -1 for none.
     * @param count     of rows.
     * @param addresses to write to; 0 for none.
     */
    void addresses(int[] rows, int count, long[] addresses);

    /** Look at a row's bytes, for reading and writing in place. */
    void wrap(int row, UnsafeBuffer view);

    @Override
    void close();

    /** Makes the empty row stores of a partition, each for rows of {@code rowLength} bytes. */
    @FunctionalInterface
    interface Factory
    {
        RowStore create(int partition, TableSpec spec, int rowLength);
    }
}
