// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.kills.ResizeOrder.Change;

/**
 * Adds servers and workers to a local cluster, and drains servers of it, one after the other. The next change begins
 * when the one before is over and the cluster is whole. An added server is there when it has its share of the places,
 * and a drained one is gone when it keeps nothing and its process has ended. An added worker is there when its process
 * has begun.
 */
final class Resizes
{
    /** Longest time that one change may take: under full load copies take minutes. */
    static final long MAX_MS = 600_000;

    private final LocalCluster cluster;
    private final Drains drains;
    private final Kills.Listener listener;
    private final ResizeQueue pending;
    private ResizeOrder current;
    private Step step = Step.NONE;
    /** The server, or the slot of the worker, that the change is about. */
    private int node;
    private int movedBefore;
    private long beganMs;

    /** The steps of a change, in their order. */
    private enum Step
    {
        /** Nothing changes. */
        NONE,
        /** A server gives its places away. */
        EMPTYING,
        /** An empty server ends. */
        ENDING,
        /** A server that was drained has started again, and the coordinators are to give it places. */
        RETURNING,
        /** A server starts and gets places. */
        JOINING,
        /** A worker starts and takes part in the work. */
        STARTING
    }

    Resizes(
        final LocalCluster cluster, final List<ResizeOrder> orders, final int copies, final Drains drains,
        final Kills.Listener listener)
    {
        this.cluster = cluster;
        this.drains = drains;
        this.listener = listener;
        pending = new ResizeQueue(orders, copies);
    }

    /** Begin a change that was drawn, before all others. */
    void addFirst(final ResizeOrder order)
    {
        pending.addFirst(order);
    }

    /** True if a server that is drained now can be done without. */
    boolean canDrain(final Moment moment)
    {
        return pending.canDrain(moment);
    }

    boolean isBusy()
    {
        return Step.NONE != step;
    }

    boolean isDone()
    {
        return pending.isEmpty() && !isBusy();
    }

    /**
     * Do what is due.
     *
     * @param sinceBeganMs since training began.
     * @throws IOException           if a server cannot be started.
     * @throws IllegalStateException if a change takes too long, or cannot be.
     */
    void poll(final Moment moment, final long sinceBeganMs) throws IOException
    {
        if (isBusy())
        {
            if (moment.nowMs() - beganMs > MAX_MS)
            {
                throw new IllegalStateException((isWorkerJoining() ? "worker " : "server ") + node + " was still " +
                    step.name().toLowerCase(Locale.ROOT) + " after " + MAX_MS / 1000 +
                    " s: the machine may be overloaded, use a lower --pace");
            }
            goOn(moment);
            return;
        }
        // a kill may have begun since the moment was taken
        current = cluster.isWhole() ? pending.next(moment, sinceBeganMs) : null;
        if (null != current)
        {
            begin(moment);
        }
        else if (null != pending.nextImpossible(moment, sinceBeganMs))
        {
            listener.onMove("no server is drained: each of the " + moment.servers().size() +
                " that are left is needed, one for each copy of a partition");
        }
    }

    /** True while a worker starts: it does not see yet what partitions do. */
    boolean isWorkerJoining()
    {
        return Step.STARTING == step;
    }

    /** Drop the orders of workers that were not started yet. */
    void addNoWorkers()
    {
        pending.addNoWorkers();
    }

    private void begin(final Moment moment) throws IOException
    {
        beganMs = moment.nowMs();
        movedBefore = cluster.view().placesMoved();
        if (Change.ADD_WORKER == current.change())
        {
            node = cluster.addWorker();
            step = Step.STARTING;
            listener.onWorkerAdded(node);
            listener.onMove("worker " + node + " is started, to join");
            return;
        }
        if (Change.ADD == current.change())
        {
            node = cluster.addServer();
            step = Step.JOINING;
            listener.onMove("server " + node + " is started, to join");
            return;
        }

        final List<Integer> servers = moment.servers();
        node = KillOrder.NEXT == current.number() ? servers.get(servers.size() - 1) : current.number();
        if (!servers.contains(node))
        {
            throw new IllegalStateException("server " + node + " cannot be drained, as it does not run now: the" +
                " servers are " + servers);
        }
        step = Step.EMPTYING;
        drains.ask(node, true);
        listener.onMove("server " + node + " is drained: its " + cluster.view().placesOf(node) +
            " places move to others");
    }

    private void goOn(final Moment moment) throws IOException
    {
        final String took = " after " + (moment.nowMs() - beganMs) + " ms and ";
        switch (step)
        {
            case EMPTYING ->
            {
                if (drains.isDone())
                {
                    listener.onMove("server " + node + " is empty" + took + moved() + ": it is stopped");
                    cluster.retire(node);
                    step = Step.ENDING;
                }
            }
            case ENDING -> onEnding(moment.nowMs());
            case RETURNING -> step = drains.isDone() ? Step.JOINING : step;
            case JOINING ->
            {
                if (cluster.isReady(node) && cluster.view().isEven(moment.servers()))
                {
                    listener.onMove("server " + node + " has joined" + took + moved() + ": it has " +
                        cluster.view().placesOf(node) + " places");
                    step = Step.NONE;
                }
            }
            case STARTING ->
            {
                if (moment.areWorkersBegun())
                {
                    listener.onMove("worker " + node + " has joined after " + (moment.nowMs() - beganMs) + " ms");
                    step = Step.NONE;
                }
            }
            case NONE -> throw new IllegalStateException("nothing goes on");
        }
    }

    private void onEnding(final long nowMs) throws IOException
    {
        if (cluster.isServerAlive(node))
        {
            return;
        }
        step = Step.NONE;
        if (Change.DRAIN_AND_RETURN == current.change())
        {
            beganMs = nowMs;
            movedBefore = cluster.view().placesMoved();
            cluster.restart(node);
            drains.ask(node, false);
            step = Step.RETURNING;
            listener.onMove("server " + node + " is started again, to return");
        }
    }

    private String moved()
    {
        final int moved = cluster.view().placesMoved() - movedBefore;
        return moved + (1 == moved ? " place has moved" : " places have moved");
    }
}
