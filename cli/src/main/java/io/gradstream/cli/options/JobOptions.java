// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Examples;
import io.gradstream.training.Stragglers;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.model.ModelSpec;
import io.gradstream.training.read.DataScale;
import io.gradstream.worker.filter.PushFilter;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Options for the model and its training; the same for {@code train} and for each {@code worker}.
 */
@OptionGroup(Heading.MODEL)
public final class JobOptions
{
    /** Most workers of a run. */
    public static final int MAX_WORKERS = 64;
    static final int MAX_PASSES = 10_000;
    static final int MAX_BATCH = 1_000_000;
    static final int MAX_PUSH_EVERY = 10_000;
    static final int MAX_UNITS = 100_000;
    private static final long MIN_CACHE_BYTES = 64 * 1024;
    private static final double MAX_PACE = 1_000_000;
    private static final long MAX_STEP_TIME_MS = 60_000;

    @OptionGroup(Heading.CLUSTER)
    @Option(names = "--workers", paramLabel = "N", defaultValue = "2",
        description = "Number of workers. Default: ${DEFAULT-VALUE}.")
    public int workers;

    @OptionGroup(Heading.CLUSTER)
    @Option(names = "--units", paramLabel = "BATCHES", defaultValue = "0",
        description = "Workers are given so many batches at a time, whenever they have done theirs: a faster one does" +
            " more, and those of one that dies go to others. Each worker reads all training data. 0: each has its own" +
            " share of the data. Default: ${DEFAULT-VALUE}.")
    public int units;

