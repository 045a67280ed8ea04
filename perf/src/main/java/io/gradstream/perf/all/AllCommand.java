// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.all;

import io.gradstream.perf.goal.GoalParts;
import io.gradstream.perf.load.LoadPart;
import io.gradstream.perf.measure.RunOptions;
import io.gradstream.perf.report.Machine;
import io.gradstream.perf.report.Part;
import io.gradstream.perf.report.Peers;
import io.gradstream.perf.report.ReportFiles;
import io.gradstream.perf.report.TargetReport;
import io.gradstream.perf.train.TrainingPart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Measures all targets, and says which are met.
 */
@Command(
    name = "all",
    description = {
        "Measure each target beside what it is compared with, and say which are met. Takes less than 15 minutes on a",
        "machine that does nothing else. A part that fails does not end the others; the exit code is 1 then. Targets",
        "that are not met are a result, not a failure."})
public final class AllCommand implements Callable<Integer>
{
    @Mixin
    private RunOptions run;

    @Option(names = "--only", split = ",", paramLabel = "PART[,PART...]",
        description = "Run these parts alone: load, sparse, rows, recorded, freshness, soak, growth, start," +
            " snapshot, idle, train. Default: all.")
    private List<String> only;

    @Option(names = "--out", paramLabel = "DIR",
        description = "Write report.json, report.csv, report.md and pictures into this directory, which is made.")
    private Path out;

    @Option(names = "--peers", paramLabel = "FILE",
        description = "Compare with the other systems in this file, which benchmarks/ wrote on this machine: its" +
            " last line is the JSON object. Default: no peer is compared.")
    private Path peersFile;

    @Override
    public Integer call() throws IOException
    {
        final Machine machine = Machine.here();
        final Peers peers = run.checked(() -> null == peersFile ? new Peers() :
            Peers.read(peersFile, machine, run.profile().name().toLowerCase(Locale.ROOT)));
        final List<Part> parts = run.checked(() -> parts(peers));
        final ReportFiles files = null == out ? null : run.checked(() -> new ReportFiles(out));
        final AllRun all = new AllRun(parts, peers, System.err);
        final TargetReport report = new TargetReport(machine, all.run());
        if (null != files)
        {
            files.write(report, all.charts());
        }
        final int exitCode = run.print(report.table(), report::json);
        if (all.failures() > 0)
        {
            throw new IllegalStateException(
                all.failures() + " of " + parts.size() + " parts failed: the notes of the report say why");
        }

        return exitCode;
    }

    /** In the order in which they run. */
    private List<Part> parts(final Peers peers)
    {
        final List<Part> parts = new ArrayList<>();
        parts.add(new LoadPart(run.profile(), run.directory(), peers));
        parts.addAll(GoalParts.of(run.profile(), run.directory()));
        parts.add(new TrainingPart(run.profile()));

        return AllRun.chosen(only, parts);
    }
}
