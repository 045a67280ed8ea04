/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
