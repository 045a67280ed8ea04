// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelHandler;
import io.gradstream.model.ModelOrigin;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Models that are taken out while workers train and a primary is killed are of one iteration: every slot adds 1 to the
 * same rows of every partition in each.
 */
@Tag("faults")
class ModelExportIT
{
    private static final int SLOTS = 2;
    private static final int OBSERVER = -1;
    private static final int EXPORTS = 10;
    /** Behind so many the primary is killed. */
    private static final int EXPORTS_BEFORE = 4;
    private static final int ROWS = 400;
    private static final int DIM = 8;
    private static final int SPOOL_BYTES = 1 << 20;
    private static final int TIMEOUT_SECONDS = 90;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final TableSpec SPEC = TableSpec.dense(0, "sums", ROWS, DIM, "sgd/2 rate=1 momentum=0.5");
    private static final TableSpec COUNTS = TableSpec.dense(1, "counts", ROWS, 1, "add/1");

    private volatile boolean isOver;

    @Test
    void shouldTakeOutOneIterationWhileAPrimaryIsKilled(@TempDir final Path directory) throws Exception
    {
        final ExecutorService threads = Executors.newFixedThreadPool(SLOTS);
        try (FaultCluster cluster = FaultCluster.start(ServiceMode.CHAIN))
        {
            set(cluster, directory, "0");
            final List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < SLOTS; i++)
            {
                final int slot = i;
                workers.add(threads.submit(() -> train(cluster, slot)));
            }
            takeOut(cluster, directory);
            takeOutByCommand(cluster, directory);
            final Process snapshots = beginSnapshots(cluster, directory);
            isOver = true;
            for (final Future<?> worker : workers)
            {
                worker.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
            takeOutTheLast(cluster, directory);
            endSnapshots(snapshots, directory);
        }
        finally
        {
            isOver = true;
            threads.shutdownNow();
        }
    }

    /** Snapshots again and again; returns once some were taken. */
    private static Process beginSnapshots(final FaultCluster cluster, final Path directory) throws Exception
    {
        final Path output = Files.createDirectory(directory.resolve("output"));
        final Process process = Command.start(output, "snapshot", "--coordinator",
            String.join(",", cluster.coordinators()), "--dir", directory.resolve("snapshots").toString(),
            "--every", "100ms", "--keep", "2");
        cluster.await("snapshots were taken", TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS), () ->
            !process.isAlive() || lines(output) > 2);
        assertThat(process.isAlive()).as(Files.readString(output.resolve(Command.ERRORS))).isTrue();

