// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

import io.gradstream.launcher.LocalCluster;

/**
 * Kills servers, coordinators and workers of a local cluster as asked for, starts them again, and says when held
 * workers may go on: when all kills are done and service is back. Kills of servers and of a coordinator that are due
 * together happen together. A worker is killed while servers are whole, since a kill of servers waits for what each
 * worker sees.
 */
public final class Kills
{
    private final LocalCluster cluster;
    private final Listener listener;
    private final ServerKills servers;
    private final CoordinatorKills coordinators;
    private final WorkerKills workers;
    private int coordinator;
    private boolean isLeaderKilledToo;
    private boolean isReleased;
    private boolean isAwayReported;
    private int outagesReported;

    /** Follows the kills. */
    public interface Listener
    {
        /** Processes were killed. */
        void onKill(String text);

        /** Servers were killed: held workers do one batch more, so that a push is in flight. */
        void onServersKilled();

        /** Killed processes were started again. */
        void onRestart(String text);

        /** Service is back, and the next kill is not decided yet. */
        void onServiceBack(String text);

        /** The workers see that servers are back; the kill counts if it met a push in flight. */
        void onOutageOver(boolean isCounted);

        /** All kills are done: held workers may finish. */
        void onReleased();
    }

    /**
     * Kills of which none has happened yet.
     *
     * @param downMs how long killed processes stay away.
     */
    public Kills(
        final LocalCluster cluster,
        final List<KillOrder> orders,
        final long downMs,
        final int serverCount,
        final int partitionCount,
        final int workerCount,
        final Listener listener)
    {
        this.cluster = cluster;
        this.listener = listener;
        coordinators = new CoordinatorKills(of(KillOrder.Target.COORDINATOR, orders), downMs);
        workers = new WorkerKills(of(KillOrder.Target.WORKER, orders), workerCount, downMs);
        servers = new ServerKills(orders.stream().filter((order) -> KillOrder.Target.COORDINATOR != order.target() &&
            KillOrder.Target.WORKER != order.target()).toList(), serverCount, partitionCount, workerCount, downMs);
        isReleased = orders.isEmpty();
    }

    /** Called when training began: times count from then. Only the first call counts. */
    public void onTrainingBegan(final long nowMs)
    {
        servers.onTrainingBegan(nowMs);
        coordinators.onTrainingBegan(nowMs);
        workers.onTrainingBegan(nowMs);
    }

    /**
     * Do what is due.
     *
     * @param nowMs     {@link io.gradstream.driver.client.HostClock#monotonicMs()}.
     * @param shareDone batches done by all workers together, of those planned; 0 to 1.
     * @param isAllHeld true if every worker holds back its last batches.
     * @throws IOException           if a process cannot be started.
     * @throws IllegalStateException if service does not come back in time.
     */
    public void poll(final long nowMs, final double shareDone, final boolean isAllHeld) throws IOException
    {
        reportServiceBack();
        final Moment moment = new Moment(nowMs, shareDone, isAllHeld, cluster.heads(), cluster.isWhole(),
            cluster.areCoordinatorsWhole(), cluster.view().leadershipTerm(), cluster.view().leaderSinceMs());
        // a kill of servers that is due together with one of the leader waits with it
        final boolean isWhole = moment.areServersWhole() && !workers.isAway() &&
            (moment.areCoordinatorsWhole() || !coordinators.isDue(moment));
        final KillSchedule.Action ofServers = servers.poll(moment, isWhole);
        final KillSchedule.Action ofLeader =
            coordinators.poll(moment, moment.areServersWhole() && moment.areCoordinatorsWhole());
        if (KillSchedule.Action.KILL == ofServers)
        {
            isLeaderKilledToo = KillSchedule.Action.KILL == ofLeader;
        }
        actOnLeader(ofLeader);
        actOnServers(ofServers);
        if (servers.isAway())
        {
            workers.waitForOthers();
        }
        actOnWorker(workers.poll(moment, moment.areServersWhole() && !servers.isAway()));
        if (workers.isAway())
        {
            servers.waitForOthers();
        }
        if (!isReleased && servers.isDone() && coordinators.isDone() && workers.isDone())
        {
            isReleased = true;
            listener.onReleased();
        }
    }

    /**
     * Called when a worker saw a partition come back.
     *
     * @param outstanding pushes outstanding when its new primary came up.
     * @param firstAckMs  {@link io.gradstream.driver.client.HostClock#monotonicMs()} of the first new acknowledgement.
     */
    public void onServiceBack(final int slot, final int partition, final int outstanding, final long firstAckMs)
    {
        final boolean wasAway = servers.isAway();
        final boolean isWasted = servers.onServiceBack(slot, partition, outstanding, firstAckMs);
        if (wasAway && !servers.isAway())
        {
            servers.victims().forEach(cluster::onServiceBack);
            if (isWasted && isLeaderKilledToo)
            {
                isLeaderKilledToo = false;
                coordinators.onRepeated();
            }
            listener.onOutageOver(!isWasted);
        }
    }

