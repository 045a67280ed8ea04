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

/**
 * All nodes of a course with what is between them.
 */
final class Cluster
{
    private final Shape.Bounds bounds;
    private final SimulatedNode[] nodes;
    private final WorkerLink[][] links;
    private final SimulatedNetwork network;
    private final SimulatedCoordinator coordinator;
    private final PlantedNodeFaults lies;
    private final TransitRot transitRot;
    private final Checker checker;
    private final FaultSchedule schedule;

    Cluster(final World world, final Histories histories)
    {
        bounds = world.shape.bounds();
        nodes = new SimulatedNode[world.shape.nodes()];
        links = new WorkerLink[Shape.CLIENTS][nodes.length];
        for (int node = 0; node < nodes.length; node++)
        {
            nodes[node] = new SimulatedNode(world, node);
            for (int client = 0; client < Shape.CLIENTS; client++)
            {
                links[client][node] = new WorkerLink(world);
            }
        }
        network = new SimulatedNetwork(world);
        lies = new PlantedNodeFaults(world);
        transitRot = new TransitRot(world, this);
        coordinator = new SimulatedCoordinator(world);
        checker = new Checker(world, this, histories);
        schedule = new FaultSchedule(world, this);
    }

    Shape.Bounds bounds()
    {
        return bounds;
    }

    SimulatedNode[] nodes()
    {
        return nodes;
    }

    SimulatedNode node(final int id)
    {
        return nodes[id];
    }

    WorkerLink link(final int client, final int node)
    {
        return links[client][node];
    }

    /** Which node listens at an endpoint. */
    int nodeAt(final String endpoint)
    {
        return Integer.parseInt(endpoint.substring("node-".length(), endpoint.indexOf(':')));
    }

    SimulatedNetwork network()
    {
        return network;
    }

    SimulatedCoordinator coordinator()
    {
        return coordinator;
    }

    PlantedNodeFaults lies()
    {
        return lies;
    }

    TransitRot transitRot()
    {
        return transitRot;
    }

    Checker checker()
    {
        return checker;
    }

    FaultSchedule schedule()
    {
        return schedule;
    }

    /** May a node die now without breaking more than the seed's promises bear? */
    boolean mayDie(final SimulatedNode node)
    {
        return schedule.mayDie(node);
    }

    boolean[] alive()
    {
        final boolean[] alive = new boolean[nodes.length];
        for (int i = 0; i < alive.length; i++)
        {
            alive[i] = nodes[i].isAlive();
        }

        return alive;
    }
}
