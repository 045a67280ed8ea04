// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.aeron.Aeron;
import io.gradstream.codecs.Check;
import io.gradstream.console.Chart;
import io.gradstream.coordinator.session.MemberEndpoint;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Measures pushes and pulls beside raw Aeron: at each size both, in turns, on the same driver of this process. */
@Command(
    name = "load",
    description = {
        "Measure pushes and pulls beside raw Aeron with the same driver settings, sizes and processes.",
        "Starts a server process of its own unless --coordinator names a running cluster. Takes about 12 times",
        "(windows x window-seconds + warmup-seconds) for each size; 8 minutes by default. The warm-up lasts up to " +
            WarmUp.MAX_TIMES + " times",
        "--warmup-seconds while this process still compiles."})
public final class LoadRun extends Measurement
{
    /** Floats in a row. */
    static final int DIM = 1024;
    /** Bytes in a row. */
    static final int ROW_BYTES = DIM * Float.BYTES;
    /** Rows of the table: 16 MiB, more than a processor's second level cache. */
    static final int ROWS = 4096;
    /** Most transfers a second at the default rate. */
    static final double MAX_DEFAULT_RATE = 1_000;
    /** Most bytes a second at the default rate, so that it measures latency and not the queue before a full system. */
    static final double DEFAULT_RATE_BYTES = 64.0 * 1024 * 1024;
    /** Windows' most bytes that may be pushed before a measure counts. */
    static final int WARM_UP_WINDOWS = 4;

    private static final double MAX_RATE = 1e7;
    private static final int MAX_WINDOW_MIB = 65_536;
    private static final int MAX_PARTITIONS = 4096;
    private static final int MIB_SHIFT = 20;
    private static final String OWN = "own";
    private static final String SHARED = "shared";

    @Option(names = "--sizes", split = ",", defaultValue = "4k,64k,1m", paramLabel = "SIZE",
        description = "Bytes of a push or pull, multiples of 4k. Default: ${DEFAULT-VALUE}.")
    private List<String> sizeTexts;

    @Option(names = "--measures", split = ",", paramLabel = "NAME",
        description = "Take these measures alone, such as rawEcho,pushApplied. Default: all.")
    private List<String> measureIds;

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

    @Option(names = "--replicas", defaultValue = "1", paramLabel = "1|2",
        description = "2: measure also a chain of two server processes, beside the one without. Default: " +
            "${DEFAULT-VALUE}.")
    private int replicas;

    @Option(names = "--mtu", defaultValue = "" + ChannelMtu.OF_INTERFACE, paramLabel = "BYTES",
        description = "Longest datagram of all processes and of raw Aeron. Default: what servers and workers send on" +
            " loopback, " + ChannelMtu.MAX_DEFAULT_LENGTH + " to " + ChannelMtu.MAX_LENGTH +
            " by the memory that the kernel grants sockets.")
    private int mtu;

    @Option(names = "--drivers", defaultValue = OWN, paramLabel = "own|shared",
        description = "shared: this process uses the media driver of the first server, and raw Aeron has one driver " +
            "for both sides, so that all is IPC. Default: ${DEFAULT-VALUE}.")
    private String drivers;

    private final List<SizeResult> results = new ArrayList<>();
    private List<Integer> sizes;
    private Set<Measure> measures;

    public LoadRun()
    {
        super(new RunOptions(5, 2, 3));
    }

