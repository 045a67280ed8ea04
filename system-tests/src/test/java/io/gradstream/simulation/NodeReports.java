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
import io.gradstream.server.coordinator.CoordinatorPort;

/**
 * What one process of a node tells the coordinator, by way of the production port.
 */
final class NodeReports implements ReplicaReports
{
    private final World world;
    private final CoordinatorPort coordinator;
    private final int nodeId;
    private final CoordinatorLies lies;
    private final LeaseLies leaseLies;

    NodeReports(
        final World world,
        final CoordinatorPort coordinator,
        final CoordinatorLies lies,
        final LeaseLies leaseLies,
        final int nodeId)
    {
        this.world = world;
        this.coordinator = coordinator;
        this.nodeId = nodeId;
        this.lies = lies;
        this.leaseLies = leaseLies;
    }

    @Override
    public boolean climbed(final int partition, final long epoch, final long position)
    {
        return coordinator.climbed(partition, epoch, position);
    }

    @Override
    public boolean leave(final int partition, final long version)
    {
        world.journal.note("node-" + nodeId + "/" + partition, "gives up its place as joiner, version", version);
        return coordinator.leave(partition, version);
    }

    @Override
    public boolean confirm(final int partition, final long version)
    {
        return coordinator.confirm(partition, version);
    }

    @Override
    public boolean claim(final int partition, final long version)
    {
        final boolean isTold = coordinator.claim(partition, version);
        if (isTold)
        {
            world.journal.note("node-" + nodeId, "claims partition", partition, "version", version);
        }

        return isTold;
    }

    @Override
    public boolean admit(final int partition, final long version, final int joiner)
    {
        return coordinator.admit(partition, version, joiner);
    }

    @Override
    public boolean isAnswered(final long sinceNs)
    {
        return coordinator.isAnswered(sinceNs) || lies.isAnswered();
    }

    @Override
    public boolean suspect(
        final int partition, final long version, final int suspected, final boolean isAnswered)
    {
        final boolean isTold = coordinator.suspect(partition, version, suspected, isAnswered);
        if (isTold)
        {
            world.journal.note("node-" + nodeId, "suspects", suspected, "partition", partition, "version", version,
                isAnswered ? "" : "unanswered");
            leaseLies.onSuspected(nodeId, partition, suspected);
        }

        return isTold;
    }
}
