// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.simulator.coordinator.SimulatedCoordinator;
import io.gradstream.simulator.network.SimulatedNetwork;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** All nodes of a course with what is between them. */
public final class Cluster
{
    private final ScenarioConfig.Bounds bounds;
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
    private final BitFlips bitFlips;
    private final Histories histories;
    private NodeListener listener;
    private FaultPolicy policy;
    private final OtherJobs otherJobs;
    private JobListener jobListener;

    public Cluster(final World world, final Histories histories)
    {
        bounds = world.config().bounds();
        seats = new SimulatedNode[world.config().seats()];
        ofNode = new int[world.config().nodes()];
        lives = new long[world.config().nodes()];
        links = new WorkerLink[world.config().allClients()][seats.length];
        for (int node = 0; node < world.config().nodes(); node++)
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
        bitFlips = new BitFlips(world, this);
        coordinator = new SimulatedCoordinator(world);
        otherJobs = new OtherJobs(this);
        this.histories = histories;
    }

    ScenarioConfig.Bounds bounds()
    {
        return bounds;
    }

    /** All that there have been processes of, be they the node by the newest map or not. */
    public List<SimulatedNode> nodes()
    {
        return nodes;
    }

    /** Where the process runs that is the node. */
    public SimulatedNode node(final int id)
    {
        final int other = otherSeat(ofNode[id]);
        if (null != seats[other] && seats[other].incarnation() > 0 && id < coordinator.map().incarnations().size() &&
            seats[other].incarnation() == coordinator.map().incarnations().get(id))
        {
            ofNode[id] = other;
        }

        return seats[ofNode[id]];
    }

    /** A process is started: others reach it, and so do workers. */
    public void onStarted(final SimulatedNode node)
    {
        network.onStarted(node.seat(), alive());
        for (final WorkerLink[] ofClient : links)
        {
            ofClient[node.seat()].onNodeStarted();
        }
    }

    /** A process is dead, and all its images die. */
    public void onDead(final SimulatedNode node)
    {
        network.onDead(node.seat());
        for (final WorkerLink[] ofClient : links)
        {
            ofClient[node.seat()].onNodeDead();
        }
    }

    /** A process of a worker is dead, and all its streams die. */
    public void onWorkerDead(final int client)
    {
        for (final WorkerLink link : links[client])
        {
            link.onWorkerDead();
        }
    }

    /** Answers to a process that has died reach the one that comes after it, where that listens at the same place. */
    public void leaveAnswers(final int dead, final int client)
    {
        for (int seat = 0; seat < seats.length && client != dead; seat++)
        {
            links[dead][seat].leaveAnswersTo(links[client][seat]);
        }
    }

    int nodeCount()
    {
        return ofNode.length;
    }

    public SimulatedNode at(final int seat)
    {
        return seats[seat];
    }

    /** True if this process is the node, and not another process of the same node that runs elsewhere. */
    public boolean isNode(final SimulatedNode node)
    {
        return node(node.id()) == node;
    }

    /** True if the coordinators take a later process on the other host for this node, and that one is gone. */
    public boolean isReplacedByDead(final SimulatedNode node)
    {
        final String endpoint = coordinator.endpoint(node.id());

        return isNode(node) && !endpoint.isEmpty() && seatAt(endpoint) == otherSeat(node.seat());
    }

    /** True if there is more than one process of a node. */
    public boolean hasTwo(final int id)
    {
        return hasOther(node(id));
    }

    /** True if a process of the same node lives on its other host. */
    boolean hasOther(final SimulatedNode node)
    {
        final SimulatedNode other = seats[otherSeat(node.seat())];
        return null != other && other.isAlive();
    }

    /** The other host of a node, on which nothing is kept yet. */
    public SimulatedNode otherHost(final World world, final int id)
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

    public WorkerLink link(final int client, final int seat)
    {
        return links[client][seat];
    }

    /** Which seat's process listens at an endpoint. */
    public int seatAt(final String endpoint)
    {
        return Integer.parseInt(endpoint.substring("node-".length(), endpoint.indexOf(':')));
    }

    public SimulatedNetwork network()
    {
        return network;
    }

    public SimulatedCoordinator coordinator()
    {
        return coordinator;
    }

    PlantedNodeFaults lies()
    {
        return lies;
    }

    BitFlips bitFlips()
    {
        return bitFlips;
    }

    public Histories histories()
    {
        return histories;
    }

    /** Sets who hears of what nodes do, and who decides which faults the promises bear. */
    public void watch(final NodeListener newListener, final FaultPolicy newPolicy)
    {
        listener = newListener;
        policy = newPolicy;
    }

    /** Sets who hears of what is done for jobs beside the first one. */
    public void watchJobs(final JobListener newListener)
    {
        jobListener = newListener;
    }

    JobListener jobListener()
    {
        return jobListener;
    }

    /** The jobs beside the first one. */
    public OtherJobs otherJobs()
    {
        return otherJobs;
    }

    NodeListener listener()
    {
        return listener;
    }

    public FaultPolicy policy()
    {
        return policy;
    }

    public boolean[] alive()
    {
        final boolean[] alive = new boolean[seats.length];
        for (int i = 0; i < alive.length; i++)
        {
            alive[i] = null != seats[i] && seats[i].isAlive();
        }

        return alive;
    }
}
