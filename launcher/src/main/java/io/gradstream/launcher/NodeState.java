// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.Locale;

/** The state of a server, as the process that started it sees it. */
enum NodeState
{
    /** Not started yet, or stopped for good. */
    ABSENT,
    /** Started for the first time, not ready. */
    STARTING,
    /** Serving. */
    UP,
    /** Killed, stopped or ended by itself, or started again and not ready. */
    KILLED,
    /** Ready again; not every partition has acknowledged a push yet. */
    RECOVERING;

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
