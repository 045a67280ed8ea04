// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import io.gradstream.codecs.InitialValues;
import io.gradstream.codecs.TableSpec;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.Examples;
import io.gradstream.training.read.IdxReader;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * A perceptron with one hidden layer that learns Fashion-MNIST (Xiao et al., 2017): dense tables, of which every worker
 * pulls all rows and pushes gradients for all. With a staleness bound of 0, servers add up the pushes of workers for
 * their parts of each batch. So it learns the same as one thread: {@link #trainPlain(Settings, int)}.
 */
public final class FashionMnist
{
    private static final int INPUTS = 784;
    private static final int HIDDEN = 128;
    private static final int CLASSES = 10;
    private static final float RATE = 0.05f;
    private static final float MOMENTUM = 0.9f;
    private static final String FUNCTION = "sgd/2 rate=" + RATE + " momentum=" + MOMENTUM;

    private final Settings settings;
    private final TableSpec firstSpec;
    private final TableSpec secondSpec;
    private final Perceptron perceptron = new Perceptron(INPUTS, HIDDEN, CLASSES);
    private final float[] input = new float[INPUTS];
    private final float[] first = new float[(INPUTS + 1) * HIDDEN];
    private final float[] second = new float[(HIDDEN + 1) * CLASSES];
    private final float[] firstGradient = new float[first.length];
    private final float[] secondGradient = new float[second.length];

    /**
     * The data and the settings of a training, the same in each worker.
     *
     * @param training examples, as {@link IdxReader} reads them.
     * @param test     examples to evaluate with.
     * @param batch    examples of all workers together from one step to the next.
     * @param passes   over all examples.
     * @param seed     of batches and initial values.
     */
    public record Settings(Examples training, Examples test, int batch, int passes, long seed)
    {
        /**
         * All of Fashion-MNIST, and batches of 128.
         *
         * @param directory of its four files, as they are published.
         */
        public static Settings of(final Path directory, final int passes, final long seed)
        {
            return new Settings(read(directory, "train"), read(directory, "t10k"), 128, passes, seed);
        }

        private static Examples read(final Path directory, final String part)
        {
            return IdxReader.read(directory.resolve(part + "-images-idx3-ubyte.gz"),
                directory.resolve(part + "-labels-idx1-ubyte.gz"));
        }
    }

    /**
     * The result of a training.
     *
     * @param accuracy on the examples to evaluate with, 0 to 1.
     * @param first    rows of the first layer.
     * @param second   rows of the second layer.
     * @param seconds  of training, without reading and evaluation.
     */
    public record Result(double accuracy, float[] first, float[] second, double seconds)
    {
    }

    private FashionMnist(final Settings settings)
    {
        this.settings = settings;
        // He et al., 2015, and Glorot and Bengio, 2010; biases begin as the other rows do
        firstSpec = TableSpec.dense(4, "first", INPUTS + 1, HIDDEN, FUNCTION)
            .withNormalValues(settings.seed(), (float)Math.sqrt(2.0 / INPUTS));
        secondSpec = TableSpec.dense(5, "second", HIDDEN + 1, CLASSES, FUNCTION)
            .withUniformValues(settings.seed(), (float)Math.sqrt(6.0 / (HIDDEN + CLASSES)));
    }

    /**
     * Train as one worker of a cluster that runs, or in this thread alone.
     *
     * @param arguments directory of the data, passes and seed, then those that {@link WorkerPlace#parse(String...)}
     *                  reads, or {@code --plain}.
     */
    public static void main(final String... arguments)
    {
        if (arguments.length < 4)
        {
            throw new IllegalArgumentException(
                "expected: DATA-DIR PASSES SEED COORDINATOR AERON-DIR [SLOT WORKERS], or DATA-DIR PASSES SEED --plain");
        }
        final Settings settings =
            Settings.of(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        final Result result = "--plain".equals(arguments[3]) ? trainPlain(settings, 1) :
            train(settings, WorkerPlace.parse(Arrays.copyOfRange(arguments, 3, arguments.length)));
        System.out.printf(Locale.ROOT,
            "accuracy=%.4f seconds=%.1f examplesPerSecond=%.0f%n", result.accuracy(), result.seconds(),
            (double)settings.passes() * settings.training().size() / result.seconds());
    }

    /**
     * Train as one worker, with its part of each batch.
     *
     * @return the result when all workers have finished.
     */
    public static Result train(final Settings settings, final WorkerPlace place)
    {
        return new FashionMnist(settings).run(place);
    }

    /**
     * Train in this thread, without a cluster: the same network, initial values, batches and update function.
     *
     * @param parts of which each batch's gradient is the sum, as it is of as many workers. Sums of floats differ by
     *              rounding; with equal parts both ways learn the same bits.
     */
    public static Result trainPlain(final Settings settings, final int parts)
    {
        return new FashionMnist(settings).runPlain(parts);
    }

    private Result run(final WorkerPlace place)
    {
        try (GradstreamClient client = GradstreamClient.connect(place.context()))
        {
            final Table firstTable = client.createTable(firstSpec);
            final Table secondTable = client.createTable(secondSpec);
            final BatchSchedule schedule = schedule();
            final long startNs = System.nanoTime();
            for (int pass = 0; pass < settings.passes(); pass++)
            {
                schedule.startPass(pass);
                for (int batch = 0; batch < schedule.batchCount(); batch++)
                {
                    pull(client, firstTable, secondTable);
                    computeGradients(schedule, batch, place.slot(), place.workers());
                    firstTable.pushRange(0, INPUTS + 1, firstGradient);
                    secondTable.pushRange(0, HIDDEN + 1, secondGradient);
                    client.clock();
                }
            }
            client.finish();
            client.awaitAll();
            final double seconds = (System.nanoTime() - startNs) / 1e9;
            pull(client, firstTable, secondTable);

            return new Result(accuracy(), first.clone(), second.clone(), seconds);
        }
    }

    private void pull(final GradstreamClient client, final Table firstTable, final Table secondTable)
    {
        final long firstTicket = firstTable.pullRange(0, INPUTS + 1, first);
        final long secondTicket = secondTable.pullRange(0, HIDDEN + 1, second);
        client.await(firstTicket);
        client.await(secondTicket);
    }

    private Result runPlain(final int parts)
    {
        fill(firstSpec, first);
        fill(secondSpec, second);
        final float[] firstSum = new float[first.length];
        final float[] secondSum = new float[second.length];
        final float[] firstMomentum = new float[first.length];
        final float[] secondMomentum = new float[second.length];
        final BatchSchedule schedule = schedule();
        final long startNs = System.nanoTime();
        for (int pass = 0; pass < settings.passes(); pass++)
        {
            schedule.startPass(pass);
            for (int batch = 0; batch < schedule.batchCount(); batch++)
            {
                Arrays.fill(firstSum, 0f);
                Arrays.fill(secondSum, 0f);
                for (int part = 0; part < parts; part++)
                {
                    computeGradients(schedule, batch, part, parts);
                    add(firstGradient, firstSum);
                    add(secondGradient, secondSum);
                }
                step(first, firstMomentum, firstSum);
                step(second, secondMomentum, secondSum);
            }
        }

        return new Result(accuracy(), first.clone(), second.clone(), (System.nanoTime() - startNs) / 1e9);
    }

    private BatchSchedule schedule()
    {
        return new BatchSchedule(settings.seed(), 0, settings.training().size(), settings.batch());
    }

    /**
     * Add up the gradients of every workers-th example of a batch: those of all workers sum up to the gradient of its
     * mean loss.
     */
    private void computeGradients(final BatchSchedule schedule, final int batch, final int slot, final int workers)
    {
        Arrays.fill(firstGradient, 0f);
        Arrays.fill(secondGradient, 0f);
        final int length = schedule.batchLength(batch);
        for (int i = slot; i < length; i += workers)
        {
            final int example = schedule.order()[schedule.batchOffset(batch) + i];
            read(settings.training(), example);
            perceptron.addGradient(input, settings.training().label(example), 1f / length, first, second,
                firstGradient, secondGradient);
        }
    }

    /** Feature 0 is 1 in each example, and stands for the bias, which has a row of its own here. */
    private void read(final Examples examples, final int example)
    {
        Arrays.fill(input, 0f);
        for (int entry = examples.firstEntry(example) + 1; entry < examples.endEntry(example); entry++)
        {
            input[examples.feature(entry) - 1] = examples.value(entry);
        }
    }

    private double accuracy()
    {
        int right = 0;
        for (int example = 0; example < settings.test().size(); example++)
        {
            read(settings.test(), example);
            right += perceptron.classOf(input, first, second) == settings.test().label(example) ? 1 : 0;
        }

        return (double)right / settings.test().size();
    }

    private static void fill(final TableSpec spec, final float[] rows)
    {
        for (int key = 0; key < spec.rows(); key++)
        {
            InitialValues.fill(spec, key, rows, key * spec.dim());
        }
    }

    private static void add(final float[] gradient, final float[] sum)
    {
        for (int i = 0; i < sum.length; i++)
        {
            sum[i] += gradient[i];
        }
    }

    /** As {@code sgd/2} of the servers. */
    private static void step(final float[] values, final float[] momentum, final float[] gradient)
    {
        for (int i = 0; i < values.length; i++)
        {
            momentum[i] = MOMENTUM * momentum[i] + gradient[i];
            values[i] -= RATE * momentum[i];
        }
    }
}
