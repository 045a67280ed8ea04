// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

/** The server process dies inside the call that throws this: what it holds in memory is gone. */
public final class SimulatedCrash extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public SimulatedCrash()
    {
        super("crash", null, false, false);
    }
}
