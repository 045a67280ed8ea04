// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Measures which share of the examples a second training keeps while processes die or stand still. Windows without
 * and with faults take turns on one cluster, so that what the machine does meanwhile meets both.
 */
@Command(
    name = "goodput",
    description = {
        "Train on a cluster of two servers and two workers, undisturbed and under a fault each few seconds, in turns;",
        "say for each mode and kind of fault which share of the examples a second is left, and what a million of them",
        "costs. About 30 minutes."})
public final class GoodputRun extends Measurement
{
    static final int PARTITIONS = 4;
    static final int PROCESSES = 2;
    static final int EXAMPLES = 100_000;
    static final int FEATURES = 16_384;

    private static final double MAX_SECONDS = 600;
    private static final double PERCENT = 100;

    @Option(names = "--modes", defaultValue = "replay,chain", split = ",", paramLabel = "MODE[,MODE...]",
        description = "What servers keep. Default: ${DEFAULT-VALUE}.")
    private List<String> modeLabels;

    @Option(names = "--faults", split = ",", paramLabel = "NAME[,NAME...]",
        description = "These alone: killServer, killWorker, killCoordinator, stopServer, stopWorker, stopCoordinator." +
            " Default: all.")
    private List<String> faultIds;

    @Option(names = "--every", defaultValue = "10", paramLabel = "S",
        description = "Seconds from one fault to the next; a fault waits until all is whole. Default:" +
            " ${DEFAULT-VALUE}.")
    private double everySeconds;

    @Option(names = "--stop-seconds", defaultValue = "3", paramLabel = "S",
        description = "How long a process stands still. Default: ${DEFAULT-VALUE}.")
    private double stopSeconds;

    private List<RecoveryMode> modes;
    private List<GoodputFault> faults = List.of(GoodputFault.values());

    public GoodputRun()
    {
        super(new RunOptions(3, 20, 20));
    }

    @Override
    protected void check()
    {
        super.check();
        Check.that(everySeconds >= 1 && everySeconds <= MAX_SECONDS, "--every", everySeconds, "1..600");
        Check.that(stopSeconds >= 1 && stopSeconds <= MAX_SECONDS, "--stop-seconds", stopSeconds, "1..600");
        modes = modeLabels.stream().map(RecoveryMode::of).toList();
        if (null != faultIds)
        {
            faults = faultIds.stream().map(GoodputFault::parse).toList();
        }
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<TargetLine> lines = new ArrayList<>();
        for (final RecoveryMode mode : modes)
        {
            for (final GoodputFault fault : faults)
            {
                final GoodputLoop loop = new GoodputLoop(
                    settings, mode, fault, (long)(everySeconds * 1e9), (long)(stopSeconds * 1e3));
                loop.run();
                addLines(lines, mode.label() + ", " + fault.title(), loop);
                System.err.printf(Locale.ROOT, "%s: %s, %d faults: %.1f %% kept%n", mode.label(), fault.title(),
                    loop.struck(), lines.get(lines.size() - 3).ours().median());
            }
        }

        return lines;
    }

    private static void addLines(final List<TargetLine> lines, final String what, final GoodputLoop loop)
    {
        final int first = lines.size();
        final double undisturbed = summary(loop.undisturbed(), TrainingRate::examplesPerSecond).median();
        lines.add(TargetLine.figure(what + ", share kept", "%",
            summary(loop.disturbed(), (rate) -> PERCENT * rate.examplesPerSecond() / undisturbed), Double.NaN,
            loop.struck() + " faults"));
        lines.add(TargetLine.figure(what, "ex/s",
            summary(loop.disturbed(), TrainingRate::examplesPerSecond), undisturbed, "")
            .at(TrainingRate.cost(loop.disturbed())));
        lines.add(TargetLine.figure(what + ", CPU for a million", "s",
            summary(loop.disturbed(), TrainingRate::cpuSeconds),
            summary(loop.undisturbed(), TrainingRate::cpuSeconds).median(), ""));
        final MachineLoad machine =
            TrainingRate.machine(loop.disturbed()).worst(TrainingRate.machine(loop.undisturbed()));
        lines.subList(first, lines.size()).replaceAll((line) -> line.under(machine));
    }

    private static Summary summary(final List<TrainingRate> rates, final ToDoubleFunction<TrainingRate> value)
    {
        return Summary.of(rates.stream().mapToDouble(value).toArray());
    }
}
