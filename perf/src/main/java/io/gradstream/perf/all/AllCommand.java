// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.all;

import io.gradstream.console.Chart;
import io.gradstream.perf.goal.FreshnessRun;
import io.gradstream.perf.goal.GrowthRun;
import io.gradstream.perf.goal.IdleRun;
import io.gradstream.perf.goal.RecordedRun;
import io.gradstream.perf.goal.RowsRun;
import io.gradstream.perf.goal.SnapshotRun;
import io.gradstream.perf.goal.SoakRun;
import io.gradstream.perf.goal.SparseRun;
import io.gradstream.perf.goal.StartRun;
import io.gradstream.perf.load.LoadRun;
import io.gradstream.perf.report.Machine;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.Peers;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.perf.train.TrainingRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Measures all targets in one run. */
@Command(
    name = "all",
    description = {
        "Measure each target beside what it is compared with, and say which are met. Takes less than 15 minutes on a",
        "machine that does nothing else. A part that fails does not end the others; the exit code is 1 then. Targets",
        "that are not met are a result, not a failure. A figure that was taken while other processes, or the host of a",
        "virtual machine, had more than 5 % of the processors does not count: its target is not measured."})
public final class AllCommand extends Measurement
{
    private static final String WINDOWS = "--windows=5 --window-seconds=0.8";

    @Option(names = "--only", split = ",", paramLabel = "PART[,PART...]",
        description = "Run these parts alone: load, sparse, rows, recorded, freshness, soak, growth, start, snapshot," +
            " idle, train. Default: all.")
    private List<String> only;

    @Option(names = "--peers", paramLabel = "FILE",
        description = "Compare with the other systems in this file, which benchmarks/ wrote on this machine: its" +
            " last line is the JSON object. Default: no peer is compared.")
    private Path peersFile;

    private Peers peers = new Peers();
    private List<Part> parts = List.of();
    private AllRun run;

    public AllCommand()
    {
        super(new RunOptions(0, RunOptions.NONE, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        super.check();
        parts = AllRun.chosen(only, parts());
        if (null != peersFile)
        {
            peers = Peers.read(peersFile, Machine.here(), settings.profileName());
        }
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        run = new AllRun(parts, peers, System.err);
        return run.run();
    }

    @Override
    public Map<String, Chart> charts()
    {
        return run.charts();
    }

    @Override
    protected void checkResult()
    {
        if (run.failures() > 0)
        {
            throw new IllegalStateException(
                run.failures() + " of " + parts.size() + " parts failed: the notes of the report say why");
        }
    }

    /** In the order in which they run. */
    private List<Part> parts()
    {
        return List.of(
            part("load", "pushes and pulls beside raw Aeron", List.of("T1", "T2", "T3", "T4", "T7", "T14"),
                LoadRun::new,
                "--sizes=4k --replicas=2 --measures=rawEcho,rawStream,pushApplied,pushDepth8,pull,pullDepth8," +
                    "rawEchoBesideChain,chainReplicated " + WINDOWS,
                "--sizes=64k --replicas=2 --measures=rawStream,pushDepth8,pullDepth8,pushDepth8BesideChain," +
                    "chainDepth8 " + WINDOWS,
                "--sizes=1m --measures=rawStream,pushDepth8,pullDepth8 " + WINDOWS,
                "--sizes=4k --drivers=shared --measures=rawEcho,pushApplied " + WINDOWS),
            part("sparse", "updates of single floats", List.of("T5"), SparseRun::new, WINDOWS),
            part("rows", "rows off heap beside arrays", List.of("T6"), RowsRun::new, WINDOWS),
            part("recorded", "recorded pushes beside a raw recording", List.of("T8"), RecordedRun::new, WINDOWS),
            part("freshness", "a push until another worker sees it", List.of("T9"), FreshnessRun::new, WINDOWS),
            part("soak", "memory, and what pushes and pulls allocate", List.of("T10"), SoakRun::new,
                "--minutes=1 " + WINDOWS),
            part("growth", "more workers, partitions, tables and rows", List.of("T11"), GrowthRun::new, WINDOWS),
            part("start", "train until its first push", List.of("T12"), StartRun::new, "--windows=3"),
            part("snapshot", "pushes beside snapshots", List.of("T13"), SnapshotRun::new, WINDOWS),
            part("idle", "idle processes", List.of("T16"), IdleRun::new, WINDOWS),
            part("train", "training beside one plain thread", List.of("T15"), TrainingRun::new,
                "--setups=plainThread,oneShared,twoShared --windows=3 --window-seconds=5 --warmup-seconds=8",
                // shorter: the worker is in this process, so that compilers start over in the server alone
                "--setups=factorsPlainThread,factorsOneShared --windows=3 --window-seconds=3 --warmup-seconds=3"));
    }

    private Part part(
        final String name,
        final String title,
        final List<String> targets,
        final Supplier<Measurement> measurement,
        final String... options)
    {
        return Part.of(name, title, targets, measurement,
            List.of("--profile=" + settings.profileName(), "--dir=" + settings.directory()), options);
    }
}
