// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

/** Asks the coordinators to leave a server without places, or to give it some again. Nothing waits. */
public interface Drains
{
    /**
     * Ask for one server, until {@link #isDone()}.
     *
     * @param node       its id.
     * @param isDraining false to give it places again.
     */
    void ask(int node, boolean isDraining);

    /** True if the coordinators have decided what was asked last, and a server that is drained keeps nothing. */
    boolean isDone();
}