        return process;
    }

    private static long lines(final Path output)
    {
        try (Stream<String> lines = Files.lines(output.resolve("stdout")))
        {
            return lines.count();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** It ends by itself with the job, and has kept the two newest. */
    private static void endSnapshots(final Process process, final Path directory) throws Exception
    {
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        final List<Path> kept;
        try (Stream<Path> files = Files.list(directory.resolve("snapshots")))
        {
            kept = files.sorted().toList();
        }
        assertThat(kept).hasSize(2);
        assertThat(kept.get(1)).hasFileName("clock-finished.safetensors");
        try (ModelFile model = ModelFile.open(kept.get(0)))
        {
            assertThat(kept.get(0)).hasFileName(String.format("clock-%012d.safetensors", model.origin().clock()));
            check(kept.get(0), model.origin().clock());
        }
    }

    private void train(final FaultCluster cluster, final int slot)
    {
        final long[] keys = new long[ROWS];
        Arrays.setAll(keys, (i) -> i);
        final float[] ones = new float[ROWS];
        Arrays.fill(ones, 1f);
        final float[] gradients = new float[ROWS * DIM];
        Arrays.fill(gradients, 0.5f);
        try (GradstreamClient client = connect(cluster, slot))
        {
            final Table sums = client.createTable(SPEC);
            final Table counts = client.createTable(COUNTS);
            while (!isOver)
            {
                await(client, sums.push(keys, gradients), () -> sums.push(keys, gradients));
                await(client, counts.push(keys, ones), () -> counts.push(keys, ones));
                await(client, client.clock(), client::clock);
            }
            client.finish();
            client.awaitAll();
        }
    }

    private static void await(
        final GradstreamClient client, final long first, final java.util.function.LongSupplier again)
    {
        long ticket = first;
        while (GradstreamClient.NOT_NOW == ticket)
        {
            client.poll();
            ticket = again.getAsLong();
        }
    }

    private void takeOut(final FaultCluster cluster, final Path directory) throws Exception
    {
        final Path file = directory.resolve("model");
        List<Integer> victims = List.of();
        try (GradstreamClient observer = connect(cluster, OBSERVER))
        {
            long before = 0;
            for (int i = 0; i < EXPORTS; i++)
            {
                if (EXPORTS_BEFORE == i)
                {
                    victims = List.of(cluster.primary());
                    cluster.kill(victims);
                }
                final ModelOrigin origin = observer.models().save(file, true, TIMEOUT_NS);
                assertThat(origin.clock()).isGreaterThan(before);
                before = origin.clock();
                check(file, origin.clock());
            }
        }
        cluster.restart(victims);
        cluster.await("chains are whole", TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS), cluster::isWhole);
    }

    /** Slots need not have ended as many iterations, but all count for all rows. */
    private static void takeOutTheLast(final FaultCluster cluster, final Path directory) throws Exception
    {
        final Path file = directory.resolve("last");
        try (GradstreamClient observer = connect(cluster, OBSERVER))
        {
            final ModelOrigin origin = observer.models().save(file, false, TIMEOUT_NS);
            assertThat(origin.clock()).isEqualTo(Consistency.FINISHED);
        }
        try (ModelFile model = ModelFile.open(file))
        {
            assertThat(model.tables()).allSatisfy((table) -> assertThat(table.rows()).isEqualTo(ROWS));
        }
    }

    private void takeOutByCommand(final FaultCluster cluster, final Path directory) throws Exception
    {
        final Path file = directory.resolve("by-command");
        final Command export = Command.run(directory, TIMEOUT_SECONDS, "model", "export", "--coordinator",
            String.join(",", cluster.coordinators()), "--out", file.toString(), "--json");
        assertThat(export.exitCode()).as(export.err()).isZero();
        check(file, (long)export.number("clock"));

        final Command describe = Command.run(directory, TIMEOUT_SECONDS, "model", "describe", file.toString());
        assertThat(describe.exitCode()).as(describe.err()).isZero();
        assertThat(describe.out()).contains("sgd/2 rate=1 momentum=0.5", export.text("parametersSha256"));
    }

    private static void check(final Path file, final long clock) throws Exception
    {
        final long[] rows = new long[2];
        try (ModelFile model = ModelFile.open(file))
        {
            assertThat(model.tables()).extracting((table) -> table.spec()).containsExactlyInAnyOrder(SPEC, COUNTS);
            final float[] first = new float[2 * DIM];
            model.forEach(new ModelHandler()
            {
                @Override
                public void onTable(final TableSpec spec, final int stateLength)
                {
                    assertThat(stateLength).isEqualTo(SPEC.equals(spec) ? DIM * Float.BYTES : 0);
                }

                @Override
                public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
                {
                    rows[tableId]++;
                    if (COUNTS.tableId() == tableId)
                    {
                        assertThat(row.getFloat(offset, ByteOrder.LITTLE_ENDIAN)).as("key=%d clock=%d", key, clock)
                            .isEqualTo((float)(SLOTS * clock));
                        return;
                    }
                    for (int i = 0; i < first.length; i++)
                    {
                        final float value = row.getFloat(offset + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
                        first[i] = 1 == rows[tableId] ? value : first[i];
                        assertThat(value).as("key=%d of clock=%d, as key=0", key, clock).isEqualTo(first[i]);
                    }
                }
            });
        }
        assertThat(rows).containsExactly(ROWS, ROWS);
    }

    private static GradstreamClient connect(final FaultCluster cluster, final int slot)
    {
        return GradstreamClient.connect(cluster.clientContext().slot(slot)
            .spoolBytesPerPartition(SPOOL_BYTES).idleStrategy(new SleepingIdleStrategy(PARK_NS)));
    }

    private static void set(final FaultCluster cluster, final Path directory, final String staleness) throws Exception
    {
        final Command set = Command.run(directory, TIMEOUT_SECONDS, "job", "set", "--coordinator",
            String.join(",", cluster.coordinators()), "--slots", String.valueOf(SLOTS), "--staleness", staleness);
        assertThat(set.exitCode()).as(set.err()).isZero();
    }
}
