// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.examples.ClientGuide;
import io.gradstream.examples.FashionMnist;
import io.gradstream.examples.MatrixFactorisation;
import io.gradstream.examples.ReadmeLoop;
import io.gradstream.examples.SparseLogisticRegression;
import io.gradstream.examples.WorkerPlace;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.training.Examples;
import io.gradstream.training.read.IdxReader;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.PushRefusedException;
import io.gradstream.worker.Table;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

/**
 * The examples against a cluster, and what they learn: bounds that a wrong gradient would miss.
 */
@Tag("faults")
class ExamplesIT
{
    private static final int PARTITIONS = 4;
    private static final int ROWS = 1 << 16;
    private static final int WORKERS = 2;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final TableSpec GUIDE = TableSpec.sparse(10, "guide", 1, "sgd/1 rate=0.1 refuse-non-finite");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private RunDirectory run;
    private ClusterPlan plan;
    private LocalCluster cluster;

    @AfterEach
    void stop()
    {
        threads.shutdownNow();
        CloseHelper.closeAll(cluster, run);
    }

    @Test
    void shouldLearnWithoutABound(@TempDir final Path directory) throws Exception
    {
        start(Consistency.EVENTUAL);
        assertThat(ReadmeLoop.train(place(0, 1).context())).isLessThan(0.01);
        assertThat(work(1, MatrixFactorisation::train)).allMatch((rmse) -> rmse < 0.15);
        assertThat(work(WORKERS, SparseLogisticRegression::train))
            .anyMatch((evaluation) -> evaluation.auc() > 0.83);
        followTheGuide(directory.resolve("guide.safetensors"));
    }

    private void followTheGuide(final Path file) throws IOException
    {
        final ClientGuide guide = new ClientGuide(place(2, 3));
        try (GradstreamClient client = guide.connect())
        {
            final Table weights = guide.createTables(client);
            guide.pushAndPull(client, weights);
            guide.pushWithoutWaiting(client, weights);
            assertThat(guide.trainAhead(client, weights)).isLessThan(0.05);
            guide.tellOutages(client);
            guide.finish(client);
            assertThat(guide.audit(client)).isZero();
        }
        overflow();
        guide.save(file);
        assertThat(guide.read(file, GUIDE, 1003)[0]).isEqualTo(-0.075f, offset(1e-6f));
        assertThat(guide.read(file, GUIDE, 1007)).containsExactly(0f);
        restore(file);
        assertThat(guide.log()).contains("rows -0.075 0.1")
            .anyMatch((line) -> line.contains("key 1007 was never updated"))
            .noneMatch((line) -> line.contains("other pushes"));
        assertThat(new ClientGuide(place(1, 2)).takeOver(0)).isPositive();
        assertThat(guide.divideWork(100)).isEqualTo(300);
    }

    /** A row that was pushed after the model was taken out is again what it was. */
    private void restore(final Path file) throws IOException
    {
        final long[] keys = {1003};
        final float[] rows = new float[1];
        final ClientGuide guide = new ClientGuide(place(4, 5));
        try (GradstreamClient client = guide.connect())
        {
            final Table weights = guide.createTables(client);
            weights.push(keys, new float[]{100f});
            weights.pullAndAwait(keys, 1, rows);
            assertThat(rows[0]).isLessThan(-10f);
            guide.load(client, file);
            weights.pullAndAwait(keys, 1, rows);
            assertThat(rows[0]).isEqualTo(guide.read(file, GUIDE, keys[0])[0]);
        }
    }

    /** In a slot of its own, since what is refused is not counted. */
    private void overflow()
    {
        final ClientGuide guide = new ClientGuide(place(3, 4));
        try (GradstreamClient client = guide.connect())
        {
            guide.pushTooMuch(client, guide.createTables(client));
            // of the pushes before the awaited one nobody has heard
            assertThatThrownBy(() -> guide.finish(client)).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("pushes were refused").hasMessageContaining("ROW_NOT_FINITE");
        }
        assertThat(guide.log()).anyMatch((line) -> line.startsWith("ROW_NOT_FINITE by partition"));
    }

    @Test
    void shouldLearnImagesToTheBitAsOneThreadDoes() throws Exception
    {
        final FashionMnist.Settings settings =
            new FashionMnist.Settings(images(1, 1_600), images(2, 400), 64, 1, 7);
        final FashionMnist.Result plain = FashionMnist.trainPlain(settings, WORKERS);
        assertThat(plain.accuracy()).isGreaterThan(0.9);
        learnAs(plain, settings);
        pushInASlotThatHasFinished();
    }

