// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.util.List;

/**
 * One {@link Netsplit} in a cluster of its own, under load, and what it did.
 *
 * @param split          what happened.
 * @param skipped        why it was not tried; empty if it was.
 * @param isLeaderStruck was the host cut off that of the coordinators' leader?
 * @param isLeadMoved    has a partition another head than before, or a head by a newer epoch?
 * @param gapMs          longest time without an acknowledgement for a slot, from before it began until all was whole.
 * @param healedMs       after it ended, until all was whole.
 * @param failovers      that the coordinators decided.
 * @param fragments      of IP that hosts made or put together.
 * @param lost           pushes acknowledged and not there.
 * @param doubled        pushes applied twice.
 * @param differences    of counts, one line each.
 * @param replicas       that differ, one line each.
 */
record NetsplitRun(
    Netsplit split,
    String skipped,
    boolean isLeaderStruck,
    boolean isLeadMoved,
    long gapMs,
    long healedMs,
    long failovers,
    long fragments,
    long lost,
    long doubled,
    List<String> differences,
    List<String> replicas)
{
    private static final ServiceMode MODE = ServiceMode.CHAIN_OF_THREE_COORDINATORS;
    private static final int WORKERS = 2;
    /** Long enough that a gap that lasts as long as the cut stands out from one that ends by itself. */
    static final long CUT_MS = 8_000;
    private static final long CALM_MS = 1_000;
    private static final int MAX_ATTEMPTS = 20;
    private static final long HEAL_TIMEOUT_MS = 120_000;
    private static final long NS_PER_MS = 1_000_000;

    /** Start a cluster, let it happen, heal, count and compare. */
    static NetsplitRun run(final Netsplit split) throws IOException
    {
        final String none = Namespaces.obstacle();
        if (!none.isEmpty())
        {
            return skipped(split, none);
        }
        try (Namespaces hosts = Namespaces.create(MODE.servers() + 1))
        {
            final String obstacle = split.obstacle(hosts);
            if (!obstacle.isEmpty())
            {
                return skipped(split, obstacle);
            }
            try (FaultCluster cluster = FaultCluster.start(MODE, hosts))
            {
                try
                {
                    final NetsplitRun run = strike(split, hosts, cluster);
                    if (!run.isOk())
                    {
                        cluster.printLogs();
                    }
                    return run;
                }
                catch (final IOException | RuntimeException | AssertionError ex)
                {
                    cluster.printLogs();
                    throw ex;
                }
            }
        }
    }

    private static NetsplitRun skipped(final Netsplit split, final String reason)
    {
        return new NetsplitRun(split, reason, false, false, 0, 0, 0, 0, 0, 0, List.of(), List.of());
    }

    private static NetsplitRun strike(final Netsplit split, final Namespaces hosts, final FaultCluster cluster)
        throws IOException
    {
        final CountCheck counts = new CountCheck(cluster);
        final boolean isLeaderStruck;
        final long epochs;
        final long gapMs;
        final long healedMs;
        try (Load load = Load.ofThreads(cluster, WORKERS))
        {
            awaitCalm(cluster, load);
            isLeaderStruck = split.strikesLeader(cluster);
            epochs = cluster.epochs();
            try (GapWatch watch = GapWatch.start(load.slots()))
            {
                System.out.println(System.currentTimeMillis() + " " + split.label() + " begins: primary=" +
                    cluster.primary() + " leader=" + cluster.leader());
                split.begin(cluster, hosts);
                hosts.lose();
                System.out.println(System.currentTimeMillis() + " " + split.label() + " has begun");
                cluster.stay(CUT_MS);
                split.end(hosts);
                System.out.println(System.currentTimeMillis() + " " + split.label() + " is over");
                final long endNs = System.nanoTime();
                cluster.await("all is whole", HEAL_TIMEOUT_MS, cluster::isWhole);
                healedMs = (System.nanoTime() - endNs) / NS_PER_MS;
                load.awaitFlowing();
                gapMs = watch.longestMs();
            }
            load.drain();
            counts.run(load);
        }
        final boolean isLeadMoved = cluster.epochs() > epochs;
        final long failovers = cluster.failovers();
        final long fragments = hosts.fragments();
        cluster.stop();
        return new NetsplitRun(
            split, "", isLeaderStruck, isLeadMoved, gapMs, healedMs, failovers, fragments, counts.lost(),
            counts.doubled(), counts.differences(), ReplicaCheck.run(cluster));
    }

    // A crowded machine may cost a chain its standby as long as the cluster is young.
    private static void awaitCalm(final FaultCluster cluster, final Load load)
    {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
        {
            cluster.await("all is whole", HEAL_TIMEOUT_MS, cluster::isWhole);
            load.awaitFlowing();
            cluster.stay(CALM_MS);
            if (cluster.isWhole())
            {
                return;
            }
        }

        throw new AssertionError("chains do not stay whole by themselves");
    }

    long boundMs()
    {
        return split.boundMs(isLeaderStruck);
    }

    /** Has the cut done what it must do, so that the rest means something? */
    boolean hasBitten()
    {
        return isLeadMoved || !split.movesLead();
    }

    /** Is everything as it is promised? */
    boolean isOk()
    {
        return gapMs <= boundMs() && hasBitten() && differences.isEmpty() && replicas.isEmpty() && 0 == fragments;
    }

    /** One line for people and scripts. */
    String json()
    {
        final String scenario = "{\"scenario\":\"" + split.label() + '"';
        if (!skipped.isEmpty())
        {
            return scenario + ",\"skipped\":\"" + skipped.replaceAll("[\\s\"\\\\]+", " ") + "\"}";
        }

        return scenario + ",\"gapMs\":" + gapMs + ",\"boundMs\":" + boundMs() + ",\"lost\":" + lost +
            ",\"doubled\":" + doubled + ",\"replicasIdentical\":" + replicas.isEmpty() +
            ",\"leaderStruck\":" + isLeaderStruck + ",\"leadMoved\":" + isLeadMoved +
            ",\"healedMs\":" + healedMs + ",\"failovers\":" + failovers + ",\"ipFragments\":" + fragments +
            ",\"ok\":" + isOk() + '}';
    }
}
