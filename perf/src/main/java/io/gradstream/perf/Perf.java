// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf;

import io.gradstream.launcher.process.BusyMachine;
import io.gradstream.perf.all.AllCommand;
import io.gradstream.perf.failover.FailoverRun;
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
import io.gradstream.perf.replay.ReplayRun;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.scaling.ScalingRun;
import io.gradstream.perf.train.GoodputRun;
import io.gradstream.perf.train.StalenessRun;
import io.gradstream.perf.train.TrainingRun;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The command of measurements, with a subcommand for each kind.
 * <p>
 * Exit codes: 0 done, 1 failed, 2 bad usage. Both failures are one line on stderr.
 */
@Command(
    name = "gradstream perf",
    description = "Measure Gradstream.",
    mixinStandardHelpOptions = true,
    version = "Gradstream 0.1.0",
    synopsisSubcommandLabel = "COMMAND")
public final class Perf implements Runnable
{
    private static final List<Supplier<Measurement>> MEASUREMENTS = List.of(
        AllCommand::new, LoadRun::new, TrainingRun::new, ReplayRun::new, FailoverRun::new, StalenessRun::new,
        GoodputRun::new, IdleRun::new, StartRun::new, SparseRun::new, FreshnessRun::new, RowsRun::new,
        RecordedRun::new, SnapshotRun::new, SoakRun::new, GrowthRun::new, ScalingRun::new);

    /** Exit code of a measurement that failed. */
    static final int EXIT_FAILED = 1;
    /** Exit code of a command that was not understood. */
    static final int EXIT_USAGE = 2;

    /** Longest time that processes get to stop after Ctrl-C. */
    private static final long STOP_TIMEOUT_MS = 20_000;

    Perf()
    {
    }

    public static void main(final String[] args)
    {
        execute(new Perf(), args);
    }

    /**
     * Execute a command of a process of its own, and end the process with the command's exit code. Ctrl-C interrupts
     * the measurement, which stops what it has started.
     *
     * @param command a picocli command.
     */
    public static void execute(final Object command, final String[] args)
    {
        final Thread main = Thread.currentThread();
        final CountDownLatch done = new CountDownLatch(1);
        // Ctrl-C ends the measurement in its loop; what it started is stopped on its way out.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(main, done), "perf-stop"));
        BusyMachine.tell(System.err, "gradstream perf", "the figures");
        int exitCode = EXIT_FAILED;
        try
        {
            exitCode = commandLine(command).execute(args);
        }
        finally
        {
            done.countDown();
        }
        System.exit(exitCode);
    }

    static CommandLine commandLine(final Object command)
    {
        final CommandLine commandLine = new CommandLine(command);
        if (command instanceof Perf)
        {
            MEASUREMENTS.forEach((made) -> commandLine.addSubcommand(Measurement.commandLine(made.get())));
            commandLine.addSubcommand(new JmhCommand());
        }

        return commandLine
            .setParameterExceptionHandler(Perf::onUsageError)
            .setExecutionExceptionHandler((ex, failed, result) -> onFailure(ex, failed));
    }

    @Override
    public void run()
    {
        CommandLine.usage(this, System.out);
    }

    private static int onUsageError(final ParameterException ex, final String[] args)
    {
        final CommandLine commandLine = ex.getCommandLine();
        commandLine.getErr().println(commandLine.getCommandSpec().qualifiedName() + ": " + ex.getMessage() +
            " (--help lists the options)");
        return EXIT_USAGE;
    }

    private static int onFailure(final Exception ex, final CommandLine commandLine)
    {
        final String message = null == ex.getMessage() ? ex.toString() : ex.getMessage();
        commandLine.getErr().println(commandLine.getCommandSpec().qualifiedName() + ": " + message);
        if (Boolean.getBoolean("gradstream.stacktrace"))
        {
            ex.printStackTrace(commandLine.getErr());
        }
        return EXIT_FAILED;
    }

    private static void interrupt(final Thread main, final CountDownLatch done)
    {
        try
        {
            if (done.getCount() > 0)
            {
                main.interrupt();
                done.await(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            }
        }
        catch (final InterruptedException ignore)
        {
            Thread.currentThread().interrupt();
        }
    }
}