    @Option(names = "--passes", paramLabel = "N", defaultValue = "3",
        description = "How often the data are gone through. Default: ${DEFAULT-VALUE}.")
    public int passes;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "64",
        description = "Examples in a batch, which is one push unless --push-every or --local-steps is given." +
            " Default: ${DEFAULT-VALUE}.")
    public int batch;

    @Advanced
    @Option(names = "--push-every", paramLabel = "K", defaultValue = "1",
        description = "A worker adds up the gradients of K batches, row by row, and pushes the sum; the last push of" +
            " a pass may be of fewer. What counts iterations counts pushes then, as --staleness does. Default:" +
            " ${DEFAULT-VALUE}.")
    public int pushEvery;

    @Advanced
    @Option(names = "--local-steps", paramLabel = "H", defaultValue = "1",
        description = "A worker takes H steps of plain SGD, each of one batch, on its own copy of the rows, and" +
            " pushes by how much it has changed them; --function is the outer optimizer. A push counts as with" +
            " --push-every. Default: ${DEFAULT-VALUE}, no local steps.")
    public int localSteps;

    @Advanced
    @Option(names = "--local-rate", paramLabel = "R", description = "Learning rate of --local-steps.")
    public Double localRate;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Of generated data, of the order of batches and of what rows begin with. Default:" +
            " ${DEFAULT-VALUE}.")
    public long seed;

    @Mixin
    public DataOptions data;

    @Mixin
    public ModelOptions model;

    @Mixin
    public OptimizerOptions optimizer;

    @Advanced
    @Option(names = "--pull-ahead", paramLabel = "0|1",
        description = "1: while a batch is computed, the weights of the next one are pulled, without its push. 0:" +
            " they are pulled after it. Default: 1, and 0 with --staleness 0, which allows no other.")
    private Integer pullAhead;

    @Advanced
    @Option(names = "--pull-values", paramLabel = "float32|bfloat16|float16", defaultValue = "float32",
        description = "How servers send weights: as they are, or rounded to 2 bytes each. Servers round what they" +
            " send, not what they hold. Default: ${DEFAULT-VALUE}.")
    private String pullValues;

    @Advanced
    @Option(names = "--push-values", paramLabel = "float32|bfloat16|float16", defaultValue = "float32",
        description = "How workers send gradients: as they are, or rounded to 2 bytes each, which is what servers" +
            " apply. A gradient that float16 cannot hold, beyond 65,504, ends the run. Default: ${DEFAULT-VALUE}.")
    private String pushValues;

    @Advanced
    @Option(names = "--key-cache",
        description = "Servers keep the newest lists of keys that a worker sends, and a list that comes again is" +
            " named by its number: the push of a batch does not carry the keys of its pull.")
    private boolean isKeyCached;

    @Advanced
    @Option(names = "--filter", paramLabel = "FILTER,...", split = CommonOptions.COMMA,
        converter = FilterConverter.class,
        description = "Leave rows out of pushes. significant:THRESHOLD[:AGE]: a worker holds a row back until its" +
            " gradients add up to more than THRESHOLD times its weights, for at most AGE pushes (" +
            PushFilter.DEFAULT_AGE + "). skip:PROBABILITY: it leaves each row out with this probability, and" +
            " multiplies the others to make up for that. kkt:SHARE: it leaves out rows whose weights are 0 and whose" +
            " gradients are at most SHARE of --l1. Repeatable, once for each kind.")
    private List<PushFilter> filters = List.of();

    @Option(names = "--staleness", paramLabel = "0|N|unbounded",
        description = "Most batches, or pushes with --push-every or --local-steps, by which another worker's pushes" +
            " may be behind in the weights that a worker pulls; it waits for those that are slower. Default:" +
            " unbounded, and workers do not tell how far they are.")
    private String staleness;

    @Advanced
    @Option(names = "--cache", paramLabel = "BYTES", converter = ValueConverters.Size.class, defaultValue = "0",
        description = "With --staleness N, 1 or more: memory of each worker for weights that it has pulled, such as" +
            " 64m. It pulls only those that are older than the bound allows. 0: it pulls all of them. Default:" +
            " ${DEFAULT-VALUE}.")
    private long cacheBytes;

    @Advanced
    @OptionGroup(Heading.FAULTS)
    @Option(names = "--step-time", paramLabel = "DURATION", defaultValue = "0ms", converter = DurationConverter.class,
        description = "A worker takes at least so long for each batch, as if there were more to compute." +
            " Default: ${DEFAULT-VALUE}.")
    public long stepTimeMs;

    @Advanced
    @OptionGroup(Heading.FAULTS)
    @Option(names = "--stragglers", paramLabel = "FACTOR:PROBABILITY[@WORKER]",
        description = "Batches that take FACTOR times as long, to see what that does: each with this probability, by" +
            " --seed; with @WORKER, of that one alone. Default: none.")
    private String stragglers;

    @Advanced
    @OptionGroup(Heading.FAULTS)
    @Option(names = "--pace", paramLabel = "N", defaultValue = "0",
        description = "Most batches a second for each worker, 0 for no limit. Default: ${DEFAULT-VALUE}.")
    public double pace;

    /** Reads a filter. */
    static final class FilterConverter implements ITypeConverter<PushFilter>
    {
        @Override
        public PushFilter convert(final String value)
        {
            try
            {
                return PushFilter.parse(value);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new TypeConversionException(ex.getMessage());
            }
        }
    }

    /**
     * Check ranges and that data files are there.
     *
     * @param isForOwnServers true if servers may have update functions that this process does not know.
     */
    public void validate(final boolean isForOwnServers)
    {
        CommonOptions.checkRange("workers", workers, 1, MAX_WORKERS);
        CommonOptions.checkRange("passes", passes, 1, MAX_PASSES);
        CommonOptions.checkRange("batch", batch, 1, MAX_BATCH);
        CommonOptions.checkRange("push-every", pushEvery, 1, MAX_PUSH_EVERY);
        CommonOptions.checkRange("units", units, 0, MAX_UNITS);
        validateLocalSteps();
        UsageException.refuseIf(batchesOfPush() > 1 && units > 0,
            (pushEvery > 1 ? "--push-every " + pushEvery : "--local-steps " + localSteps) +
                " contradicts --units: each batch of a unit is a push, by which it is known" +
                " to be done; leave one of the two out, or use a larger --batch");
        UsageException.refuseIf(units > 0 && 0 == consistency().staleness(),
            "--units contradicts --staleness 0: there every worker does its own part of each iteration");
        CommonOptions.checkRange("pull-ahead", pullAhead(), 0, 1);
        UsageException.refuseIf(0 == consistency().staleness() && pullAhead() > 0,
            "--pull-ahead 1 contradicts --staleness 0: weights pulled ahead are one batch old");
        UsageException.refuseIf(null == pullEncoding(),
            "invalid --pull-values=" + pullValues + ": must be float32, bfloat16 or float16");
        UsageException.refuseIf(null == pushEncoding(),
            "invalid --push-values=" + pushValues + ": must be float32, bfloat16 or float16");
        UsageException.refuseIf(cacheBytes > 0 && (!consistency().isBounded() || 0 == consistency().staleness()),
            "--cache needs --staleness N, 1 or more: weights are kept as long as that bound allows");
        UsageException.refuseIf(cacheBytes > 0 && (ValueEncoding.RAW != pullEncoding() || localSteps > 1),
            "--cache contradicts --pull-values and --local-steps: weights that are kept have all their bits, and" +
            " local steps begin with weights that have the push before");
        UsageException.refuseIf(isKeyCached && (cacheBytes > 0 || batchesOfPush() > 1 || !filters.isEmpty()),
            "--key-cache contradicts --cache, --push-every, --local-steps and --filter: with these a push does not" +
            " have the keys of a pull, and nothing would be saved");
        UsageException.refuseIf(cacheBytes > 0 && cacheBytes < MIN_CACHE_BYTES,
            "invalid --cache=" + cacheBytes + ": must be 0, or " + MIN_CACHE_BYTES + " or more");
        validateFilters();
        CommonOptions.checkRange("step-time in ms", stepTimeMs, 0, MAX_STEP_TIME_MS);
        UsageException.refuseIf(stragglers().only() >= workers,
            "invalid --stragglers=" + stragglers + ": workers are 0 to " + (workers - 1));
        CommonOptions.checkRange("pace", pace, 0, MAX_PACE);
        model.validate();
        optimizer.validate(model.kind(), isForOwnServers);
        for (final PushFilter filter : filters)
        {
            final String problem = filter.problem(optimizer.text(model.kind()));
            UsageException.refuseIf(null != problem, "--" + problem);
        }
        data.validate(seed);
        UsageException.refuseIf(data.isGenerated() && ModelSpec.Kind.MF == model.kind(),
            "--model mf without --data: generated data are clicks, not ratings");
    }

    /** How weights are sent to workers; null if the option names nothing that there is. */
    public ValueEncoding pullEncoding()
    {
        return encoding(pullValues);
    }

    /** How gradients are sent to servers; null if the option names nothing that there is. */
    public ValueEncoding pushEncoding()
    {
        return encoding(pushValues);
    }

    /** True if keys that a server has are not sent again. */
    public boolean isKeyCached()
    {
        return isKeyCached;
    }

    private static ValueEncoding encoding(final String name)
    {
        return switch (name)
        {
            case "float32" -> ValueEncoding.RAW;
            case "bfloat16" -> ValueEncoding.BFLOAT16;
            case "float16" -> ValueEncoding.FLOAT16;
            default -> null;
        };
    }

    /** The filters of pushes. */
    public List<PushFilter> filters()
    {
        return filters;
    }

    /** True if there is a filter for which processes of one slot would push differently. */
    public boolean hasOwnFilters()
    {
        return filters.stream().anyMatch((filter) -> !(filter instanceof PushFilter.RandomSkip));
    }

    private void validateFilters()
    {
        UsageException.refuseIf(filters.size() > filters.stream().map(Object::getClass).distinct().count(),
            "--filter: there are two of one kind; give each kind once");
        for (final PushFilter filter : filters)
        {
            UsageException.refuseIf(0 == consistency().staleness() && filter instanceof PushFilter.Significant,
                "--filter " + filter + " contradicts --staleness 0: each push ends an iteration, over which nothing" +
                    " may be held back there");
            UsageException.refuseIf(localSteps > 1 && filter instanceof PushFilter.Kkt,
                "--filter " + filter + " contradicts --local-steps: what is pushed then is no gradient");
            UsageException.refuseIf(localSteps > 1 && filter instanceof PushFilter.Significant,
                "--filter " + filter + " contradicts --local-steps: they begin with weights that have the push" +
                    " before, of which nothing may be held back");
            UsageException.refuseIf(ValueEncoding.FLOAT16 == pullEncoding() && filter instanceof PushFilter.Kkt,
                "--filter " + filter + " contradicts --pull-values float16: small weights are pulled as 0 then");
        }
    }

    /** Batches whose gradients or local steps are one push. */
    public int batchesOfPush()
    {
        return Math.max(pushEvery, localSteps);
    }

    private void validateLocalSteps()
    {
        CommonOptions.checkRange("local-steps", localSteps, 1, MAX_PUSH_EVERY);
        if (localSteps > 1)
        {
            UsageException.refuseIf(pushEvery > 1,
                "--local-steps contradicts --push-every: both say how many batches a push has; give one of the two");
            UsageException.refuseIf(null == localRate, "--local-steps needs --local-rate, the rate of these steps");
            CommonOptions.checkPositive("local-rate", localRate);
            UsageException.refuseIf(!optimizer.isGiven(), "--local-steps needs --function, by which servers take the" +
                " steps: \"sgd/2 rate=R momentum=0.9 nesterov\", where R is 0.7 divided by the number of workers");
        }
    }

    /** Batches of which weights are pulled ahead: 1 if the next batch's are pulled while one is computed, else 0. */
    public int pullAhead()
    {
        return null != pullAhead ? pullAhead : isClocked() && 0 == consistency().staleness() ? 0 : 1;
    }

    /** Bytes of weights that a worker keeps within the bound; 0: none. */
    public long cacheBytes()
    {
        return cacheBytes;
    }

    /** True if workers report their iterations, as {@code --staleness} is given. */
    public boolean isClocked()
    {
        return null != staleness;
    }

    /** The bound on how far workers may run apart. */
    public Consistency consistency()
    {
        return UsageException.refusing(() -> isClocked() ?
            new Consistency(workers, Consistency.parseStaleness(staleness)) : Consistency.EVENTUAL);
    }

    /** The batches that take longer. */
    public Stragglers stragglers()
    {
        return UsageException.refusing(() -> Stragglers.parse(stragglers, seed));
    }

    /**
     * The table of the model's rows.
     *
     * @throws UsageException if the model is not fully known.
     */
    public TableSpec table()
    {
        final ModelSpec spec = model.spec();
        final boolean isRandom = spec.initialDeviation() > 0;
        return new TableSpec(0, spec.tableName(), spec.dim(), ElementType.FLOAT32, 0,
            isRandom ? TableSpec.NORMAL : TableSpec.ZEROS, isRandom ? seed : 0, (float)spec.initialDeviation(),
            optimizer.text(spec.kind()));
    }

    /** The log of clicks that is generated. */
    public ClickLog clickLog()
    {
        return new ClickLog(data.clickLogSpec(seed));
    }

    /** The examples of one worker. */
    public Examples shard(final int slot)
    {
        return data.isGenerated() ? clickLog().train(slot, workers) : allExamples().shard(slot, workers);
    }

    /** The examples of all workers together. */
    public Examples allExamples()
    {
        if (data.isGenerated())
        {
            return clickLog().train(0, 1);
        }
        final Examples train = trainingPart(data.read(rule()));
        choose(train);
        return train;
    }

    /**
     * The work that slots divide between them.
     *
     * @param workId   of this training in its cluster.
     * @param examples that all of them train on.
     */
    public WorkSpec work(final long workId, final long examples)
    {
        return new WorkSpec(workId, (examples + batch - 1) / batch, units, passes, true);
    }

    /** The rule that examples must meet for the model, with a remedy for a label that breaks the rule. */
    public ExampleRule rule()
    {
        final ExampleRule rule = model.rule();
        return rule.withRemedy(rule.isBinary() ? data.format.labelRemedy("; ") +
            "more classes are for --model softmax, and other numbers for --model linear" :
            "numbers that are no classes are for --model linear");
    }

    /**
     * Choose the rate and the initial values of rows, where the user gave none, by the scale of data in files. All
     * workers of a job read the same files, and so choose the same.
     *
     * @param train all examples that are trained on.
     * @return the scale of the data.
     */
    public DataScale choose(final Examples train)
    {
        final DataScale scale = DataScale.of(train);
        optimizer.choose(scale);
        model.choose(scale);
        return scale;
    }

    /** Advice if training has diverged, by the function, the rate and the scale of the data. */
    public String adviceIfDiverged()
    {
        return optimizer.advice(model.kind()) + (ValueEncoding.FLOAT16 == pullEncoding() ?
            ", or --pull-values bfloat16 where weights are to be beyond 65504" : "") +
            (ValueEncoding.FLOAT16 == pushEncoding() ?
            ", or --push-values bfloat16 where gradients are to be beyond 65504" : "");
    }

    /** Examples of the data that are trained on. */
    public Examples trainingPart(final Examples examples)
    {
        return data.trainingPart(examples, seed);
    }

    /** These options as a worker's arguments. */
    public List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "--workers=" + workers, "--passes=" + passes, "--batch=" + batch, "--push-every=" + pushEvery,
            "--seed=" + seed));
        arguments.addAll(data.arguments());
        arguments.addAll(model.arguments());
        arguments.addAll(optimizer.arguments(model.kind()));
        arguments.addAll(List.of(
            "--pull-ahead=" + pullAhead(), "--pull-values=" + pullValues, "--push-values=" + pushValues,
            "--step-time=" + stepTimeMs + "ms", "--pace=" + pace));
        if (units > 0)
        {
            arguments.add("--units=" + units);
        }
        if (localSteps > 1)
        {
            arguments.add("--local-steps=" + localSteps);
            arguments.add("--local-rate=" + localRate);
        }
        if (cacheBytes > 0)
        {
            arguments.add("--cache=" + cacheBytes);
        }
        if (isKeyCached)
        {
            arguments.add("--key-cache");
        }
        GivenOptions.add(arguments, "--filter", filters);
        GivenOptions.add(arguments, "--staleness", staleness);
        GivenOptions.add(arguments, "--stragglers", stragglers);

        return arguments;
    }
}
