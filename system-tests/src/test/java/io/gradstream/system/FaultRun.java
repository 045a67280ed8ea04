// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Faults one after the other. Each waits until the cluster has healed from the last one, whole chains included, and
 * load flows. One counts only if the process was really gone or paused while pushes were outstanding.
 */
final class FaultRun
{
    private static final long HEAL_TIMEOUT_MS = 240_000;
    /** Longest stall where a process is left that can go on: many times the suspicion, for machines that are shared. */
    private static final long STALL_LIMIT_MS = 20_000;
    private static final int MAX_ATTEMPTS = 3;
    private static final int MAX_HEALINGS = 20;
    private static final long ELECTION_TIMEOUT_MS = 60_000;

    private final FaultCluster cluster;
    private final Load load;
    private final boolean isSlowToHeal;
    private final Random random;
    private final List<Long> restoredMs = new ArrayList<>();
    private final List<Long> electionMs = new ArrayList<>();
    private Map<SlotLoad, Long> marks = Map.of();
    private long struckNs;
    /** 0 from a strike until what was outstanding is acknowledged. */
    private long restoredNs = 1;
    private long outstanding;
    private int counted;

    /**
     * No fault yet.
     *
     * @param cluster      to harm.
     * @param load         that it is under.
     * @param isSlowToHeal true if the load is slow from when what a fault held up is acknowledged until chains are
     *                     whole: on few cores they need many times as long under the full load.
     * @param seed         of all durations.
     */
    FaultRun(final FaultCluster cluster, final Load load, final boolean isSlowToHeal, final long seed)
    {
        this.cluster = cluster;
        this.load = load;
        this.isSlowToHeal = isSlowToHeal;
        random = new Random(seed);
    }

    /** Strike with each, again if nothing was outstanding just then, and let the cluster heal from the last. */
    void strikeAll(final List<Fault> faults) throws IOException
    {
        for (int i = 0; i < faults.size(); i++)
        {
            boolean isCounted = false;
            for (int attempt = 0; attempt < MAX_ATTEMPTS && !isCounted; attempt++)
            {
                awaitHealedUnderLoad();
                isCounted = strike(i, faults.get(i));
            }
            counted += isCounted ? 1 : 0;
        }
        awaitHealedUnderLoad();
    }

    FaultCluster cluster()
    {
        return cluster;
    }

    Load load()
    {
        return load;
    }

    Random random()
    {
        return random;
    }

    /** Faults that really happened, under load. */
    int counted()
    {
        return counted;
    }

    /** For each fault, how long it took until what was outstanding then was acknowledged; ascending. */
    List<Long> restoredMs()
    {
        return restoredMs.stream().sorted().toList();
    }

    /** For each death or pause of the coordinators' leader, how long it took until the next one led; ascending. */
    List<Long> electionMs()
    {
        return electionMs.stream().sorted().toList();
    }

    /** A process is gone, or stands still, now. */
    void onStruck(final long outstandingPushes)
    {
        struckNs = System.nanoTime();
        outstanding = outstandingPushes;
        restoredNs = 0;
        marks = load.mark();
    }

    /** Pause servers, do something, and let them go on. */
    void pause(final List<Integer> nodes, final Runnable meanwhile)
    {
        cluster.pause(nodes);
        try
        {
            onStruck(load.outstanding());
            meanwhile.run();
        }
        finally
        {
            cluster.goOn(nodes);
        }
    }

    /** Pause a coordinator, do something, and let it go on. */
    void pauseCoordinator(final int member, final Runnable meanwhile)
    {
        cluster.pauseCoordinator(member);
        try
        {
            onStruck(load.outstanding());
            meanwhile.run();
        }
        finally
        {
            cluster.letCoordinatorGoOn(member);
        }
    }

    /** Wait until coordinators have elected a leader after that of a term, which was struck at a time. */
    void awaitElection(final long term, final long sinceMs)
    {
        cluster.await("another leader is elected", ELECTION_TIMEOUT_MS, () -> cluster.leadershipTerm() > term);
        electionMs.add(cluster.leaderSinceMs() - sinceMs);
    }

    private boolean strike(final int number, final Fault fault) throws IOException
    {
        final long failovers = cluster.failovers();
        outstanding = 0;
        cluster.onPoll(this::watch);
        fault.strike(this);
        cluster.await("what was outstanding is acknowledged", HEAL_TIMEOUT_MS, () -> 0 != restoredNs);
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(restoredNs - struckNs);
        restoredMs.add(tookMs);
        if (fault.isBridged() && cluster.mode().hasStandby() && tookMs > STALL_LIMIT_MS)
        {
            throw new AssertionError(fault + " stalled pushes for " + tookMs + " ms");
        }
        awaitHealed();
        final boolean isCounted = outstanding > 0;
        System.out.printf("fault %3d %-27s outstanding=%d restoredMs=%d healedMs=%d failovers=%d%s%n", number + 1,
            fault, outstanding, tookMs, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - struckNs),
            cluster.failovers() - failovers, isCounted ? "" : " NOT COUNTED");

        return isCounted;
    }

    // A crowded machine may cost a chain its standby while load is waited for.
    private void awaitHealedUnderLoad()
    {
        for (int attempt = 0; attempt < MAX_HEALINGS; attempt++)
        {
            awaitHealed();
            load.slow(false);
            load.awaitFlowing();
            if (cluster.isWhole())
            {
                return;
            }
        }

        throw new AssertionError("chains do not stay whole by themselves");
    }

    private void awaitHealed()
    {
        cluster.await("chains are whole", HEAL_TIMEOUT_MS, () ->
        {
            load.check();
            return cluster.isWhole();
        });
    }

    private void watch()
    {
        if (0 == restoredNs && Load.isAcknowledged(marks))
        {
            restoredNs = System.nanoTime();
            load.slow(isSlowToHeal);
        }
    }
}
