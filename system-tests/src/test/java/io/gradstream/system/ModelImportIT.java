// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelHandler;
import io.gradstream.model.TableEntry;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A model that is taken out of one cluster and put into another, with other numbers of servers and partitions, is the
 * same there to the bit, and goes on as it would have.
 */
@Tag("faults")
class ModelImportIT
{
    private static final int OBSERVER = -1;
    private static final int SLOT = 0;
    private static final int STEPS = 4;
    private static final int KEYS = 3_000;
    /** More than there will be. */
    private static final int ROWS = 8 * STEPS * KEYS;
    private static final int TIMEOUT_SECONDS = 90;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final TableSpec WEIGHTS = TableSpec.sparse(0, "weights", 1, "ftrl/1 alpha=1 beta=1 l1=0.001 l2=0");
    private static final TableSpec LAYER = TableSpec.dense(3, "layer", KEYS, 20, "adam/1 rate=0.01");

    @Test
    void shouldBeTheSameInAClusterOfOtherNumbers(@TempDir final Path directory) throws Exception
    {
        final Path first = directory.resolve("first.safetensors");
        final Path values = directory.resolve("values.csv");
        final Path further = directory.resolve("further.safetensors");
        ClusterPlan plan = plan(1, 3);
        try (RunDirectory run = RunDirectory.create(null); LocalCluster cluster = new LocalCluster(plan, run))
        {
            cluster.startHosts();
            train(cluster, plan, 0);
            save(cluster, plan, first);
            assertRefused(directory, plan, first);
            assertDone(model(directory, plan, "export", "--out", values.toString()));
            train(cluster, plan, STEPS);
            save(cluster, plan, further);
        }
        assertThat(sha256(further)).isNotEqualTo(sha256(first));

        plan = plan(2, 7);
        final Path taken = directory.resolve("taken.safetensors");
        final Path fromDirectories = directory.resolve("directories.safetensors");
        try (RunDirectory run = RunDirectory.create(null))
        {
            putIn(directory, plan, run, first, further, values, taken);
            final String[] servers =
                {run.path().resolve("server-0").toString(), run.path().resolve("server-1").toString()};
            final Command export = Command.run(directory, TIMEOUT_SECONDS, "model", "export", "--dir",
                String.join(",", servers), "--out", fromDirectories.toString());
            assertDone(export);
            assertSame(fromDirectories, taken);
            final Command describe =
                Command.run(directory, TIMEOUT_SECONDS, "model", "describe", servers[0], servers[1]);
            assertDone(describe);
            assertThat(describe.out()).contains(sha256(taken), "clock finished, 7 partitions of 2 servers");
            final Command half = Command.run(directory, TIMEOUT_SECONDS, "model", "describe", servers[1]);
            assertThat(half.exitCode()).isNotZero();
            assertThat(half.err()).contains("name those of all servers");
        }
    }

    private static void putIn(
        final Path directory,
        final ClusterPlan plan,
        final RunDirectory run,
        final Path first,
        final Path further,
        final Path values,
        final Path taken) throws Exception
    {
        try (LocalCluster cluster = new LocalCluster(plan, run))
        {
            cluster.startHosts();
            final Command put = model(directory, plan, "import", first.toString(), "--json");
            assertDone(put);
            assertThat(put.text("parametersSha256")).isEqualTo(sha256(first));
            save(cluster, plan, taken);
            assertSame(taken, first);

            train(cluster, plan, STEPS);
            save(cluster, plan, taken);
            assertSame(taken, further);

            assertRefused(directory, plan, first);
            save(cluster, plan, taken);
            assertSame(taken, further);

            assertDone(model(directory, plan, "import", first.toString(), "--overwrite"));
            save(cluster, plan, taken);
            assertThat(rowsAs(taken, first, true)).as("with their state").isEqualTo(rows(first));

            final String like = "--schema-from=" + further;
            assertDone(model(directory, plan, "import", values.toString(), like, "--overwrite"));
            save(cluster, plan, taken);
            assertThat(rowsAs(taken, first, false)).as("values").isEqualTo(rows(first));
            assertThat(rowsAs(taken, first, true)).as("state starts over").isZero();

            final Path foreign = withoutMetadata(first, directory.resolve("foreign.safetensors"));
            final Command checked = model(directory, plan, "import", foreign.toString(), "--overwrite");
            assertThat(checked.exitCode()).isNotZero();
            assertThat(checked.err()).contains("was not written by Gradstream", "--schema-from FILE");
            assertDone(model(directory, plan, "import", foreign.toString(), like, "--overwrite"));
            save(cluster, plan, taken);
            assertThat(rowsAs(taken, first, true)).as("with its state").isEqualTo(rows(first));
        }
    }

    /** The same arrays as another program writes them: by the published format of safetensors alone. */
    private static Path withoutMetadata(final Path model, final Path file) throws Exception
    {
        final byte[] bytes = Files.readAllBytes(model);
        final int length = (int)ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
        // texts of metadata end with a quotation mark, arrays do not
        final byte[] json = new String(bytes, Long.BYTES, length, StandardCharsets.UTF_8)
            .replaceFirst("\"__metadata__\":\\{.*\"\\},", "").getBytes(StandardCharsets.UTF_8);
        final ByteBuffer foreign = ByteBuffer.allocate(bytes.length - length + json.length)
            .order(ByteOrder.LITTLE_ENDIAN).putLong(json.length).put(json);
        foreign.put(bytes, Long.BYTES + length, bytes.length - Long.BYTES - length);

        return Files.write(file, foreign.array());
    }

