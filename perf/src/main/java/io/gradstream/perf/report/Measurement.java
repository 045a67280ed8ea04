// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.console.Chart;
import io.gradstream.perf.measure.MachineLoad;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A measurement: one command of perf, whose result is lines of one report. It leaves nothing behind. */
public abstract class Measurement implements Callable<Integer>
{
    @Mixin
    protected final RunOptions settings;

    protected Measurement(final RunOptions settings)
    {
        this.settings = settings;
    }

    /**
     * A measurement with options from a command line.
     *
     * @throws CommandLine.ParameterException if one of them is wrong.
     */
    public static <T extends Measurement> T of(final T measurement, final String... args)
    {
        final Measurement made = measurement;
        commandLine(measurement).parseArgs(args);
        made.checkAll();

        return measurement;
    }

    /** The command of a measurement, with the options that it has. */
    public static CommandLine commandLine(final Measurement measurement)
    {
        final CommandLine commandLine = new CommandLine(measurement);
        measurement.settings.removeUnused();

        return commandLine;
    }

    /**
     * Measure, once.
     *
     * @return a line for each figure.
     * @throws IOException           if a process or file cannot be had.
     * @throws IllegalStateException if something did not come to its end in time.
     */
    public abstract List<TargetLine> measure() throws IOException;

    /**
     * Measure, once, and judge whether the machine was free for it: a line that has no load of its own gets that of
     * the whole time.
     *
     * @return a line for each figure.
     * @throws IOException           if a process or file cannot be had.
     * @throws IllegalStateException if something did not come to its end in time.
     */
    public final List<TargetLine> measureAndJudge() throws IOException
    {
        final MachineLoad.Meter meter = new MachineLoad.Meter();
        final List<TargetLine> lines = measure();
        final MachineLoad load = startsServers() ? meter.read() : meter.read().ofStealAlone();

        return lines.stream().map((line) -> line.machine().isKnown() ? line : line.under(load)).toList();
    }

    /** True if all servers are processes of this measurement, so that all others only disturb it. */
    protected boolean startsServers()
    {
        return true;
    }

    /** Pictures of the measured figures by the names of their files, once there are any. */
    public Map<String, Chart> charts()
    {
        return Map.of();
    }

    /**
     * Check the options, before anything opens.
     *
     * @throws IllegalArgumentException that names the wrong option, its value and what is allowed.
     */
    protected void check()
    {
        settings.checkDirectory();
    }

    /**
     * Check what was measured, after it was reported.
     *
     * @throws IllegalStateException if a part of it failed.
     */
    protected void checkResult()
    {
    }

    @Override
    public final Integer call() throws IOException
    {
        checkAll();
        final ReportFiles files = settings.files();
        final TargetReport report = new TargetReport(name(), settings.settings(), Machine.here(),
            measureAndJudge());
        if (null != files)
        {
            files.write(report, charts());
        }

        final int exitCode = settings.print(report.table(), report::json);
        final String advice = report.advice();
        if (!advice.isEmpty())
        {
            System.err.println("gradstream perf " + name() + ": " + advice);
        }
        checkResult();

        return exitCode;
    }

    private String name()
    {
        return getClass().getAnnotation(CommandLine.Command.class).name();
    }

    private void checkAll()
    {
        settings.checked(() ->
        {
            check();
            return this;
        });
    }
}
