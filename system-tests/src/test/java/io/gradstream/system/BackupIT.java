// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import org.agrona.CloseHelper;
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
 * While the process of a slot stands still, its backup's pushes let a sequential job go on; what it learns is the same
 * to the bit, and each push counts once.
 */
@Tag("faults")
class BackupIT
{
    private static final int SLOTS = 3;
    private static final int BACKED_UP = SLOTS - 1;
    private static final int CLOCKS = 400;
    private static final int WAVE = 60;
    private static final int OBSERVER = -1;
    private static final long PARK_NS = 100_000;
    private static final long TIMEOUT_MS = 120_000;
    private static final long SET_TIMEOUT_SECONDS = 60;

    /** Of a run in which nothing was stopped. */
    private static Learned undisturbed;

    @TempDir
    private Path directory;

    /** What a job has learned, and what its servers have counted of the slot that is backed up. */
    private record Learned(List<Float> rows, List<Long> counted)
    {
    }

    /** A process of the slot and what it has said last. */
    private static final class BackedProcess implements AutoCloseable
    {
        private final TestProcess process;
        private final boolean isBackup;
        private volatile long own = -1;
        private volatile long left;
        private volatile boolean isDone;
        private volatile String failure;

        private BackedProcess(final FaultCluster cluster, final boolean isBackup)
        {
            this.isBackup = isBackup;
            final String role = isBackup ? BackedWorker.BACKUP : BackedWorker.HOLDER;
            process = TestProcess.start(role, cluster.logs(), this::onLine, BackedWorker.class.getName(), List.of(
                cluster.workersAeronDirectory(), String.join(",", cluster.coordinators()), String.valueOf(BACKED_UP),
                role, String.valueOf(CLOCKS), cluster.mode().ack().name()));
        }

        private void onLine(final String line)
        {
            final String[] words = line.split(" ");
            if (BackedWorker.CLOCK.equals(words[0]))
            {
                own = Long.parseLong(words[1]);
                left = Long.parseLong(words[2]);
            }
            else if (BackedWorker.DONE.equals(line))
            {
                isDone = true;
            }
            else
            {
                failure = line;
            }
        }

        private long clocks()
        {
            check();
            return own + left;
        }

        private void allow(final long clocks)
        {
            process.send(String.valueOf(clocks));
        }

        private boolean isDone()
        {
            check();
            return isDone;
        }

        private void check()
        {
            assertThat(failure).as(isBackup ? "backup" : "holder").isNull();
        }

        @Override
        public void close()
        {
            process.close();
        }
    }

    @Test
    void shouldLearnTheSameWhileTheHolderOfASlotStandsStill() throws Exception
    {
        assertThat(learn(0, true, false)).isEqualTo(undisturbed());
    }

    @Test
    void shouldLearnTheSameWhenAPrimaryDiesWhileTheHolderOfASlotStandsStill() throws Exception
    {
        assertThat(learn(0, true, true)).isEqualTo(undisturbed());
    }

    @Test
    void shouldCountEachPushOnceWhereSlotsMayRunApart() throws Exception
    {
        final List<Long> counted = learn(1, true, true).counted();

        // the last of each partition is what was pushed, which depends on what was pulled when
        final int dim = TableSpec.AUDIT.dim();
        final List<Long> expected = undisturbed().counted();
        for (int i = 0; i < expected.size(); i++)
        {
            if (i % dim < dim - 1)
            {
                assertThat(counted.get(i)).as("count %d of partition %d", i % dim, i / dim).isEqualTo(expected.get(i));
            }
        }
    }

    private Learned undisturbed() throws Exception
    {
        if (null == undisturbed)
        {
            undisturbed = learn(0, false, false);
        }

        return undisturbed;
    }