    /** Of which nothing stays: no slot that the next export waits for. */
    private static void assertRefused(final Path directory, final ClusterPlan plan, final Path model) throws Exception
    {
        final Command refused = model(directory, plan, "import", model.toString());
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("'weights' has", "rows already");
    }

    private static void assertDone(final Command command)
    {
        assertThat(command.exitCode()).as(command.err()).isZero();
    }

    private static void assertSame(final Path model, final Path other) throws Exception
    {
        assertThat(sha256(model)).isEqualTo(sha256(other));
        assertThat(rowsChecksum(model)).as("values and state of all rows").isEqualTo(rowsChecksum(other));
    }

    private static ClusterPlan plan(final int servers, final int partitions) throws Exception
    {
        return ClusterPlan.local(servers, 1, partitions, ROWS,
            new ServerPlan("dev", ServerDriver.INTERNAL, ServerPlan.RECOVERY, "replay", 1, ServerPlan.DEFAULT), null);
    }

    private static Command model(final Path directory, final ClusterPlan plan, final String... arguments)
        throws Exception
    {
        final List<String> all = new ArrayList<>(List.of("model"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--coordinator", String.join(",", plan.coordinators())));

        return Command.run(directory, TIMEOUT_SECONDS, all.toArray(String[]::new));
    }

    private static GradstreamClient connect(final LocalCluster cluster, final ClusterPlan plan, final int slot)
    {
        return GradstreamClient.connect(new ClientContext().aeronDirectoryName(cluster.workersAeronDirectory())
            .coordinators(plan.coordinators()).slot(slot).idleStrategy(new SleepingIdleStrategy(PARK_NS)));
    }

    /** A few steps, the same wherever they are made. */
    private static void train(final LocalCluster cluster, final ClusterPlan plan, final int from)
    {
        try (GradstreamClient client = connect(cluster, plan, SLOT))
        {
            final Table weights = client.createTable(WEIGHTS);
            final Table layer = client.createTable(LAYER);
            for (int step = from; step < from + STEPS; step++)
            {
                final Random random = new Random(step);
                final long[] keys = random.longs(0, 1L << 40).distinct().limit(KEYS).sorted().toArray();
                // the same keys again in the next steps, beside new ones
                final int old = KEYS / 2;
                System.arraycopy(new Random(7).longs(0, 1L << 40).distinct().limit(old).toArray(), 0, keys, 0, old);
                weights.push(keys, gradients(random, keys.length));
                layer.pushRange(step, KEYS / 2, gradients(random, KEYS / 2 * LAYER.dim()));
                client.clock();
            }
            client.finish();
            client.awaitAll();
        }
    }

    private static float[] gradients(final Random random, final int count)
    {
        final float[] gradients = new float[count];
        for (int i = 0; i < count; i++)
        {
            gradients[i] = 2 * random.nextFloat() - 1;
        }

        return gradients;
    }

    private static void save(final LocalCluster cluster, final ClusterPlan plan, final Path file) throws Exception
    {
        try (GradstreamClient observer = connect(cluster, plan, OBSERVER))
        {
            observer.models().save(file, true, TIMEOUT_NS);
        }
    }

    private static String sha256(final Path file) throws Exception
    {
        try (ModelFile model = ModelFile.open(file))
        {
            return model.parametersSha256();
        }
    }

    private static long rows(final Path file) throws Exception
    {
        try (ModelFile model = ModelFile.open(file))
        {
            return model.tables().stream().mapToLong(TableEntry::rows).sum();
        }
    }

    /** How many rows of one model are the same in another, which may have more. */
    private static long rowsAs(final Path file, final Path expected, final boolean isWithState) throws Exception
    {
        long same = 0;
        try (ModelFile model = ModelFile.open(file); ModelFile other = ModelFile.open(expected))
        {
            for (final TableEntry table : other.tables())
            {
                final int tableId = table.spec().tableId();
                final int length = table.spec().valuesLength() + (isWithState ? table.stateLength() : 0);
                final UnsafeBuffer row = new UnsafeBuffer(new byte[table.spec().valuesLength() + table.stateLength()]);
                final UnsafeBuffer otherRow = new UnsafeBuffer(new byte[row.capacity()]);
                for (long i = 0; i < table.rows(); i++)
                {
                    other.row(tableId, i, otherRow, 0);
                    model.row(tableId, model.indexOf(tableId, other.key(tableId, i)), row, 0);
                    same += Arrays.equals(
                        row.byteArray(), 0, length, otherRow.byteArray(), 0, length) ? 1 : 0;
                }
            }
        }

        return same;
    }

    /** Of values and state. */
    private static long rowsChecksum(final Path file) throws Exception
    {
        final CRC32C checksum = new CRC32C();
        try (ModelFile model = ModelFile.open(file))
        {
            model.forEach(new ModelHandler()
            {
                private final int[] rowLengths = new int[TableSpec.MAX_TABLES];

                @Override
                public void onTable(final TableSpec spec, final int stateLength)
                {
                    rowLengths[spec.tableId()] = spec.valuesLength() + stateLength;
                }

                @Override
                public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
                {
                    final byte[] bytes = new byte[rowLengths[tableId]];
                    row.getBytes(offset, bytes);
                    checksum.update(bytes);
                }
            });
        }

        return checksum.getValue();
    }
}
