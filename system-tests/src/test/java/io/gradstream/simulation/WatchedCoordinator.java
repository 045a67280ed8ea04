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
import io.gradstream.codecs.ClusterMap;
import io.gradstream.coordinator.state.ReplicaPositions;
import io.gradstream.server.coordinator.CoordinatorPort;
import io.gradstream.server.coordinator.NodeCoordinator;

import java.util.Map;

/**
 * The production way of one process to the coordinators, watched, and the place for mistakes about what it says and
 * hears.
 */
final class WatchedCoordinator implements CoordinatorPort
{
    private final World world;
    private final Cluster cluster;
    private final CoordinatorPort coordinator;
    private final int nodeId;
    private final long incarnation;
    private final PlantedCoordinatorFaults lies;
    private final PlantedLeaseFaults leaseLies;
    private long mapVersion;

    WatchedCoordinator(final World world, final Cluster cluster, final int nodeId, final long incarnation)
    {
        this.world = world;
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.incarnation = incarnation;
        lies = cluster.coordinator().lies();
        leaseLies = cluster.lies().lease();
        coordinator = new NodeCoordinator(
            (listener) -> cluster.coordinator().connect(nodeId, listener),
            (error) ->
            {
                throw new IllegalStateException(error);
            });
    }

    @Override
    public boolean register(final int node, final long ofProcess, final String endpoint)
    {
        return coordinator.register(node, ofProcess, endpoint);
    }

    @Override
    public boolean alive(final Map<Integer, ReplicaPositions> replicas)
    {
        return coordinator.alive(replicas);
    }

    @Override
    public int doWork(final long nowNs)
    {
        return coordinator.doWork(nowNs);
    }

    @Override
    public ClusterMap poll()
    {
        final ClusterMap map = coordinator.poll();
        if (null == map)
        {
            return null;
        }
        Violation.check(map.version() > mapVersion, Violation.Kind.MAP_WENT_BACK, "node, version, before", nodeId,
            map.version(), mapVersion);
        mapVersion = map.version();
        final ChainMap told = lies.map(map.chains());
        leaseLies.onMap(nodeId, told);
        for (int partition = 0; partition < told.chains().size(); partition++)
        {
            final Chain chain = told.chains().get(partition);
            leaseLies.onChain(nodeId, partition, chain.heir() == nodeId);
            if (chain.heir() == nodeId && world.isPlanted(PlantedFault.CLAIM_AT_ONCE))
            {
                claim(partition, chain.version());
            }
        }

        return new ClusterMap(map.job(), map.endpoints(), map.homes(),
            cluster.lies().mapOfThisLife(told, nodeId, incarnation), map.clusterId());
    }

    @Override
    public void close()
    {
        coordinator.close();
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
