// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

/** Where the rows of a model are: a cluster, or a file. */
@FunctionalInterface
public interface RowSource
{
    /**
     * Fetch rows. A row that no update has touched has its initial value.
     *
     * @param keys  of which the first {@code count} count, ascending.
     * @param count at least 1.
     * @param rows  receives the values of each, one row after the other.
     */
    void fetch(long[] keys, int count, float[] rows);
}
