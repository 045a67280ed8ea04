// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Check;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Examples;
import io.gradstream.training.LocalFtrl;
import io.gradstream.training.RatingLog;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures training on clusters beside training in one plain thread. Setups run in turn, round after round, so that
 * what the machine does meanwhile meets all of them.
 */
@Command(
    name = "train",
    description = {
        "Train sparse logistic regression in one plain thread and on clusters of several setups, and matrix",
        "factorisation of rank 16 in one plain thread and with a worker in this process, on the driver of one server",
        "that records its log: all rows from the server, rows kept within a bound, gradients of 8 batches added up.",
        "In turn, on the same data. Say how many examples (ratings) a second each does, and what a million of them",
        "costs. About half an hour."})
public final class TrainingRun extends Measurement
{
    static final int PARTITIONS = 4;
    static final long SEED = 1;
    /** As skewed as few real ones are, with as many factors as are trained. */
    static final RatingLog.Spec RATINGS =
        new RatingLog.Spec(100_000, 20_000, 5_000, FactorBatch.RANK, 0.8, 0.1, SEED);

    private static final double ALPHA = 1.0;
    private static final double BETA = 1.0;
    private static final double L1 = 0.001;
    private static final int MAX_BATCH = 1_000_000;
    private static final int MAX_EXAMPLES = 10_000_000;

    @Option(names = "--setups", split = ",", paramLabel = "NAME[,NAME...]",
        description = "Run these alone: plainThread, oneInternal, oneShared, twoInternal, twoShared," +
            " factorsPlainThread, factorsOneShared, factorsCached, factorsSummed. Default: all.")
    private List<String> setupIds;

    @Option(names = "--batch", defaultValue = "64,512", split = ",", paramLabel = "N[,N...]",
        description = "Examples in a batch. Default: ${DEFAULT-VALUE}.")
    private List<Integer> batches;

    @Option(names = "--examples", defaultValue = "100000", paramLabel = "N",
        description = "Examples of the regression to generate. Default: ${DEFAULT-VALUE}.")
    private int examples;

    @Option(names = "--features", defaultValue = "16384", paramLabel = "N",
        description = "Their features. Default: ${DEFAULT-VALUE}.")
    private int features;

    private List<TrainingSetup> setups = List.of(TrainingSetup.values());
    private Examples clicks;
    private RatingLog ratings;

    public TrainingRun()
    {
        super(new RunOptions(3, 8, 20));
    }

    @Override
    protected void check()
    {
        super.check();
        Check.that(batches.stream().allMatch((batch) -> batch >= 1 && batch <= MAX_BATCH), "--batch", batches,
            "1.." + MAX_BATCH + " each");
        Check.range("--examples", examples, 1, MAX_EXAMPLES);
        Check.range("--features", features, ClickLog.Spec.MIN_FEATURES, ClickLog.Spec.MAX_FEATURES);
        if (null != setupIds)
        {
            setups = setupIds.stream().map(TrainingSetup::parse).sorted().toList();
        }
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final Map<Integer, Map<TrainingSetup, List<TrainingRate>>> all = new LinkedHashMap<>();
        for (int round = 0; round < settings.windows(); round++)
        {
            for (final int batch : batches)
            {
                for (final TrainingSetup setup : setups)
                {
                    final TrainingRate rate = measure(setup, batch);
                    all.computeIfAbsent(batch, (unused) -> new EnumMap<>(TrainingSetup.class))
                        .computeIfAbsent(setup, (unused) -> new ArrayList<>()).add(rate);
                    System.err.printf(Locale.ROOT, "[round %d of %d, batch %d] %s: %.0f examples/s%n",
                        round + 1, settings.windows(), batch, setup.title(),
                        rate.examplesPerSecond());
                }
            }
        }
        final List<TargetLine> lines = new ArrayList<>();
        all.forEach((batch, results) -> lines.addAll(TrainingLines.of(batch, results)));

        return lines;
    }

    RunOptions settings()
    {
        return settings;
    }

    /** Examples of the regression. */
    int examples()
    {
        return examples;
    }

    int features()
    {
        return features;
    }

    private TrainingRate measure(final TrainingSetup setup, final int batch) throws IOException
    {
        return switch (setup)
        {
            case PLAIN -> trainPlain(batch);
            case FACTORS_PLAIN -> PlainFactors.run(settings, ratings(), batch);
            case FACTORS_SHARED -> FactorWorker.run(settings, ratings(), batch, FactorWorker.Exchange.EACH_BATCH);
            case FACTORS_CACHED -> FactorWorker.run(settings, ratings(), batch, FactorWorker.Exchange.CACHED);
            case FACTORS_SUMMED -> FactorWorker.run(settings, ratings(), batch, FactorWorker.Exchange.SUMMED);
            default -> new ClusterLoop(this, setup, batch).run();
        };
    }

    /** Run the loop of a worker and the arithmetic of a server in one thread, with nothing between them. */
    TrainingRate trainPlain(final int batch)
    {
        final LocalFtrl model = new LocalFtrl(features, ALPHA, BETA, L1, 0);
        final Examples data = clicks();
        return new Passes((pass) -> model.train(data, batch, 1, pass)[0])
            .measure(settings, data.size(), Passes::threadCpuNs, () -> 0, () -> {});
    }

    /** As the workers make them, all in one. */
    private Examples clicks()
    {
        if (null == clicks)
        {
            clicks = new ClickLog(ClickLog.Spec.defaults(SEED)
                .withExamples(examples).withFeatures(features)).train(0, 1);
        }

        return clicks;
    }

    private RatingLog ratings()
    {
        if (null == ratings)
        {
            ratings = new RatingLog(RATINGS);
        }

        return ratings;
    }
}
