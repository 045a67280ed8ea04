// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import java.util.Set;

/** Holds what everything in one simulation shares: its time, faults, journal and scenario, all drawn from the seed. */
public final class World
{
    private final EventQueue events = new EventQueue();
    private final Faults faults;
    private final PlantedFault planted;
    private final Journal journal;
    private final ScenarioConfig config;
    private int lastSessionId;

    public World(
        final long seed,
        final Program program,
        final PlantedFault planted,
        final Set<FaultClass> off,
        final Resumed resumed,
        final boolean isWithJournal)
    {
        faults = new Faults(seed, program, off);
        this.planted = planted;
        config = ScenarioConfig.of(faults, resumed);
        journal = new Journal(events, isWithJournal);
    }

    public EventQueue events()
    {
        return events;
    }

    public Faults faults()
    {
        return faults;
    }

    public PlantedFault planted()
    {
        return planted;
    }

    public Journal journal()
    {
        return journal;
    }

    public ScenarioConfig config()
    {
        return config;
    }

    /** Returns the number of a new stream. */
    public int nextSessionId()
    {
        return ++lastSessionId;
    }

    public boolean isPlanted(final PlantedFault fault)
    {
        return planted == fault;
    }
}
