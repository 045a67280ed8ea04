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

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.server.coordinator.state.CoordinatorState;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The production coordinator's state behind pipes that deliver in order and late.
 */
final class SimulatedCoordinator
{
    private final World world;
    private final CoordinatorState state;
    private final CoordinatorLies lies;
    private final Consumer<ChainMap> onDecided;
    private final long[] lastDueNs;
    private final long[] splitUntilNs;
    private ChainMap map;

    SimulatedCoordinator(final World world, final Consumer<ChainMap> onDecided)
    {
        this.world = world;
        this.onDecided = onDecided;
        state = new CoordinatorState(world.shape.nodes(), world.shape.homes());
        lies = new CoordinatorLies(world);
        lastDueNs = new long[world.shape.nodes()];
        splitUntilNs = new long[world.shape.nodes()];
        map = lies.map(state.map());
    }

    ChainMap map()
    {
        return map;
    }

    Chain chain(final int partition)
    {
        return map.chains().get(partition);
    }

    /** What one process of a node says. */
    NodeReports reports(final int nodeId, final long incarnation, final LeaseLies leaseLies)
    {
        return new NodeReports(world, this, state, leaseLies, nodeId, incarnation);
    }

    boolean tell(final int nodeId, final String what, final BooleanSupplier command)
    {
        if (world.faults.strike(FaultClass.COORDINATOR_LAG, 0.1))
        {
            return false;
        }
        final long dueNs = Math.max(lastDueNs[nodeId], world.events.nowNs() + delayNs());
        lastDueNs[nodeId] = dueNs;
        final int times = world.faults.strike(FaultClass.COORDINATOR_LAG, 0.05) ? 2 : 1;
        world.events.after(dueNs - world.events.nowNs(), () ->
        {
            for (int i = 0; i < times; i++)
            {
                decide(what, command);
            }
        });

        return true;
    }

    private void decide(final String what, final BooleanSupplier command)
    {
        final boolean isChanged = command.getAsBoolean();
        world.journal.note("coordinator", what, isChanged ? "-> " + state.map().format() : "");
        if (isChanged)
        {
            map = lies.map(state.map());
            onDecided.accept(map);
        }
    }

    /** What it says reaches a node only later. */
    void split(final int nodeId, final long durationNs)
    {
        splitUntilNs[nodeId] = Math.max(splitUntilNs[nodeId], world.events.nowNs() + durationNs);
    }

    /** How long what it says now takes to a node. */
    long delayNs(final int nodeId)
    {
        return Math.max(0, splitUntilNs[nodeId] - world.events.nowNs()) + delayNs();
    }

    long delayNs()
    {
        return world.faults.draw(FaultClass.COORDINATOR_LAG, 50_000, 600_000) *
            (world.faults.strike(FaultClass.COORDINATOR_LAG, 0.03) ?
            world.faults.draw(FaultClass.COORDINATOR_LAG, 5, 100) : 1);
    }
}
