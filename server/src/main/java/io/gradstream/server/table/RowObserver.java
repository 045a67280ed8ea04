// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

/** Is told of each row before it changes. */
@FunctionalInterface
public interface RowObserver
{
    /** A row is about to change. */
    void beforeUpdate(RowTable table, int index);
}
