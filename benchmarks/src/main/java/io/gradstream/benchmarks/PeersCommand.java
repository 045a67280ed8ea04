// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.perf.Perf;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.report.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Measures other systems at a push's work. */
@Command(
    name = "benchmarks",
    description = {
        "Measure gRPC, Netty, Redis and ps-lite at the work of a push and a pull: two processes on the loopback",
        "address, nothing recorded, replicated or recognized as a duplicate. What is not there is SKIPPED.",
        "Takes about 4 minutes by default."})
public final class PeersCommand implements Callable<Integer>
{
    @Mixin
    private final RunOptions run = new RunOptions(5, 1, 10);

    @Option(names = "--sizes", split = ",", defaultValue = "4k,64k,1m", paramLabel = "SIZE",
        description = "Bytes of a push or pull, multiples of 4k. Default: ${DEFAULT-VALUE}.")
    private List<String> sizes;

    @Option(names = "--ps-lite", paramLabel = "DIR",
        description = "Directory of ps-lite in which its tests are built (make test). Default: figures of an " +
            "earlier run are quoted.")
    private Path psLite;

    public static void main(final String[] args)
    {
        Perf.execute(new PeersCommand(), args);
    }

    @Override
    public Integer call() throws IOException
    {
        final PeersSettings settings = run.checked(this::settings);
        final PeersReport report = new PeersReport(settings, new PeersRun(settings).run());

        return run.print(report.table(), report::json);
    }

    private PeersSettings settings()
    {
        return new PeersSettings(
            sizes.stream().map(ByteSize::parse).toList(),
            run.windows(),
            run.windowNs(),
            run.warmupNs(),
            run.profile(),
            psLite);
    }
}