    /** It is bound no more: a push is a step of its own, applied at once, though no slot ends an iteration. */
    private void pushInASlotThatHasFinished()
    {
        final long[] keys = {1};
        final float[] row = new float[1];
        try (GradstreamClient client = GradstreamClient.connect(place(0, WORKERS).context()))
        {
            final Table weights = client.createTable(GUIDE);
            client.await(weights.push(keys, new float[]{1f}));
            weights.pullAndAwait(keys, 1, row);
        }
        assertThat(row[0]).isEqualTo(-0.1f);
    }

    @Test
    void shouldLearnRealImagesToTheBitAsOneThreadDoes() throws Exception
    {
        // of the smaller set, since all of the larger one does not fit the heap of a test
        final Examples images = IdxReader.read(TestInput.require("fashion-mnist/t10k-images-idx3-ubyte.gz"),
            TestInput.require("fashion-mnist/t10k-labels-idx1-ubyte.gz"));
        final FashionMnist.Settings settings =
            new FashionMnist.Settings(images.slice(0, 6_000), images.slice(6_000, images.size()), 128, 4, 1);
        final FashionMnist.Result plain = FashionMnist.trainPlain(settings, WORKERS);
        final double whole = FashionMnist.trainPlain(settings, 1).accuracy();
        System.out.printf("plain=%.4f plainOfTwoParts=%.4f%n", whole, plain.accuracy());
        assertThat(plain.accuracy()).isGreaterThan(0.7);
        learnAs(plain, settings);
    }

    private void learnAs(final FashionMnist.Result plain, final FashionMnist.Settings settings) throws Exception
    {
        start(new Consistency(WORKERS, 0));
        for (final FashionMnist.Result result : work(WORKERS, (place) -> FashionMnist.train(settings, place)))
        {
            assertThat(result.first()).isEqualTo(plain.first());
            assertThat(result.second()).isEqualTo(plain.second());
            assertThat(result.accuracy()).isEqualTo(plain.accuracy());
        }
    }

    private void start(final Consistency consistency) throws IOException
    {
        run = RunDirectory.create(null);
        plan = ClusterPlan.local(1, 1, PARTITIONS, ROWS, new ServerPlan("dev", ServerDriver.INTERNAL,
            ServerPlan.RECOVERY, RecoveryMode.REPLAY.label(), 1, ServerPlan.DEFAULT), null).consistency(consistency);
        cluster = new LocalCluster(plan, run);
        cluster.startHosts();
    }

    private WorkerPlace place(final int slot, final int workers)
    {
        return new WorkerPlace(plan.coordinators().get(0), cluster.workersAeronDirectory(), slot, workers);
    }

    /** Each worker in a thread of its own. */
    private <T> List<T> work(final int workers, final Function<WorkerPlace, T> worker) throws Exception
    {
        final List<Future<T>> futures = new ArrayList<>();
        for (int slot = 0; slot < workers; slot++)
        {
            final WorkerPlace place = place(slot, workers);
            futures.add(threads.submit(() -> worker.apply(place)));
        }
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!futures.stream().allMatch(Future::isDone))
        {
            assertThat(System.nanoTime() - deadlineNs).as("time over").isNegative();
            cluster.poll();
            cluster.idle();
        }
        final List<T> results = new ArrayList<>();
        for (final Future<T> future : futures)
        {
            results.add(future.get());
        }

        return results;
    }

    /** Ten patterns of pixels, under noise: the same patterns whatever the seed. */
    private static Examples images(final long seed, final int count)
    {
        final int classes = 10;
        final int pixels = 784;
        final Random random = new Random(seed);
        final Examples.Builder examples = new Examples.Builder().featureCount(1 + pixels);
        for (int i = 0; i < count; i++)
        {
            final int label = random.nextInt(classes);
            final Random pattern = new Random(label);
            examples.entry(0, 1f);
            for (int pixel = 0; pixel < pixels; pixel++)
            {
                final float value = pattern.nextInt(4) == 0 ? random.nextFloat() : random.nextFloat() / 4;
                examples.entry(1 + pixel, value);
            }
            examples.endExampleOf(label);
        }

        return examples.build();
    }
}
