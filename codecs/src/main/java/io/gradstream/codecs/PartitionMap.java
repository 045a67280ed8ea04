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
package io.gradstream.codecs;

import java.util.ArrayList;
import java.util.List;

/**
 * The nodes of a job, and which of them serves each partition.
 *
 * @param partitionCount number of partitions of the job.
 * @param nodes          the nodes in order of their index.
 */
public record PartitionMap(int partitionCount, List<Node> nodes)
{
    /**
     * A node's address.
     *
     * @param nodeId   its number.
     * @param endpoint host:port of its ingress.
     */
    public record Node(int nodeId, String endpoint)
    {
    }

    /**
     * A map that never changes: partition i is on node i mod N.
     *
     * @param partitionCount number of partitions.
     * @param endpoints      comma separated host:port of the nodes with ids 0, 1, ...
     * @return the map.
     * @throws IllegalArgumentException if an endpoint is not host:port.
     */
    public static PartitionMap fixed(final int partitionCount, final String endpoints)
    {
        final String[] parts = endpoints.split(",");
        final Node[] nodes = new Node[parts.length];
        for (int i = 0; i < parts.length; i++)
        {
            final String endpoint = parts[i].trim();
            if (!endpoint.matches("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]\\s]+):\\d{1,5}"))
            {
                throw new IllegalArgumentException(
                    "invalid servers='" + endpoints + "': '" + endpoint + "' must be host:port");
            }
            nodes[i] = new Node(i, endpoint);
        }
        new PartitionFunction(partitionCount);

        return new PartitionMap(partitionCount, List.of(nodes));
    }

    /**
     * The nodes that keep a partition while all of them are well: its first primary and the nodes after it.
     *
     * @param partition 0 to partitionCount - 1.
     * @param replicas  1 or more, at most the number of nodes.
     * @return node ids, first primary first.
     */
    public List<Integer> homeOf(final int partition, final int replicas)
    {
        final List<Integer> home = new ArrayList<>();
        for (int i = 0; i < replicas; i++)
        {
            home.add(nodes.get((partition + i) % nodes.size()).nodeId());
        }

        return home;
    }

    /**
     * Index of the node that is primary of a partition.
     *
     * @param partition 0 to partitionCount - 1.
     * @return index into {@link #nodes()}.
     */
    public int nodeIndexOf(final int partition)
    {
        return partition % nodes.size();
    }
}
