/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Examples;
import io.gradstream.training.HoldOut;
import io.gradstream.training.LibsvmReader;
import io.gradstream.training.Stragglers;
import picocli.CommandLine.Option;

/**
 * Options that say what is learned and how; the same for {@code train} and for each {@code worker}.
 */
public final class JobOptions
{
    static final int MAX_WORKERS = 64;
    static final int MAX_PASSES = 10_000;
    static final int MAX_BATCH = 1_000_000;
    static final double MAX_PACE = 1_000_000;
    static final long MAX_STEP_TIME_MS = 60_000;
    static final double MAX_PARAMETER = 1e6;

    @Option(names = "--workers", paramLabel = "N", defaultValue = "2",
        description = "Number of workers. Default: ${DEFAULT-VALUE}.")
    public int workers;

    @Option(names = "--passes", paramLabel = "N", defaultValue = "3",
        description = "How often the data are gone through. Default: ${DEFAULT-VALUE}.")
    public int passes;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "64",
        description = "Examples in a batch, which is one push. Default: ${DEFAULT-VALUE}.")
    public int batch;

    @Option(names = "--pull-ahead", paramLabel = "0|1",
        description = "1: while a batch is computed, the weights of the next one are pulled, without its push. 0:" +
            " they are pulled after it. Default: 1, and 0 with --staleness 0, which allows no other.")
    Integer pullAhead;

    @Option(names = "--staleness", paramLabel = "0|N|unbounded",
        description = "Most batches by which another worker's pushes may be behind in the weights that a worker" +
            " pulls; it waits for those that are slower. Default: unbounded, and workers do not tell how far they are.")
    String staleness;

    @Option(names = "--step-time", paramLabel = "DURATION", defaultValue = "0ms", converter = DurationConverter.class,
        description = "A worker takes at least so long for each batch, as if there were more to compute." +
            " Default: ${DEFAULT-VALUE}.")
    public long stepTimeMs;

    @Option(names = "--stragglers", paramLabel = "FACTOR:PROBABILITY",
        description = "Batches that take FACTOR times as long, to see what that does: each with this probability, by" +
            " --seed. Default: none.")
    String stragglers;

    @Option(names = "--pace", paramLabel = "N", defaultValue = "0",
        description = "Most batches a second for each worker, 0 for no limit. Default: ${DEFAULT-VALUE}.")
    public double pace;

    @Option(names = "--function", paramLabel = "ftrl|sgd", defaultValue = "ftrl",
        description = "How servers update weights. Default: ${DEFAULT-VALUE}.")
    String function;

    @Option(names = "--alpha", paramLabel = "A", defaultValue = "1.0",
        description = "Learning rate of ftrl. Default: ${DEFAULT-VALUE}.")
    double alpha;

    @Option(names = "--beta", paramLabel = "B", defaultValue = "1.0",
        description = "Smoothing of the learning rate of ftrl. Default: ${DEFAULT-VALUE}.")
    double beta;

    @Option(names = "--l1", paramLabel = "L", defaultValue = "0.001",
        description = "L1 strength of ftrl. Default: ${DEFAULT-VALUE}.")
    double l1;

    @Option(names = "--l2", paramLabel = "L", defaultValue = "0.0",
        description = "L2 strength of ftrl. Default: ${DEFAULT-VALUE}.")
    double l2;

    @Option(names = "--rate", paramLabel = "R", defaultValue = "0.5",
        description = "Learning rate of sgd. Default: ${DEFAULT-VALUE}.")
    double rate;

    @Option(names = "--clip", paramLabel = "C", defaultValue = "0",
        description = "Servers bring each element of a gradient into -C..C, 0 for no limit. Default: ${DEFAULT-VALUE}.")
    double clip;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Of generated data and of the order of batches. Default: ${DEFAULT-VALUE}.")
    public long seed;

    @Option(names = "--data", paramLabel = "FILE", split = ",",
        description = "Training data in LIBSVM format, plain or .gz; several separated by commas. Default: generated.")
    public List<Path> data = List.of();

    @Option(names = "--hold-out", paramLabel = "SHARE",
        description = "Share of the examples of --data that nobody trains on, chosen by --seed: the test of train" +
            " without --test. Default: 0.1 in train without --test, else 0.")
    public Double holdOut;

    @Option(names = "--examples", paramLabel = "N", defaultValue = "100000",
        description = "Training examples to generate. Default: ${DEFAULT-VALUE}.")
    public int examples;

    @Option(names = "--features", paramLabel = "N", defaultValue = "16384",
        description = "Features of generated data. Default: ${DEFAULT-VALUE}.")
    public int features;

    /**
     * Check ranges and that data files are there.
     *
     * @throws UsageException naming the option, its value and what is allowed.
     */
    public void validate()
    {
        CommonOptions.checkRange("workers", workers, 1, MAX_WORKERS);
        CommonOptions.checkRange("passes", passes, 1, MAX_PASSES);
        CommonOptions.checkRange("batch", batch, 1, MAX_BATCH);
        CommonOptions.checkRange("pull-ahead", pullAhead(), 0, 1);
        if (0 == consistency().staleness() && pullAhead() > 0)
        {
            throw new UsageException(
                "--pull-ahead 1 contradicts --staleness 0: weights pulled ahead are one batch old");
        }
        CommonOptions.checkRange("step-time in ms", stepTimeMs, 0, MAX_STEP_TIME_MS);
        stragglers();
        CommonOptions.checkRange("pace", pace, 0, MAX_PACE);
        CommonOptions.checkRange("beta", beta, 0, MAX_PARAMETER);
        CommonOptions.checkRange("l1", l1, 0, MAX_PARAMETER);
        CommonOptions.checkRange("l2", l2, 0, MAX_PARAMETER);
        CommonOptions.checkRange("clip", clip, 0, MAX_PARAMETER);
        checkPositive("alpha", alpha);
        checkPositive("rate", rate);
        if (!"ftrl".equals(function) && !"sgd".equals(function))
        {
            throw new UsageException("invalid --function=" + function + ": must be ftrl or sgd");
        }
        if (data.isEmpty())
        {
            clickLogSpec();
        }
        data.forEach((file) -> checkFile("data", file));
        if (null != holdOut)
        {
            CommonOptions.checkRange("hold-out", holdOut, 0, HoldOut.MAX_SHARE);
            if (data.isEmpty() && holdOut > 0)
            {
                throw new UsageException("--hold-out without --data: generated data bring their own test set");
            }
        }
    }

    /** 1 if the next batch's weights are pulled while one is computed, else 0. */
    public int pullAhead()
    {
        return null != pullAhead ? pullAhead : isClocked() && 0 == consistency().staleness() ? 0 : 1;
    }

    /** Do workers tell how far they are? */
    public boolean isClocked()
    {
        return null != staleness;
    }

    /**
     * How far workers may run apart.
     *
     * @throws UsageException if the option is wrong.
     */
    public Consistency consistency()
    {
        try
        {
            return isClocked() ?
                new Consistency(workers, Consistency.parseStaleness(staleness)) : Consistency.EVENTUAL;
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage().replace("invalid ", "invalid --"));
        }
    }

    /**
     * Which batches take longer.
     *
     * @throws UsageException if the option is wrong.
     */
    public Stragglers stragglers()
    {
        try
        {
            return Stragglers.parse(stragglers, seed);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage().replace("invalid ", "invalid --"));
        }
    }

    public static void checkFile(final String option, final Path file)
    {
        if (!Files.isRegularFile(file) || !Files.isReadable(file))
        {
            throw new UsageException("--" + option + " " + file + ": no such file, or not readable");
        }
    }

    /**
     * The table of weights.
     */
    public TableSpec weights()
    {
        final String text = "ftrl".equals(function) ?
            "ftrl/1 alpha=" + alpha + " beta=" + beta + " l1=" + l1 + " l2=" + l2 : "sgd/1 rate=" + rate;
        return TableSpec.sparse(0, "weights", 1, clip > 0 ? text + " clip=" + clip : text);
    }

    public boolean isGenerated()
    {
        return data.isEmpty();
    }

    public ClickLog.Spec clickLogSpec()
    {
        try
        {
            return ClickLog.Spec.defaults(seed).withExamples(examples).withFeatures(features);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage().replace("invalid ", "invalid --"));
        }
    }

    /**
     * The examples of one worker.
     */
    public Examples shard(final int slot)
    {
        return isGenerated() ?
            new ClickLog(clickLogSpec()).train(slot, workers) :
            trainingPart(LibsvmReader.read(data)).shard(slot, workers);
    }

    /**
     * Examples of the data that are trained on.
     */
    public Examples trainingPart(final Examples examples)
    {
        return null == holdOut || 0 == holdOut ? examples : new HoldOut(holdOut, seed).trainingPart(examples);
    }

    /**
     * These options as a worker's arguments.
     */
    public List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "--workers=" + workers, "--passes=" + passes, "--batch=" + batch,
            "--pull-ahead=" + pullAhead(), "--step-time=" + stepTimeMs + "ms", "--pace=" + pace,
            "--function=" + function, "--alpha=" + alpha, "--beta=" + beta, "--l1=" + l1, "--l2=" + l2,
            "--rate=" + rate, "--clip=" + clip,
            "--seed=" + seed, "--examples=" + examples, "--features=" + features));
        if (isClocked())
        {
            arguments.add("--staleness=" + staleness);
        }
        if (null != stragglers)
        {
            arguments.add("--stragglers=" + stragglers);
        }
        if (!isGenerated())
        {
            arguments.add("--data=" + data.stream()
                .map((file) -> file.toAbsolutePath().toString())
                .collect(Collectors.joining(",")));
            arguments.add("--hold-out=" + (null == holdOut ? 0 : holdOut));
        }

        return arguments;
    }

    private static void checkPositive(final String option, final double value)
    {
        if (!(value > 0 && value <= MAX_PARAMETER))
        {
            throw new UsageException("invalid --" + option + "=" + value + ": must be above 0 and at most 1000000");
        }
    }
}
