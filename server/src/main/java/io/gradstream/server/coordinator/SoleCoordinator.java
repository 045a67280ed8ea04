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
package io.gradstream.server.coordinator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.coordinator.state.Complaint;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.state.ReplicaPositions;

/**
 * The coordinator of a server that runs without one: it decides for itself alone, in its own process. Each of its
 * partitions is a chain of this one node, which takes office one epoch above its log's last; other partitions have no
 * members. For one thread.
 */
public final class SoleCoordinator implements CoordinatorPort
{
    private final int nodeId;
    private final JobSpec job;
    private final List<List<Integer>> homes = new ArrayList<>();
    private final CoordinatorState state;
    private String endpoint = "";
    private long incarnation;
    private boolean isChanged;

    /**
     * A coordinator for one node.
     *
     * @param nodeId of the node, below the job's number of nodes.
     * @param job    served, with one copy of each partition.
     * @param own    partitions that this node keeps.
     */
    public SoleCoordinator(final int nodeId, final JobSpec job, final Collection<Integer> own)
    {
        for (int partition = 0; partition < job.partitions(); partition++)
        {
            homes.add(own.contains(partition) ? List.of(nodeId) : List.of());
        }
        this.nodeId = nodeId;
        this.job = job;
        state = new CoordinatorState(job.nodes(), homes);
    }

    @Override
    public boolean register(final int id, final long newIncarnation, final String newEndpoint)
    {
        if (nodeId != id)
        {
            throw new IllegalArgumentException("nodeId=" + id + ": this is the coordinator of node " + nodeId);
        }
        incarnation = newIncarnation;
        endpoint = newEndpoint;
        return taken(state.register(id, newIncarnation));
    }

    @Override
    public boolean alive(final Map<Integer, ReplicaPositions> replicas)
    {
        return true;
    }

    @Override
    public int doWork(final long nowNs)
    {
        return 0;
    }

    @Override
    public boolean climbed(final int partition, final long epoch, final long position)
    {
        return taken(state.climbed(nodeId, incarnation, partition, epoch, position));
    }

    @Override
    public boolean leave(final int partition, final long version)
    {
        return taken(state.leave(nodeId, incarnation, partition, version));
    }

    @Override
    public boolean confirm(final int partition, final long version)
    {
        return taken(state.confirm(nodeId, incarnation, partition, version));
    }

    @Override
    public boolean suspect(
        final int partition, final long version, final int suspected, final boolean isAnswered)
    {
        return taken(state.complaints().take(Complaint.answered(nodeId, incarnation, partition, version, suspected)));
    }

    @Override
    public boolean isAnswered(final long sinceNs)
    {
        return true;
    }

    @Override
    public boolean claim(final int partition, final long version)
    {
        return taken(state.leads().claim(nodeId, incarnation, partition, version));
    }

    @Override
    public boolean admit(final int partition, final long version, final int joiner)
    {
        return taken(state.admit(nodeId, incarnation, partition, version, joiner));
    }

    @Override
    public ClusterMap poll()
    {
        if (!isChanged)
        {
            return null;
        }
        isChanged = false;
        final List<String> endpoints = new ArrayList<>(Collections.nCopies(job.nodes(), ""));
        endpoints.set(nodeId, endpoint);

        return new ClusterMap(job, endpoints, homes, state.map());
    }

    @Override
    public void close()
    {
    }

    private boolean taken(final boolean isMapChanged)
    {
        isChanged |= isMapChanged;
        return true;
    }
}