    /** Called when a worker's process says where it begins in its slot. */
    public void onWorkerBegun(final int slot)
    {
        workers.onBegun(slot);
    }

    /** True if held workers may finish. */
    public boolean isReleased()
    {
        return isReleased;
    }

    /** Kills of servers that counted. */
    public List<Outage> outages()
    {
        return servers.outages();
    }

    /** For each kill of the coordinators' leader, in order, the time in ms until the next leader's term began. */
    public List<Long> electionGapsMs()
    {
        return coordinators.gapsMs();
    }

    /** Text, for people, of the outcome of a kill that did not count. */
    public String retry()
    {
        return "the kill of " + victims() + " met no push in flight and does not count: trying again (" +
            servers.tries() + " of " + ServerKills.MAX_TRIES + ")";
    }

    /** As in {@code servers 0, 2}. */
    public static String numbered(final String what, final List<Integer> numbers)
    {
        return what + (1 == numbers.size() ? " " : "s ") +
            numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private void reportServiceBack()
    {
        if (isAwayReported && !servers.isAway())
        {
            isAwayReported = false;
            final List<Outage> outages = servers.outages();
            final boolean isCounted = outages.size() > outagesReported;
            outagesReported = outages.size();
            listener.onServiceBack(isCounted ?
                "service is back after " + outages.get(outagesReported - 1).gapMs() + " ms" :
                "service is back; no push was in flight");
        }
    }

    private void actOnServers(final KillSchedule.Action action) throws IOException
    {
        switch (action)
        {
            case KILL ->
            {
                servers.onKilled(cluster.kill(servers.victims()));
                isAwayReported = true;
                listener.onKill("kill -9 of " + victims());
                listener.onServersKilled();
            }
            case RESTART ->
            {
                for (final int node : servers.victims())
                {
                    cluster.restart(node);
                }
                servers.onRestarted();
                listener.onRestart(victims() + " started again");
            }
            case FAIL_AWAY -> throw failed("service was not back", "the restart of " + victims());
            case FAIL_NOT_WHOLE ->
                throw failed("partitions did not have all their replicas", "the restart of " + victims());
            case FAIL_NOT_COUNTED -> throw new IllegalStateException("no push was in flight in any of " +
                ServerKills.MAX_TRIES + " kills of " + victims() + ": use --pace to stretch the run");
            case NONE ->
            {
            }
        }
    }

    private void actOnLeader(final KillSchedule.Action action) throws IOException
    {
        switch (action)
        {
            case KILL ->
            {
                coordinator = cluster.view().leader();
                coordinators.onKilled(cluster.killCoordinator(coordinator));
                listener.onKill("kill -9 of coordinator " + coordinator);
            }
            case RESTART ->
            {
                cluster.restartCoordinator(coordinator);
                coordinators.onRestarted();
                listener.onRestart("coordinator " + coordinator + " is started again");
            }
            case FAIL_AWAY -> throw failed("coordinators had no leader, or were not complete",
                "the restart of coordinator " + coordinator);
            case FAIL_NOT_WHOLE ->
                throw failed("servers and coordinators were not complete", "a coordinator was to be killed");
            case NONE, FAIL_NOT_COUNTED ->
            {
            }
        }
    }

    private void actOnWorker(final KillSchedule.Action action) throws IOException
    {
        final String worker = "worker " + workers.victim();
        switch (action)
        {
            case KILL ->
            {
                workers.onKilled(cluster.killWorker(workers.victim()));
                listener.onKill("kill -9 of " + worker);
            }
            case RESTART ->
            {
                workers.onRestarted();
                cluster.restartWorker(workers.victim());
                listener.onRestart(worker + " is started again");
            }
            case FAIL_AWAY -> throw failed(worker + " had not begun again", "its restart");
            case FAIL_NOT_WHOLE -> throw failed("partitions did not have all their replicas", worker +
                " was to be killed");
            case NONE, FAIL_NOT_COUNTED ->
            {
            }
        }
    }

    private static List<KillOrder> of(final KillOrder.Target target, final List<KillOrder> orders)
    {
        return orders.stream().filter((order) -> target == order.target()).toList();
    }

    private static IllegalStateException failed(final String problem, final String since)
    {
        return new IllegalStateException(problem + " " + KillSchedule.MAX_AWAY_MS / 1000 + " s after " + since);
    }

    private String victims()
    {
        return numbered("server", servers.victims());
    }
}
