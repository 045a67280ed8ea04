// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.cache;

/** When rows that are answered from the {@link ProcessCache} show what their own worker has pushed. */
public enum OwnPushes
{
    /**
     * With the next pull. Where the function of the table is {@code add/1}, or {@code sgd} with nothing but a rate, the
     * push is added to the cached rows. With another function a push drops its rows, and the next pull fetches them.
     */
    AT_ONCE,
    /**
     * As {@link #AT_ONCE} where a push can be added. With another function the rows stay as they are, and show own
     * pushes once the staleness bound has them fetched again.
     */
    LATER
}
