// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulation;

import java.util.Set;

/**
 * What everything in one course shares: its seed's time, faults and shape.
 */
final class World
{
    final EventQueue events = new EventQueue();
    final Faults faults;
    final PlantedFault planted;
    final Journal journal;
    final Shape shape;
    private int lastSessionId;

    World(final long seed, final PlantedFault planted, final Set<FaultClass> off, final boolean isWithJournal)
    {
        faults = new Faults(seed, off);
        this.planted = planted;
        shape = Shape.of(faults);
        journal = new Journal(events, isWithJournal);
    }

    /** Number of a stream that nobody else has. */
    int nextSessionId()
    {
        return ++lastSessionId;
    }

    boolean isPlanted(final PlantedFault fault)
    {
        return planted == fault;
    }
}
