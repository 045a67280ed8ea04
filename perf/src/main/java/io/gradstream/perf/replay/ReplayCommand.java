// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * Measures how fast a restarted server reads its log, compared with raw Archive replay.
 */
@Command(
    name = "replay",
    description = {
        "Measure replay, verification and application of a partition's log beside raw Archive replay of the same",
        "recording to an empty handler, in turns. Fails if the replayed state differs from the written one."})
public final class ReplayCommand implements Callable<Integer>
{
    @Mixin
    private RunOptions run;

    @Option(names = "--bytes", defaultValue = "1g", paramLabel = "SIZE",
        description = "Bytes of records to write, such as 64m or 1g. Default: ${DEFAULT-VALUE}.")
    private String bytes;

    @Option(names = "--rounds", defaultValue = "5", paramLabel = "N",
        description = "Times that each is measured. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--rows", defaultValue = "1024", paramLabel = "N",
        description = "Rows of 16 KiB that the records update in turn. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Override
    public Integer call() throws IOException
    {
        final ReplaySettings settings = run.checked(this::settings);
        final ReplayResult result = ReplayRig.measure(settings);

        return run.print(result.table(settings), () -> result.json(settings));
    }

    private ReplaySettings settings()
    {
        return new ReplaySettings(
            ByteSize.parseLong(bytes), rounds, rows, run.profile(), run.directory());
    }
}
