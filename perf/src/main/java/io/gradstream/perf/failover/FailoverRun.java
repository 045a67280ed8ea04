// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.launcher.Audit;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.perf.failover.FailoverReport.Failover;
import io.gradstream.perf.measure.InterruptedRunException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Kills the server that is primary of the most partitions, again and again, under light load, and measures how long the
 * worker waits for the last partition to acknowledge again.
 */
final class FailoverRun
{
    /** Longest time until all partitions acknowledge again, and until all copies are back. */
    static final long MAX_AWAY_NS = TimeUnit.SECONDS.toNanos(60);
    /** Most kills for each that counts: a kill that meets no outstanding push does not count. */
    static final int MAX_TRIES = 3;

    /** Time after which a dead server that is still head of a chain is so because no server may take over. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(1000);
    /** Longest random delay of a kill, so that kills meet every phase of the heartbeats. */
    private static final int MAX_PHASE_MS = 100;
    private static final long CLUSTER_POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SEED = 1;
    private static final int MAX_ROWS = 1024;

    private final FailoverSettings settings;
    private final Random random = new Random(SEED);
    private final FailoverWatch watch;
    private LocalCluster cluster;
    private PacedPushes pushes;
    private long clusterPollNs;

    FailoverRun(final FailoverSettings settings)
    {
        this.settings = settings;
        watch = new FailoverWatch(settings.partitions());
    }

    /**
     * Run to the end.
     *
     * @throws IllegalStateException if partitions do not come back in time.
     */
    FailoverReport run() throws IOException
    {
        final ClusterPlan plan = ClusterPlan.local(
            FailoverSettings.SERVERS, settings.coordinators(), settings.partitions(), MAX_ROWS,
            ServerPlan.chain(settings.profile().name().toLowerCase(Locale.ROOT), settings.timing()), null);
        if (settings.isLeaderKilled())
        {
            plan.withOwnProcesses();
        }
        try (RunDirectory directory = RunDirectory.create(settings.directory()))
        {
            cluster = new LocalCluster(plan, directory);
            try
            {
                cluster.startHosts();
                return underLoad(plan.coordinators());
            }
            finally
            {
                cluster.close();
            }
        }
    }

    private FailoverReport underLoad(final List<String> coordinators) throws IOException
    {
        try (PacedPushes load = new PacedPushes(settings, coordinators, cluster.workersAeronDirectory(), watch))
        {
            pushes = load;
            cluster.view().listen((text) -> watch.onCoordinator(text, System.nanoTime()));
            load.begin();

            final List<Failover> failovers = new ArrayList<>();
            // The first kill is for the compiler, and after it one server is primary of everything.
            killOnce();
            for (int i = 0; i < settings.runs() * MAX_TRIES && failovers.size() < settings.runs(); i++)
            {
                final Failover failover = killOnce();
                if (null != failover)
                {
                    failovers.add(failover);
                    System.err.printf(Locale.ROOT, "[%d/%d] %s%n", failovers.size(), settings.runs(), failover.text());
                }
            }
            final Audit audit = load.audit();
            audit.differences().forEach(System.err::println);

            return new FailoverReport(settings, failovers, audit.lost() + audit.altered(), audit.doubled(),
                cluster.view().spuriousFailovers());
        }
    }

    /**
     * One kill and the way back to whole chains; null if the kill does not count, since it met a partition without an
     * outstanding push, or a chain that had just lost its standby to a suspicion.
     */
    private Failover killOnce() throws IOException
    {
        final long settledNs = System.nanoTime() + SETTLE_NS +
            TimeUnit.MILLISECONDS.toNanos(random.nextInt(MAX_PHASE_MS));
        await("all copies", () -> System.nanoTime() - settledNs >= 0 && isWhole());
        final int victim = busiest();
        final BitSet headed = headedBy(victim);
        final int leader = cluster.view().leader();
        watch.begin(victim, headed);
        final long killedNs = System.nanoTime();
        if (settings.isLeaderKilled())
        {
            cluster.killCoordinator(leader);
        }
        cluster.kill(List.of(victim));
        await("partitions to acknowledge", () -> watch.isOver() || isStuck(victim, headed, killedNs));
        final boolean isOver = watch.isOver();
        final Failover failover = watch.end(killedNs);
        if (!isOver)
        {
            System.err.println("a kill met a chain that was not whole and does not count: the machine is too busy " +
                "for --timing " + settings.timing() +
                (ServerPlan.SHARED.equals(settings.timing()) ? ": stop what else runs here" :
                ": take --timing shared"));
        }
        if (settings.isLeaderKilled())
        {
            cluster.restartCoordinator(leader);
        }
        cluster.restart(victim);
        await("all copies", this::isWhole);

        return isOver ? failover : null;
    }

    private boolean isWhole()
    {
        return cluster.isWhole() && cluster.areCoordinatorsWhole();
    }

    /** True if the victim's standby was a joiner, so that no server may take over until the victim is back. */
    private boolean isStuck(final int victim, final BitSet headed, final long killedNs)
    {
        final BitSet stillHeaded = headedBy(victim);
        stillHeaded.and(headed);

        return !stillHeaded.isEmpty() && System.nanoTime() - killedNs > STUCK_NS;
    }

    private int busiest()
    {
        int best = 0;
        for (int node = 1; node < FailoverSettings.SERVERS; node++)
        {
            best = headedBy(node).cardinality() > headedBy(best).cardinality() ? node : best;
        }

        return best;
    }

    private BitSet headedBy(final int node)
    {
        final BitSet headed = new BitSet();
        final List<Integer> heads = cluster.heads();
        for (int partition = 0; partition < heads.size(); partition++)
        {
            headed.set(partition, node == heads.get(partition));
        }

        return headed;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long beginNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            pushes.poll();
            final long nowNs = System.nanoTime();
            if (nowNs - clusterPollNs >= CLUSTER_POLL_NS)
            {
                clusterPollNs = nowNs;
                cluster.poll();
            }
            if (Thread.interrupted())
            {
                throw new InterruptedRunException();
            }
            if (nowNs - beginNs > MAX_AWAY_NS)
            {
                throw new IllegalStateException("gave up waiting for " + what + " after " +
                    TimeUnit.NANOSECONDS.toSeconds(MAX_AWAY_NS) + " s: " + watch.describe());
            }
        }
    }
}
