// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a sequential job has learned depends on the job alone: not on who came first, nor on processes of workers that
 * die in the middle of an iteration, nor on primaries that do.
 */
@Tag("faults")
class SameBitsIT
{
    private static final int SLOTS = 4;
    private static final int CLOCKS = 260;
    /** From one death at a named place to the next. */
    private static final int BETWEEN_PLACED = 10;
    /** Iterations in which workers die at named places. */
    private static final int PLACED_CLOCKS = 100;
    /** Iterations in which some workers die anywhere, and as many in which a primary does. */
    private static final int WAVE = 40;
    private static final int DEATHS_AT_A_TIME = 4;
    private static final int KILLS = 2;
    private static final long RESTART_MS = 300;
    private static final long HEAL_TIMEOUT_MS = 240_000;
    private static final long SET_TIMEOUT_SECONDS = 60;
    private static final long PARK_NS = 100_000;
    private static final int OBSERVER = -1;

    @TempDir
    private Path directory;

    @Test
    void shouldLearnTheSameWhileWorkersAndPrimariesDie() throws Exception
    {
        final List<float[]> undisturbed = train(ServiceMode.REPLAY, List.of(), 0, 0);
        assertThat(undisturbed).noneMatch((rows) -> Arrays.equals(rows, new float[rows.length]));
        final List<float[]> disturbed = train(ServiceMode.CHAIN, placedDeaths(), DEATHS_AT_A_TIME, KILLS);
        assertThat(disturbed.get(0)).as("after deaths at named places").isEqualTo(undisturbed.get(0));
        assertThat(disturbed.get(1)).as("in the end").isEqualTo(undisturbed.get(1));
    }

    /** Each slot dies twice in iterations in which nobody else does: either server lacks either half of one. */
    private static List<SequentialWorker.Death> placedDeaths()
    {
        final List<SequentialWorker.Death> deaths = new ArrayList<>();
        for (final SequentialWorker.Missing missing : SequentialWorker.Missing.values())
        {
            for (int slot = 0; slot < SLOTS; slot++)
            {
                deaths.add(new SequentialWorker.Death(BETWEEN_PLACED * (deaths.size() + 1), missing, slot % 2));
            }
        }

        return deaths;
    }

    /** Returns the rows after the iterations of the placed deaths, since what they spoil fades, and in the end. */
    private List<float[]> train(
        final ServiceMode mode,
        final List<SequentialWorker.Death> placed,
        final int deathsAtATime,
        final int wantedKills) throws Exception
    {
        try (FaultCluster cluster = FaultCluster.start(mode))
        {
            final Command set = Command.run(directory, SET_TIMEOUT_SECONDS, "job", "set", "--coordinator",
                String.join(",", cluster.coordinators()), "--staleness", "0", "--slots", String.valueOf(SLOTS));
            assertThat(set.exitCode()).as(set.err()).isZero();
            final AtomicInteger deaths = new AtomicInteger();
            final AtomicInteger allowed = new AtomicInteger(PLACED_CLOCKS);
            final List<SequentialWorker> workers = new ArrayList<>();
            for (int slot = 0; slot < SLOTS; slot++)
            {
                final int own = slot;
                workers.add(new SequentialWorker(slot, CLOCKS, cluster, allowed, deaths,
                    placed.stream().filter((death) -> own == placed.indexOf(death) % SLOTS).toList()));
            }
            // once a primary is killed, one server serves all partitions, and nothing can be at one server alone
            awaitAt(cluster, workers, allowed.get());
            assertThat(died(workers)).isEqualTo(placed.size());
            final List<float[]> rows = new ArrayList<>();
            rows.add(learned(cluster));
            int kills = 0;
            while (kills < wantedKills)
            {
                // a worker and a primary that die in the same iteration may void the bits: one after the other
                deaths.set(deathsAtATime);
                awaitAt(cluster, workers, allowed.addAndGet(WAVE));
                deaths.set(0);
                allowed.addAndGet(WAVE);
                kill(cluster);
                awaitAt(cluster, workers, allowed.get());
                kills++;
            }
            allowed.set(CLOCKS);
            cluster.await("workers are done", HEAL_TIMEOUT_MS, () -> areDone(workers));
            workers.forEach(SequentialWorker::check);
            System.out.printf("mode=%s slots=%d clocks=%d workersDied=%d kills=%d%n", mode, SLOTS, CLOCKS,
                died(workers), kills);
            assertThat(died(workers)).isEqualTo(placed.size() + wantedKills * deathsAtATime);

            rows.add(learned(cluster));

            return rows;
        }
    }

    private static void kill(final FaultCluster cluster) throws Exception
    {
        final List<Integer> victims = List.of(cluster.primary());
        cluster.kill(victims);
        cluster.stay(RESTART_MS);
        cluster.restart(victims);
        cluster.await("chains are whole", HEAL_TIMEOUT_MS, cluster::isWhole);
    }

    private static void awaitAt(final FaultCluster cluster, final List<SequentialWorker> workers, final int clock)
    {
        cluster.await("workers are at iteration " + clock, HEAL_TIMEOUT_MS, () ->
        {
            workers.forEach(SequentialWorker::check);
            return workers.stream().allMatch((worker) -> worker.acknowledged() >= clock);
        });
    }

    private static boolean areDone(final List<SequentialWorker> workers)
    {
        workers.forEach(SequentialWorker::check);
        return workers.stream().allMatch(SequentialWorker::isDone);
    }

    private static int died(final List<SequentialWorker> workers)
    {
        workers.forEach(SequentialWorker::check);
        return workers.stream().mapToInt(SequentialWorker::died).sum();
    }

    private static float[] learned(final FaultCluster cluster)
    {
        final ClientContext context =
            cluster.clientContext().slot(OBSERVER).idleStrategy(new SleepingIdleStrategy(PARK_NS));
        try (GradstreamClient observer = GradstreamClient.connect(context))
        {
            final long[] keys = SequentialWorker.keys();
            final float[] rows = new float[keys.length * SequentialWorker.DIM];
            observer.await(observer.openTable(SequentialWorker.TABLE).pull(keys, keys.length, rows));
            return rows;
        }
    }
}
