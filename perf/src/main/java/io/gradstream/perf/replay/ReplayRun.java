// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.codecs.Check;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Measures how fast a restarted server reads its log, compared with raw Archive replay. A log is written once and read
 * in turns by both ways, so that what else the machine does meets both alike.
 */
@Command(
    name = "replay",
    description = {
        "Measure replay, verification and application of a partition's log beside raw Archive replay of the same",
        "recording to an empty handler, in turns. Fails if the replayed state differs from the written one."})
public final class ReplayRun extends Measurement
{
    private static final String MEGABYTES = "MB/s";
    private static final int MAX_ROWS = 1 << 16;
    private static final long MIN_BYTES = 1L << 20;
    private static final long MAX_BYTES = 64L << 30;
    private static final double BYTES_PER_NS_TO_MB = 1_000;

    @Option(names = "--bytes", defaultValue = "1g", paramLabel = "SIZE",
        description = "Bytes of records to write, such as 64m or 1g. Default: ${DEFAULT-VALUE}.")
    private String bytesText;

    @Option(names = "--rows", defaultValue = "1024", paramLabel = "N",
        description = "Rows of 16 KiB that the records update in turn. Default: ${DEFAULT-VALUE}.")
    private int rows;

    private long bytes;

    public ReplayRun()
    {
        super(new RunOptions(5, RunOptions.NONE, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        super.check();
        bytes = ByteSize.parseLong(bytesText);
        Check.that(bytes >= MIN_BYTES && bytes <= MAX_BYTES, "--bytes", bytes, "1m to 64g");
        Check.range("--rows", rows, DenseParts.ROWS_PER_PART, MAX_ROWS);
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final double[] raw = new double[settings.windows()];
        final double[] recovery = new double[settings.windows()];
        try (ReplayRig rig = ReplayRig.start(settings, bytes, rows))
        {
            System.err.println("writing " + (bytes >> 20) + " MiB of records");
            final long beginNs = System.nanoTime();
            final long length = rig.write();
            final double written = megabytesPerSecond(length, System.nanoTime() - beginNs);
            // The first is for the compiler and the page cache.
            rig.replayRaw();
            rig.recover();
            for (int i = 0; i < raw.length; i++)
            {
                raw[i] = megabytesPerSecond(length, rig.replayRaw());
                recovery[i] = megabytesPerSecond(length, rig.recover());
                System.err.printf(Locale.ROOT, "[%d/%d] raw %.0f MB/s, replay, verify, apply %.0f MB/s%n",
                    i + 1, raw.length, raw[i], recovery[i]);
            }
            final String note = String.format(Locale.ROOT, "a log of %d MiB, records of %d rows of %d floats, sgd",
                length >> 20, DenseParts.ROWS_PER_PART, ReplayRig.DIM);
            return List.of(
                TargetLine.figure("replay, verify, apply / raw Archive replay", MEGABYTES, Summary.of(recovery),
                    Summary.of(raw).median(), note),
                TargetLine.figure("raw Archive replay, empty handler", MEGABYTES, Summary.of(raw)),
                TargetLine.figure("ratio of each round", "", ratios(recovery, raw)),
                TargetLine.figure("written, gradients made meanwhile", MEGABYTES, Summary.of(written)));
        }
    }

    static Summary ratios(final double[] recovery, final double[] raw)
    {
        final double[] ratios = new double[recovery.length];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = recovery[i] / raw[i];
        }

        return Summary.of(ratios);
    }

    private static double megabytesPerSecond(final long bytes, final long durationNs)
    {
        return bytes * BYTES_PER_NS_TO_MB / durationNs;
    }
}
