// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.launcher.process.ChildProcess;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * T12: how long {@code train} takes from the command to its first push, and a killed server until it is ready again.
 */
@Command(name = "start", description = {
    "Measure from the command train to its first push, and a killed server's start. --windows says how often.",
    "About 50 s."})
public final class StartRun extends Measurement
{
    private static final String ID = "T12";
    private static final double MAX_TRAIN_S = 5;
    private static final double MAX_READY_S = 1;
    private static final long TRAIN_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(2);
    private static final long BUILD_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(15);
    private static final long READY_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(2);
    /** With which the first line of progress begins: it is printed once every worker has pushed a batch. */
    private static final String PROGRESS = "[";
    /** With which the line of the version begins. */
    private static final String NAME = "Gradstream ";
    private static final String SHELL = "/bin/sh";
    /** Progress goes where errors go. The process stays the same one. */
    private static final String ERRORS_TOO = "exec \"$0\" \"$@\" 2>&1";
    private static final double NS_PER_SECOND = 1e9;

    private Path launcher;

    public StartRun()
    {
        super(new RunOptions(5, RunOptions.NONE, RunOptions.NONE));
    }

    /** Windows are starts. */
    @Override
    protected void check()
    {
        super.check();
        final String home = System.getProperty("gradstream.home");
        launcher = null == home ? null : Path.of(home, "gradstream");
        if (null == launcher || !Files.isExecutable(launcher))
        {
            throw new IllegalArgumentException(
                "gradstream.home=" + home + " has no launcher: start this as ./gradstream perf start");
        }
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        awaitBuild();
        final double[] trainS = new double[settings.windows()];
        for (int i = 0; i < trainS.length; i++)
        {
            trainS[i] = train();
            System.err.printf(Locale.ROOT, "[%d/%d] train: %.2f s%n", i + 1, trainS.length, trainS[i]);
        }
        return List.of(
            line("train with its defaults, from command to first push", trainS, MAX_TRAIN_S),
            line("server ready after kill -9, nothing to replay", restarts(), MAX_READY_S));
    }

    private static TargetLine line(final String measure, final double[] seconds, final double most)
    {
        return TargetLine.target(
            ID, measure, "s", Summary.of(seconds), Double.NaN, Bound.atMost(most), "");
    }

    /** So that no start has to build, or to make the archive of class data. */
    private void awaitBuild() throws IOException
    {
        try (ChildProcess build =
            ChildProcess.start("build", List.of(SHELL, "-c", ERRORS_TOO, launcher.toString(), "--version")))
        {
            if (!build.awaitLine(NAME, BUILD_TIMEOUT_MS))
            {
                InterruptedRunException.check();
                throw new IllegalStateException("the build has failed: run ./gradstream --version to see why");
            }
            build.expectEnd();
        }
    }

    private double train() throws IOException
    {
        final long beginNs = System.nanoTime();
        try (ChildProcess train = ChildProcess.start("train", List.of(
            SHELL, "-c", ERRORS_TOO, launcher.toString(), "train", "--profile=" + settings.profileName())))
        {
            final boolean hasPushed = train.awaitLine(PROGRESS, TRAIN_TIMEOUT_MS);
            final double seconds = (System.nanoTime() - beginNs) / NS_PER_SECOND;
            // as Ctrl-C does: it ends what it has started and removes its directories
            train.expectEnd();
            ProcessHandle.of(train.pid()).ifPresent(ProcessHandle::destroy);
            InterruptedRunException.check();
            if (!hasPushed)
            {
                throw new IllegalStateException("train has pushed nothing within " +
                    TimeUnit.MILLISECONDS.toSeconds(TRAIN_TIMEOUT_MS) +
                    " s, or ended: run ./gradstream train to see why");
            }

            return seconds;
        }
    }

    private double[] restarts() throws IOException
    {
        final double[] seconds = new double[settings.windows()];
        try (MeasuredCluster cluster = MeasuredCluster.start(settings, MeasuredCluster.plan(settings, 1, 1)))
        {
            for (int i = 0; i < seconds.length; i++)
            {
                cluster.processes().kill(List.of(0));
                final long beginNs = System.nanoTime();
                cluster.processes().restart(0);
                cluster.await("the killed server", READY_TIMEOUT_NS, () -> cluster.processes().isReady(0));
                seconds[i] = (System.nanoTime() - beginNs) / NS_PER_SECOND;
            }
        }

        return seconds;
    }
}
