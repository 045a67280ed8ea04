// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No pull is staler than the job's bound, while primaries are killed. {@code -Dgradstream.pulls=N} judges more pulls.
 */
@Tag("faults")
class StalenessIT
{
    private static final int SLOTS = 4;
    private static final int STALENESS = 2;
    private static final int DEFAULT_PULLS = 30_000;
    private static final int KILLS = 3;
    private static final long RESTART_MS = 300;
    private static final long HEAL_TIMEOUT_MS = 240_000;
    private static final long SET_TIMEOUT_SECONDS = 60;
    private static final long BETWEEN_KILLS_MS = 1_000;

    @TempDir
    private Path directory;

    @Test
    void shouldNeverShowMoreThanTheBoundWhilePrimariesAreKilled() throws Exception
    {
        final long wanted = Long.getLong("gradstream.pulls", DEFAULT_PULLS);
        try (FaultCluster cluster = FaultCluster.start(ServiceMode.CHAIN))
        {
            final Command set = Command.run(directory, SET_TIMEOUT_SECONDS, "job", "set", "--coordinator",
                String.join(",", cluster.coordinators()), "--staleness", String.valueOf(STALENESS),
                "--slots", String.valueOf(SLOTS));
            assertThat(set.exitCode()).as(set.err()).isZero();

            final List<BoundedWorker> workers = new ArrayList<>();
            final AtomicIntegerArray finished = new AtomicIntegerArray(SLOTS);
            for (int slot = 0; slot < SLOTS; slot++)
            {
                workers.add(new BoundedWorker(slot, finished, STALENESS, cluster.clientContext()));
            }
            cluster.await("workers have begun", HEAL_TIMEOUT_MS, () -> areAll(workers));
            int kills = 0;
            while (kills < KILLS || pulls(workers) < wanted)
            {
                kill(cluster, workers);
                kills++;
            }
            workers.forEach(BoundedWorker::stop);
            for (final BoundedWorker worker : workers)
            {
                worker.join();
                worker.check();
            }
            System.out.printf("staleness=%d slots=%d pulls=%d kills=%d failovers=%d mostBehind=%d%n", STALENESS, SLOTS,
                pulls(workers), kills, cluster.failovers(), mostBehind(workers));
            assertThat(mostBehind(workers)).as("the bound was reached").isEqualTo(STALENESS);
            assertThat(cluster.failovers()).isPositive();
        }
    }

    private static void kill(final FaultCluster cluster, final List<BoundedWorker> workers) throws Exception
    {
        final List<Integer> victims = List.of(cluster.primary());
        cluster.kill(victims);
        cluster.stay(RESTART_MS);
        cluster.restart(victims);
        cluster.await("chains are whole", HEAL_TIMEOUT_MS, cluster::isWhole);
        final long before = pulls(workers);
        cluster.await("workers go on", HEAL_TIMEOUT_MS, () ->
        {
            workers.forEach(BoundedWorker::check);
            return pulls(workers) > before + SLOTS;
        });
        cluster.stay(BETWEEN_KILLS_MS);
    }

    private static boolean areAll(final List<BoundedWorker> workers)
    {
        workers.forEach(BoundedWorker::check);
        return workers.stream().allMatch(BoundedWorker::isStarted);
    }

    private static long pulls(final List<BoundedWorker> workers)
    {
        return workers.stream().mapToLong(BoundedWorker::pulls).sum();
    }

    private static long mostBehind(final List<BoundedWorker> workers)
    {
        return workers.stream().mapToLong(BoundedWorker::maxStaleness).max().orElseThrow();
    }
}
