// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.codecs.Check;
import io.gradstream.launcher.Audit;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
@Command(
    name = "failover",
    description = {
        "Kill -9 the server that is primary of all partitions, again and again, under light load, and measure the time",
        "until a worker has the first acknowledgement of the partition that comes back last. About 6 s for each kill.",
        "--windows says how many kills count; one that met no outstanding push does not."})
public final class FailoverRun extends Measurement
{
    /** Longest time until all partitions acknowledge again, and until all copies are back. */
    static final long MAX_AWAY_NS = TimeUnit.SECONDS.toNanos(60);
    /** Most kills for each that counts: a kill that meets no outstanding push does not count. */
    static final int MAX_TRIES = 3;

    /** Servers: one to kill, one to take over. */
    private static final int SERVERS = 2;
    /** Time after which a dead server that is still head of a chain is so because no server may take over. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(1000);
    /** Longest random delay of a kill, so that kills meet every phase of the heartbeats. */
    private static final int MAX_PHASE_MS = 100;
    private static final long CLUSTER_POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SEED = 1;
    private static final int MAX_ROWS = 1024;
    private static final int MAX_PARTITIONS = 64;
    private static final double MAX_RATE = 1_000;

    @Option(names = "--partitions", defaultValue = "8", paramLabel = "N",
        description = "Partitions of the job. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--rate", defaultValue = "50", paramLabel = "N",
        description = "Pushes a second to each partition. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(names = "--coordinators", defaultValue = "1", paramLabel = "1|3",
        description = "Coordinators, which decide who takes over. Default: ${DEFAULT-VALUE}.")
    private int coordinators;

    @Option(names = "--kill-leader",
        description = "Kill the coordinator that leads in the same moment: another is elected before one decides.")
    private boolean isLeaderKilled;

    @Option(names = "--failure-detection", defaultValue = ServerPlan.FAST, paramLabel = "fast|default",
        description = "How soon a silent server is suspected: fast is for machines with idle processors. Default: " +
            "${DEFAULT-VALUE}.")
    private String failureDetection;

    private final Random random = new Random(SEED);
    private FailoverWatch watch;
    private LocalCluster cluster;
    private ThrottledPushes pushes;
    private long clusterPollNs;

    public FailoverRun()
    {
        super(new RunOptions(30, RunOptions.NONE, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        Check.range("--partitions", partitions, SERVERS, MAX_PARTITIONS);
        Check.that(rate >= 1 && rate <= MAX_RATE, "--rate", rate, "1.." + (int)MAX_RATE);
        Check.that(1 == coordinators || 3 == coordinators, "--coordinators", coordinators, "1 or 3");
        Check.that(!isLeaderKilled || 3 == coordinators, "--coordinators", coordinators,
            "3 with --kill-leader: nobody takes over from a single one");
        Check.that(ServerPlan.FAST.equals(failureDetection) || ServerPlan.DEFAULT.equals(failureDetection),
            "--failure-detection", failureDetection, "fast or default");
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final ClusterPlan plan = ClusterPlan.local(
            SERVERS, coordinators, partitions, MAX_ROWS,
            ServerPlan.chain(settings.profileName(), failureDetection), null);
        if (isLeaderKilled)
        {
            plan.withOwnProcesses();
        }
        watch = new FailoverWatch(partitions);
        try (MeasuredCluster measured = MeasuredCluster.startAndKeep(settings, plan))
        {
            cluster = measured.processes();
            return underLoad(plan.coordinators());
        }
    }

    private List<TargetLine> underLoad(final List<String> endpoints) throws IOException
    {
        try (ThrottledPushes load = new ThrottledPushes(
            settings.profile(), partitions, rate, endpoints, cluster.workersAeronDirectory(), watch))
        {
            pushes = load;
            cluster.view().listen((text) -> watch.onCoordinator(text, System.nanoTime()));
            load.begin();
            final List<Failover> failovers = new ArrayList<>();
            // The first kill is for the compiler, and after it one server is primary of everything.
            killOnce();
            final int kills = settings.windows();
            for (int i = 0; i < kills * MAX_TRIES && failovers.size() < kills; i++)
            {
                final Failover failover = killOnce();
                if (null != failover)
                {
                    failovers.add(failover);
                    System.err.printf(Locale.ROOT, "[%d/%d] %s%n", failovers.size(), kills, failover.text());
                }
            }
            final Audit audit = load.audit();
            audit.differences().forEach(System.err::println);
            final List<TargetLine> lines = new ArrayList<>(FailoverLines.of(failovers));
            lines.add(FailoverLines.count("pushes lost", audit.lost() + audit.altered()));
            lines.add(FailoverLines.count("pushes duplicated", audit.doubled()));
            lines.add(FailoverLines.count("failovers without a dead process", cluster.view().spuriousFailovers()));

            return lines;
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
        if (isLeaderKilled)
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
                "for --failure-detection " + failureDetection +
                (ServerPlan.DEFAULT.equals(failureDetection) ? ": stop what else runs here" :
                ": take --failure-detection default"));
        }
        if (isLeaderKilled)
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
        for (int node = 1; node < SERVERS; node++)
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
            InterruptedRunException.check();
            if (nowNs - beginNs > MAX_AWAY_NS)
            {
                throw new IllegalStateException("gave up waiting for " + what + " after " +
                    TimeUnit.NANOSECONDS.toSeconds(MAX_AWAY_NS) + " s: " + watch.describe());
            }
        }
    }
}
