// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.Consistency;
import io.gradstream.training.Stragglers;
import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Option;

/** Options that say how fast workers go, and how far apart they may be. */
@OptionGroup(Heading.FAULTS)
public final class PaceOptions
{
    private static final double MAX_PACE = 1_000_000;
    private static final long MAX_STEP_TIME_MS = 60_000;

    @Advanced
    @OptionGroup(Heading.MODEL)
    @Option(names = "--pull-ahead", paramLabel = "0|1",
        description = "1: while a batch is computed, the weights of the next one are pulled, without its push. 0:" +
            " they are pulled after it. Default: 1, and 0 with --staleness 0, which allows no other.")
    Integer pullAhead;

    @OptionGroup(Heading.MODEL)
    @Option(names = "--staleness", paramLabel = "0|N|unbounded",
        description = "Most batches by which another worker's pushes may be behind in the weights that a worker" +
            " pulls; it waits for those that are slower. Default: unbounded, and workers do not tell how far they are.")
    String staleness;

    @Advanced
    @Option(names = "--step-time", paramLabel = "DURATION", defaultValue = "0ms", converter = DurationConverter.class,
        description = "A worker takes at least so long for each batch, as if there were more to compute." +
            " Default: ${DEFAULT-VALUE}.")
    public long stepTimeMs;

    @Advanced
    @Option(names = "--stragglers", paramLabel = "FACTOR:PROBABILITY",
        description = "Batches that take FACTOR times as long, to see what that does: each with this probability, by" +
            " --seed. Default: none.")
    String stragglers;

    @Advanced
    @Option(names = "--pace", paramLabel = "N", defaultValue = "0",
        description = "Most batches a second for each worker, 0 for no limit. Default: ${DEFAULT-VALUE}.")
    public double pace;

    void validate(final int workers, final long seed)
    {
        CommonOptions.checkRange("pull-ahead", pullAhead(workers), 0, 1);
        if (0 == consistency(workers).staleness() && pullAhead(workers) > 0)
        {
            throw new UsageException(
                "--pull-ahead 1 contradicts --staleness 0: weights pulled ahead are one batch old");
        }
        CommonOptions.checkRange("step-time in ms", stepTimeMs, 0, MAX_STEP_TIME_MS);
        stragglers(seed);
        CommonOptions.checkRange("pace", pace, 0, MAX_PACE);
    }

    int pullAhead(final int workers)
    {
        return null != pullAhead ? pullAhead : isClocked() && 0 == consistency(workers).staleness() ? 0 : 1;
    }

    boolean isClocked()
    {
        return null != staleness;
    }

    Consistency consistency(final int workers)
    {
        return UsageException.refusing(() -> isClocked() ?
            new Consistency(workers, Consistency.parseStaleness(staleness)) : Consistency.EVENTUAL);
    }

    Stragglers stragglers(final long seed)
    {
        return UsageException.refusing(() -> Stragglers.parse(stragglers, seed));
    }

    List<String> arguments(final int workers)
    {
        final List<String> arguments = new ArrayList<>(List.of("--pull-ahead=" + pullAhead(workers),
            "--step-time=" + stepTimeMs + "ms", "--pace=" + pace));
        if (isClocked())
        {
            arguments.add("--staleness=" + staleness);
        }
        if (null != stragglers)
        {
            arguments.add("--stragglers=" + stragglers);
        }
        return arguments;
    }
}
