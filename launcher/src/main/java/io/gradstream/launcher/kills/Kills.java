// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gradstream.launcher.LocalCluster;

/**
 * Kills servers, coordinators and workers of a local cluster as asked for, starts them again, adds and drains servers,
 * adds workers, and says when held workers may go on: when all that is done and service is back. Kills of servers and
 * of a coordinator that are due together happen together. A worker is killed while servers are whole, since a kill of
 * servers waits for what each worker sees. Nothing is killed while a worker joins, except the coordinators' leader. A
 * fault that is drawn at random begins when nothing else is under way.
 */
public final class Kills
{
    private final LocalCluster cluster;
    private final Listener listener;
    private final ServerKills servers;
    private final CoordinatorKills coordinators;
    private final WorkerKills workers;
    private final Resizes resizes;
    private final Chaos chaos;
    private final Map<Chaos.Kind, Integer> drawn = new EnumMap<>(Chaos.Kind.class);
    private boolean isDisturbed;
    private long disturbedMs;
    private long beganMs;
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

        /** A server was added or drained, or a worker was added, or this is over. */
        void onMove(String text);

        /** A worker was started in the slot after the last one. */
        void onWorkerAdded(int slot);

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
     * @param serverCount servers that run at one time or another.
     */
    public Kills(
        final LocalCluster cluster,
        final FaultPlan plan,
        final int serverCount,
        final int partitionCount,
        final Drains drains,
        final Listener listener)
    {
        this.cluster = cluster;
        this.listener = listener;
        final List<KillOrder> orders = plan.kills();
        final long downMs = plan.downMs();
        chaos = plan.chaos();
        resizes = new Resizes(cluster, plan.resizes(), plan.copies(), drains, listener);
        coordinators = new CoordinatorKills(of(KillOrder.Target.COORDINATOR, orders), downMs);
        workers = new WorkerKills(of(KillOrder.Target.WORKER, orders), downMs);
        servers = new ServerKills(orders.stream().filter((order) -> KillOrder.Target.COORDINATOR != order.target() &&
            KillOrder.Target.WORKER != order.target()).toList(), serverCount, partitionCount, downMs);
        isReleased = plan.isEmpty();
    }

    /** Called when training began: times count from then. Only the first call counts. */
    public void onTrainingBegan(final long nowMs)
    {
        servers.onTrainingBegan(nowMs);
        coordinators.onTrainingBegan(nowMs);
        workers.onTrainingBegan(nowMs);
        if (0 == beganMs)
        {
            beganMs = nowMs;
            if (null != chaos)
            {
                chaos.onTrainingBegan(nowMs);
            }
        }
    }

    /**
     * Do what is due.
     *
     * @param nowMs     {@link io.gradstream.driver.client.HostClock#monotonicMs()}.
     * @param shareDone batches done by all workers together, of those planned; 0 to 1.
     * @param isAllHeld true if every worker holds back its last batches, or has finished.
     * @param areWorkersBegun true if the newest process of each worker has begun, or the worker has finished.
     * @throws IOException           if a process cannot be started.
     * @throws IllegalStateException if service does not come back in time.
     */
    public void poll(
        final long nowMs, final double shareDone, final boolean isAllHeld, final boolean areWorkersBegun)
        throws IOException
    {
        reportServiceBack();
        final Moment moment = new Moment(nowMs, shareDone, isAllHeld, cluster.heads(), cluster.nodes(),
            cluster.workers(), cluster.isWhole(), cluster.areCoordinatorsWhole(), areWorkersBegun,
            cluster.view().leadershipTerm(), cluster.view().leaderSinceMs());
        // a kill of servers that is due together with one of the leader waits with it
        final boolean isWhole = moment.areServersWhole() && !workers.isAway() && !resizes.isWorkerJoining() &&
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
        if (servers.isAway() || resizes.isWorkerJoining())
        {
            workers.waitForOthers();
        }
        actOnWorker(workers.poll(
            moment, moment.areServersWhole() && !servers.isAway() && !resizes.isWorkerJoining()));
        if (workers.isAway() || resizes.isWorkerJoining())
        {
            servers.waitForOthers();
        }
        if (beganMs > 0)
        {
            resizes.poll(moment, nowMs - beganMs);
            watchDisturbance(moment);
            draw(moment);
        }
        if (!isReleased && areKillsDone() && resizes.isDone() && (null == chaos || isAllHeld && !isDisturbed))
        {
            isReleased = true;
            listener.onReleased();
        }
    }

    private void watchDisturbance(final Moment moment)
    {
        final boolean isStruck = servers.isAway() || coordinators.isAway() || workers.isAway() || resizes.isBusy();
        disturbedMs = isDisturbed ? disturbedMs : moment.nowMs();
        isDisturbed = isStruck || isDisturbed && !isQuiet(moment);
        if (null != chaos && !isStruck && moment.nowMs() - disturbedMs > KillSchedule.MAX_AWAY_DRAWN_MS)
        {
            throw new IllegalStateException(KillSchedule.MAX_AWAY_DRAWN_MS / 1000 + " s after a fault was drawn " +
                (!moment.areServersWhole() ? "partitions did not have all their replicas" :
                !moment.areCoordinatorsWhole() ? "coordinators were not complete" : "a worker had not begun again"));
        }
    }

