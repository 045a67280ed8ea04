// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

/** The keys of a request, by their place in it. */
@FunctionalInterface
public interface RowKeys
{
    /**
     * Copy several.
     *
     * @param from  place of the first.
     * @param count of keys.
     * @param to    copied to, from index 0 on.
     */
    void copyKeys(int from, int count, long[] to);
}
