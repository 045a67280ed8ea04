// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulation;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * All nodes of a course with what is between them.
 */
final class Cluster
{
    private final Shape.Bounds bounds;
    /** By seat: two for each node, of which the second ones are there once they were needed. */
    private final SimulatedNode[] seats;
    /** Those of them that are there; a new list with each that is added, for who reads the one before. */
    private List<SimulatedNode> nodes = List.of();
    /** By node: the seat of the process that is the node by the newest map that named one of its processes. */
    private final int[] ofNode;
    private final long[] lives;
    private final WorkerLink[][] links;
    private final SimulatedNetwork network;
    private final SimulatedCoordinator coordinator;
    private final PlantedNodeFaults lies;
    private final TransitRot transitRot;
    private final Checker checker;
    private final FaultSchedule schedule;
    private final FatalLoss fatalLoss;

    Cluster(final World world, final Histories histories)
    {
        bounds = world.shape.bounds();
        seats = new SimulatedNode[world.shape.seats()];
        ofNode = new int[world.shape.nodes()];
        lives = new long[world.shape.nodes()];
        links = new WorkerLink[Shape.CLIENTS][seats.length];
        for (int node = 0; node < world.shape.nodes(); node++)
        {
            take(new SimulatedNode(world, node, node));
            ofNode[node] = node;
        }
        for (final WorkerLink[] ofClient : links)
        {
            for (int seat = 0; seat < seats.length; seat++)
            {
                ofClient[seat] = new WorkerLink(world);
            }
        }
        network = new SimulatedNetwork(world);
        lies = new PlantedNodeFaults(world);
        transitRot = new TransitRot(world, this);
        coordinator = new SimulatedCoordinator(world);
        checker = new Checker(world, this, histories);
        coordinator.checks().openedListener(checker::onOpened);
        schedule = new FaultSchedule(world, this);
        fatalLoss = new FatalLoss(world, this);
    }

    Shape.Bounds bounds()
    {
        return bounds;
    }

    /** All that there have been processes of, be they the node by the newest map or not. */
    List<SimulatedNode> nodes()
    {
        return nodes;
    }

    /** Where the process runs that is the node. */
    SimulatedNode node(final int id)
    {
        final int other = otherSeat(ofNode[id]);
        if (null != seats[other] && seats[other].incarnation() > 0 && id < coordinator.map().incarnations().size() &&
            seats[other].incarnation() == coordinator.map().incarnations().get(id))
        {
            ofNode[id] = other;
        }

        return seats[ofNode[id]];
    }

    int nodeCount()
    {
        return ofNode.length;
    }

    SimulatedNode at(final int seat)
    {
        return seats[seat];
    }

    /** Is it the node, and not another process of its that runs elsewhere? */
    boolean isNode(final SimulatedNode node)
    {
        return node(node.id()) == node;
    }

    /** Is there more than one process of a node? */
    boolean hasTwo(final int id)
    {
        return hasOther(node(id));
    }

    /** Does a process of the same node live on its other host? */
    boolean hasOther(final SimulatedNode node)
    {
        final SimulatedNode other = seats[otherSeat(node.seat())];
        return null != other && other.isAlive();
    }

    /** The other host of a node, on which nothing is kept yet. */
    SimulatedNode otherHost(final World world, final int id)
    {
        final int other = otherSeat(node(id).seat());
        if (null == seats[other])
        {
            take(new SimulatedNode(world, id, other));
        }

        return seats[other];
    }

    private void take(final SimulatedNode node)
    {
        seats[node.seat()] = node;
        nodes = Stream.of(seats).filter(Objects::nonNull).toList();
    }

    private int otherSeat(final int seat)
    {
        return (seat + ofNode.length) % seats.length;
    }

    /** Number of the next process of a node, wherever it runs. */
    long nextIncarnation(final int id)
    {
        return ++lives[id] << 32;
    }

    WorkerLink link(final int client, final int seat)
    {
        return links[client][seat];
    }

    /** Which seat's process listens at an endpoint. */
    int seatAt(final String endpoint)
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

    FatalLoss fatalLoss()
    {
        return fatalLoss;
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
        final boolean[] alive = new boolean[seats.length];
        for (int i = 0; i < alive.length; i++)
        {
            alive[i] = null != seats[i] && seats[i].isAlive();
        }

        return alive;
    }
}