    @Override
    protected void check()
    {
        super.check();
        sizes = sizeTexts.stream().map(ByteSize::parse).toList();
        for (final int size : sizes)
        {
            Check.that(size > 0 && 0 == size % ROW_BYTES && size <= ROWS * ROW_BYTES, "--sizes", size,
                "multiples of 4k (a row of " + DIM + " floats) up to 16m");
        }
        final boolean isLocal = null == coordinators;
        if (!isLocal)
        {
            MemberEndpoint.parseAll("coordinator", coordinators);
        }
        Check.that(rate >= 0 && rate <= MAX_RATE, "--rate", rate, "0 (choose by size) to 10000000");
        Check.range("--window-mib", windowMib, 1, MAX_WINDOW_MIB);
        Check.range("--partitions", partitions, 1, MAX_PARTITIONS);
        Check.that(1 == replicas || 2 == replicas && isLocal, "--replicas", replicas, "1, or 2 without --coordinator");
        Check.that(OWN.equals(drivers) || SHARED.equals(drivers) && isLocal, "--drivers", drivers,
            "own, or shared without --coordinator");
        Check.that(ChannelMtu.isAllowed(mtu), "--mtu", mtu, ChannelMtu.allowed());
        measures = Measure.all(replicas > 1);
        if (null != measureIds)
        {
            final Set<Measure> chosen = new TreeSet<>(measureIds.stream().map(Measure::parse).toList());
            Check.that(measures.containsAll(chosen), "--measures", measureIds,
                "without those of a chain, or with --replicas=2");
            measures = chosen;
        }
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final HostDriver.Context host = new HostDriver.Context()
            .profile(settings.profile())
            .mtuLength(mtu())
            .termLength(MeasuredCluster.TERM_LENGTH);
        final List<TargetLine> lines = new ArrayList<>();
        try (HostDriver driver = HostDriver.launch(host);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            for (final int size : sizes)
            {
                try (SizeRun run = new SizeRun(this, aeron, size))
                {
                    final SizeResult result = run.run();
                    results.add(result);
                    lines.addAll(LoadLines.of(result, isSharing()));
                }
            }
        }

        return lines;
    }

    @Override
    public Map<String, Chart> charts()
    {
        final SizeResult first = results.get(0);
        final Map<String, List<Double>> series = new LinkedHashMap<>();
        first.percentilesUs().forEach((measure, values) ->
        {
            if (!measure.isGoodput())
            {
                series.put(measure.title(first.size()), values);
            }
        });

        return series.isEmpty() ? Map.of() : Map.of("latency", Chart.ofCategories("Latency, us, by percentile",
            Chart.Form.POINTS, SizeResult.PERCENTILES.stream().map(String::valueOf).toList(), series));
    }

    RunOptions settings()
    {
        return settings;
    }

    Set<Measure> measures()
    {
        return measures;
    }

    /** Coordinators of a running cluster by member id, or null for local servers of this run's own. */
    List<String> coordinators()
    {
        return coordinators;
    }

    @Override
    protected boolean startsServers()
    {
        return null == coordinators;
    }

    int partitions()
    {
        return partitions;
    }

    int mtu()
    {
        return ChannelMtu.OF_INTERFACE == mtu ? MeasuredCluster.MTU : mtu;
    }

    /** True if this process uses the media driver of the first server, so that they speak over IPC. */
    boolean isSharing()
    {
        return SHARED.equals(drivers);
    }

    /** Transfers to start each second for a size. */
    double rateOf(final int size)
    {
        return rate > 0 ? rate : Math.min(MAX_DEFAULT_RATE, DEFAULT_RATE_BYTES / size);
    }

    /** Transfers after which a window of pushes ends early. */
    long maxPushes(final int size)
    {
        return Math.max(1, (windowMib << MIB_SHIFT) / size);
    }

    /** Bytes of pushes after which a measure's warm-up ends early. */
    long maxWarmUpBytes()
    {
        return WARM_UP_WINDOWS * (windowMib << MIB_SHIFT);
    }

    /** Most bytes that servers record in all measures of pushes to them, those of the chain or the others. */
    long maxRecordedBytes(final boolean isChained)
    {
        // the last burst of a warm-up may exceed its limit by a window's most
        final long windowsEach = settings.windows() + WARM_UP_WINDOWS + 1L;
        return measures.stream().filter((measure) -> measure.isRecorded() && measure.isChained() == isChained)
            .count() * windowsEach * (windowMib << MIB_SHIFT);
    }
}