    private void draw(final Moment moment)
    {
        if (null == chaos || isReleased || moment.isAllHeld() || isDisturbed || !areKillsDone() || !isQuiet(moment))
        {
            return;
        }
        final Chaos.Fault fault =
            chaos.poll(moment.nowMs(), moment.servers(), moment.workers(), resizes.canDrain(moment));
        if (null == fault)
        {
            return;
        }
        drawn.merge(fault.kind(), 1, Integer::sum);
        final KillTime now = new KillTime(0, 0);
        switch (fault.kind())
        {
            case KILL_SERVER, STOP_SERVER ->
                servers.add(new KillOrder(KillOrder.Target.SERVER, fault.number(), now, true, fault.pauseMs()));
            case KILL_WORKER, STOP_WORKER ->
                workers.add(new KillOrder(KillOrder.Target.WORKER, fault.number(), now, true, fault.pauseMs()));
            case KILL_COORDINATOR, STOP_COORDINATOR ->
                coordinators.add(new KillOrder(
                    KillOrder.Target.COORDINATOR, KillOrder.NEXT, now, true, fault.pauseMs()));
            case DRAIN_SERVER ->
                resizes.addFirst(new ResizeOrder(ResizeOrder.Change.DRAIN_AND_RETURN, fault.number(), now));
        }
    }

    private boolean areKillsDone()
    {
        return servers.isDone() && coordinators.isDone() && workers.isDone();
    }

    private static boolean isQuiet(final Moment moment)
    {
        return moment.areServersWhole() && moment.areCoordinatorsWhole() && moment.areWorkersBegun();
    }

    /** True while a fault is under way, or a server or worker joins or leaves, until all is whole again. */
    public boolean isDisturbed()
    {
        return isDisturbed;
    }

    /** True while the run must not end: a fault that was drawn is not over, or a server or worker joins or leaves. */
    public boolean isUnderWay()
    {
        return null != chaos && isDisturbed || resizes.isBusy();
    }

    /** The faults that were drawn at random, by their kind. */
    public Map<Chaos.Kind, Integer> drawn()
    {
        return drawn;
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

    /** Called when no more batches are wanted: no worker is added any more. */
    public void onFinish()
    {
        resizes.addNoWorkers();
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
            case KILL -> strikeServers();
            case RESTART ->
            {
                for (final int node : servers.struck().isPause() ? List.<Integer>of() : servers.victims())
                {
                    cluster.restart(node);
                }
                servers.onRestarted();
                listener.onRestart(victims() + back(servers));
            }
            case FAIL_AWAY -> throw failed(servers, "service was not back", "the restart of " + victims());
            case FAIL_NOT_WHOLE ->
                throw failed(servers, "partitions did not have all their replicas", "the restart of " + victims());
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
                final KillOrder order = coordinators.current();
                coordinators.onKilled(order.isPause() ?
                    cluster.pauseCoordinator(coordinator, order.pauseMs()) : cluster.killCoordinator(coordinator));
                listener.onKill(strike(order) + "coordinator " + coordinator);
            }
            case RESTART ->
            {
                if (!coordinators.struck().isPause())
                {
                    cluster.restartCoordinator(coordinator);
                }
                coordinators.onRestarted();
                listener.onRestart("coordinator " + coordinator + back(coordinators));
            }
            case FAIL_AWAY -> throw failed(coordinators, "coordinators had no leader, or were not complete",
                "the restart of coordinator " + coordinator);
            case FAIL_NOT_WHOLE -> throw failed(coordinators, "servers and coordinators were not complete",
                "a coordinator was to be killed");
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
                final KillOrder order = workers.current();
                workers.onKilled(order.isPause() ?
                    cluster.pauseWorker(workers.victim(), order.pauseMs()) : cluster.killWorker(workers.victim()));
                listener.onKill(strike(order) + worker);
            }
            case RESTART ->
            {
                workers.onRestarted();
                if (!workers.struck().isPause())
                {
                    cluster.restartWorker(workers.victim());
                }
                listener.onRestart(worker + back(workers));
            }
            case FAIL_AWAY -> throw failed(workers, worker + " had not begun again", "its restart");
            case FAIL_NOT_WHOLE -> throw failed(workers, "partitions did not have all their replicas", worker +
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

    private void strikeServers() throws IOException
    {
        final KillOrder order = servers.current();
        if (order.isPause())
        {
            servers.onKilled(cluster.pauseServer(order.number(), order.pauseMs()));
        }
        else
        {
            servers.onKilled(cluster.kill(servers.victims()));
        }
        isAwayReported = !order.isPause();
        listener.onKill(strike(order) + victims());
        if (!order.isDrawn())
        {
            listener.onServersKilled();
        }
    }

    private static String strike(final KillOrder order)
    {
        return order.isPause() ? "SIGSTOP for " + order.pauseMs() + " ms of " : "kill -9 of ";
    }

    private static String back(final KillSchedule schedule)
    {
        return schedule.struck().isPause() ? " goes on after SIGSTOP" : " started again";
    }

    private static IllegalStateException failed(
        final KillSchedule schedule, final String problem, final String since)
    {
        return new IllegalStateException(problem + " " + schedule.awaySeconds() + " s after " + since);
    }

    private String victims()
    {
        return numbered("server", servers.victims());
    }
}