    private Learned learn(final int staleness, final boolean isStopped, final boolean isKilled) throws Exception
    {
        try (FaultCluster cluster = FaultCluster.start(ServiceMode.CHAIN))
        {
            final Command set = Command.run(directory, SET_TIMEOUT_SECONDS, "job", "set", "--coordinator",
                String.join(",", cluster.coordinators()), "--staleness", String.valueOf(staleness),
                "--slots", String.valueOf(SLOTS));
            assertThat(set.exitCode()).as(set.err()).isZero();
            final AtomicInteger allowed = new AtomicInteger(WAVE);
            final List<SequentialWorker> others = new ArrayList<>();
            for (int slot = 0; slot < BACKED_UP; slot++)
            {
                others.add(new SequentialWorker(slot, CLOCKS, cluster, allowed, new AtomicInteger(), List.of()));
            }
            final List<BackedProcess> backed = new ArrayList<>();
            try
            {
                backed.add(new BackedProcess(cluster, false));
                if (isStopped)
                {
                    disturb(cluster, others, backed, allowed, isKilled);
                }
                allowed.set(CLOCKS);
                backed.forEach((process) -> process.allow(CLOCKS));
                cluster.await("all have learned", TIMEOUT_MS, () -> areAt(others, CLOCKS) &&
                    backed.stream().allMatch(BackedProcess::isDone));
                System.out.printf("staleness=%d stopped=%b killed=%b failovers=%d holder=%d+%d backup=%s%n", staleness,
                    isStopped, isKilled, cluster.failovers(), backed.get(0).own, backed.get(0).left,
                    isStopped ? backed.get(1).own + "+" + backed.get(1).left : "none");
                return learned(cluster);
            }
            finally
            {
                CloseHelper.closeAll(backed);
            }
        }
    }

    private static void disturb(
        final FaultCluster cluster,
        final List<SequentialWorker> others,
        final List<BackedProcess> backed,
        final AtomicInteger allowed,
        final boolean isKilled) throws Exception
    {
        final BackedProcess holder = backed.get(0);
        final BackedProcess backup = new BackedProcess(cluster, true);
        backed.add(backup);
        holder.allow(WAVE);
        backup.allow(WAVE);
        cluster.await("the backup is there", TIMEOUT_MS, () -> backup.clocks() >= 0);
        cluster.await("both learn", TIMEOUT_MS, () -> areAt(others, WAVE) && holder.clocks() == WAVE &&
            backup.clocks() == WAVE);

        allowed.set(3 * WAVE);
        holder.allow(3 * WAVE);
        cluster.await("the holder goes on alone", TIMEOUT_MS, () -> holder.clocks() >= WAVE + WAVE / 2);
        OwnProcess.pause(holder.process.pid());
        final long missed;
        try
        {
            final long stoppedAt = Math.max(others.get(0).clocksDone(), holder.clocks());
            assertThat(stoppedAt).as("the holder was stopped on its way").isLessThan(2 * WAVE);
            backup.allow(2 * WAVE);
            cluster.await("the job goes on", TIMEOUT_MS, () -> areAt(others, 2 * WAVE));
            if (isKilled)
            {
                final long failovers = cluster.failovers();
                final int victim = cluster.primary();
                backup.allow(3 * WAVE);
                cluster.kill(List.of(victim));
                cluster.await("the job goes on without the primary", TIMEOUT_MS, () -> areAt(others, 3 * WAVE));
                assertThat(cluster.failovers()).isGreaterThan(failovers);
                cluster.restart(List.of(victim));
            }
            // but the one in which it was stopped
            missed = others.get(0).clocksDone() - holder.clocks() - 1;
        }
        finally
        {
            OwnProcess.goOn(holder.process.pid());
        }
        backup.allow(3 * WAVE);
        cluster.await("the holder has caught up", TIMEOUT_MS, () -> areAt(others, 3 * WAVE) &&
            holder.clocks() >= 3 * WAVE);
        assertThat(holder.left).as("iterations left to the backup").isPositive().isGreaterThan(missed / 2);
    }

    private static boolean areAt(final List<SequentialWorker> workers, final long clock)
    {
        workers.forEach(SequentialWorker::check);
        return workers.stream().allMatch((worker) -> worker.clocksDone() >= clock);
    }

    private static Learned learned(final FaultCluster cluster)
    {
        final ClientContext context =
            cluster.clientContext().slot(OBSERVER).idleStrategy(new SleepingIdleStrategy(PARK_NS));
        try (GradstreamClient observer = GradstreamClient.connect(context))
        {
            final long[] keys = SequentialWorker.keys();
            final float[] rows = new float[keys.length * SequentialWorker.DIM];
            observer.await(observer.openTable(SequentialWorker.TABLE).pull(keys, keys.length, rows));
            final List<Float> learned = new ArrayList<>();
            for (final float value : rows)
            {
                learned.add(value);
            }
            final List<Long> counted = new ArrayList<>();
            for (int partition = 0; partition < observer.partitionCount(); partition++)
            {
                final long[] counts = new long[TableSpec.AUDIT.dim()];
                observer.await(observer.pullSystem(partition, TableSpec.AUDIT, new long[]{BACKED_UP}, counts));
                Arrays.stream(counts).forEach(counted::add);
            }
            assertThat(counted.get(0)).as("pushes of the slot").isPositive();

            return new Learned(learned, counted);
        }
    }
}
