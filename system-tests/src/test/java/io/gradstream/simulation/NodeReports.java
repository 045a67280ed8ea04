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

import io.gradstream.recovery.replica.ReplicaReports;
import io.gradstream.server.coordinator.state.CoordinatorState;

/**
 * What one process of a node tells the coordinator.
 */
final class NodeReports implements ReplicaReports
{
    private final World world;
    private final SimulatedCoordinator coordinator;
    private final CoordinatorState state;
    private final int nodeId;
    private final long incarnation;
    private final LeaseLies leaseLies;

    NodeReports(
        final World world,
        final SimulatedCoordinator coordinator,
        final CoordinatorState state,
        final LeaseLies leaseLies,
        final int nodeId,
        final long incarnation)
    {
        this.world = world;
        this.coordinator = coordinator;
        this.state = state;
        this.nodeId = nodeId;
        this.incarnation = incarnation;
        this.leaseLies = leaseLies;
    }

    boolean register()
    {
        return coordinator.tell(nodeId, "node-" + nodeId + " registers incarnation=" + incarnation,
            () -> state.register(nodeId, incarnation));
    }

    @Override
    public boolean climbed(final int partition, final long epoch, final long position)
    {
        return coordinator.tell(nodeId,
            "node-" + nodeId + " climbed partition=" + partition + " epoch=" + epoch + " position=" + position,
            () -> state.climbed(nodeId, incarnation, partition, epoch, position));
    }

    @Override
    public boolean confirm(final int partition, final long version)
    {
        return coordinator.tell(nodeId, "node-" + nodeId + " confirms partition=" + partition + " version=" + version,
            () -> state.confirm(nodeId, incarnation, partition, version));
    }

    @Override
    public boolean admit(final int partition, final long version, final int joiner)
    {
        return coordinator.tell(nodeId,
            "node-" + nodeId + " admits partition=" + partition + " version=" + version + " joiner=" + joiner,
            () -> state.admit(nodeId, incarnation, partition, version, joiner));
    }

    @Override
    public boolean suspect(final int partition, final long version, final int suspected)
    {
        world.journal.note("node-" + nodeId, "suspects", suspected, "partition", partition, "version", version);
        final boolean isTold = coordinator.tell(nodeId,
            "node-" + nodeId + " suspects partition=" + partition + " version=" + version + " node=" + suspected,
            () -> state.suspect(nodeId, incarnation, partition, version, suspected));
        if (isTold)
        {
            leaseLies.onSuspected(nodeId, partition, suspected);
        }

        return isTold;
    }
}
