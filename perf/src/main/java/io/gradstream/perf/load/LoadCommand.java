// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.coordinator.session.MemberEndpoint;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Measures pushes and pulls, compared with raw Aeron.
 */
@Command(
    name = "load",
    description = {
        "Measure pushes and pulls beside raw Aeron with the same driver settings, sizes and processes.",
        "Starts a server process of its own unless --coordinator names a running cluster. Takes about 12 times",
        "(windows x window-seconds + warm-up) for each size; 8 minutes by default."})
public final class LoadCommand implements Callable<Integer>
{
    private static final double NS_PER_SECOND = 1e9;
    private static final int MIB_SHIFT = 20;

    @Mixin
    private RunOptions run;

    @Option(names = "--sizes", split = ",", defaultValue = "4k,64k,1m", paramLabel = "SIZE",
        description = "Bytes of a push or pull, multiples of 4k. Default: ${DEFAULT-VALUE}.")
    private List<String> sizes;

    @Option(names = "--windows", defaultValue = "5", paramLabel = "N",
        description = "Windows of each measure. Default: ${DEFAULT-VALUE}.")
    private int windows;

    @Option(names = "--window-seconds", defaultValue = "2", paramLabel = "S",
        description = "Length of a window. Default: ${DEFAULT-VALUE}.")
    private double windowSeconds;

    @Option(names = "--warm-up", defaultValue = "3", paramLabel = "S",
        description = "For how long each measure is loaded before it counts, at least; up to " + WarmUp.MAX_TIMES +
            " times that while this process still compiles. Default: ${DEFAULT-VALUE}.")
    private double warmUpSeconds;

    @Option(names = "--window-mib", defaultValue = "256", paramLabel = "N",
        description = "Pushed MiB after which a window of pushes ends early: the log is on disk. " +
            "Default: ${DEFAULT-VALUE}.")
    private long windowMib;

    @Option(names = "--rate", defaultValue = "0", paramLabel = "N",
        description = "Pushes or pulls a second in the measures at a fixed rate. Default: 1000, less for large ones " +
            "(64 MiB a second).")
    private double rate;

    @Option(names = "--coordinator", paramLabel = "HOST:PORT", split = ",",
        description = "Coordinators of a running cluster. Default: a local server, started for the run.")
    private List<String> coordinators;

    @Option(names = "--partitions", defaultValue = "1", paramLabel = "N",
        description = "Partitions of the job, as it is where one runs. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--standbys", defaultValue = "0", paramLabel = "0|1",
        description = "1: measure also a chain of two server processes, beside the one without. Default: " +
            "${DEFAULT-VALUE}.")
    private int standbys;

    @Option(names = "--mtu", defaultValue = "8192", paramLabel = "BYTES",
        description = "Datagrams of all processes and of raw Aeron. Default: ${DEFAULT-VALUE}.")
    private int mtu;

    @Option(names = "--drivers", defaultValue = "own", paramLabel = "own|shared",
        description = "shared: this process uses the media driver of the first server, and raw Aeron has one driver " +
            "for both sides, so that all is IPC. Default: ${DEFAULT-VALUE}.")
    private String drivers;

    @Override
    public Integer call() throws IOException
    {
        final LoadSettings settings = run.checked(this::settings);
        final LoadReport report = new LoadReport(settings, new LoadRun(settings).run());

        return run.print(report.table(), report::json);
    }

    private LoadSettings settings()
    {
        if (null != coordinators)
        {
            MemberEndpoint.parseAll("coordinator", coordinators);
        }
        if (!List.of("own", "shared").contains(drivers))
        {
            throw new IllegalArgumentException("invalid --drivers=" + drivers + ": must be own or shared");
        }
        return new LoadSettings(
            sizes.stream().map(ByteSize::parse).toList(),
            Measure.all(standbys > 0),
            windows,
            (long)(windowSeconds * NS_PER_SECOND),
            (long)(warmUpSeconds * NS_PER_SECOND),
            rate,
            windowMib << MIB_SHIFT,
            new LoadSettings.Cluster(
                coordinators, partitions, standbys, run.profile(), mtu, "shared".equals(drivers), run.directory()));
    }
}
