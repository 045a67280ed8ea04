// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

import io.gradstream.cli.console.ConsoleCommand;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.usage.RenamedOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.cli.options.ValueConverters;
import io.gradstream.cli.recording.RecordingCommand;
import io.gradstream.cli.ring.RingCommand;
import io.gradstream.cli.server.CoordinatorCommand;
import io.gradstream.cli.predict.PredictCommand;
import io.gradstream.cli.server.MediaDriverCommand;
import io.gradstream.cli.server.ServerCommand;
import io.gradstream.cli.status.ErrorsCommand;
import io.gradstream.cli.model.ModelDescribeCommand;
import io.gradstream.cli.model.ModelExportCommand;
import io.gradstream.cli.model.ModelImportCommand;
import io.gradstream.cli.model.SnapshotCommand;
import io.gradstream.cli.status.DrainCommand;
import io.gradstream.cli.status.JobCreateCommand;
import io.gradstream.cli.status.JobDeleteCommand;
import io.gradstream.cli.status.JobListCommand;
import io.gradstream.cli.status.JobSetCommand;
import io.gradstream.cli.status.StatusCommand;
import io.gradstream.cli.train.TrainCommand;
import io.gradstream.cli.usage.CommandGroup;
import io.gradstream.cli.usage.HelpText;
import io.gradstream.cli.worker.WorkerCommand;
import io.gradstream.training.MalformedDataException;
import io.gradstream.model.ModelFileException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The one command, with a subcommand for each part of the system.
 * <p>
 * Exit codes: 0 done, 1 failed, 2 bad usage or bad input, 3 no room in a file system. Failures are one line on stderr;
 * the stack trace is added when the system property {@code gradstream.stacktrace} is true.
 */
@Command(
    name = "gradstream",
    description = "A fault-tolerant parameter server.",
    mixinStandardHelpOptions = true,
    version = "Gradstream 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Each option is also a property gradstream.<option>: a system property, or in the file of --config."},
    subcommands = {TrainCommand.class, CoordinatorCommand.class, MediaDriverCommand.class, ServerCommand.class,
        WorkerCommand.class, PredictCommand.class, StatusCommand.class, ConsoleCommand.class, DrainCommand.class,
        Gradstream.Job.class, Gradstream.Model.class, SnapshotCommand.class, ErrorsCommand.class,
        RecordingCommand.class, RingCommand.class, PerfCommand.class, ClassDataCommand.class, HelpCommand.class})
public final class Gradstream extends CommandGroup
{
    static final String STACK_TRACE_PROPERTY = "gradstream.stacktrace";

    /**
     * Run a command and exit with its code.
     *
     * @param args subcommand and options.
     */
    public static void main(final String[] args)
    {
        final FatalErrors errors = FatalErrors.install();
        try
        {
            System.exit(execute(args));
        }
        catch (final Error ex)
        {
            errors.end(Thread.currentThread(), ex);
        }
    }

    /**
     * Run a command.
     *
     * @param args subcommand and options.
     * @return the exit code.
     */
    public static int execute(final String... args)
    {
        return execute(commandLine(), args);
    }

    /**
     * Run a command.
     *
     * @param commandLine that says where output goes.
     * @param args        subcommand and options.
     * @return the exit code.
     */
    public static int execute(final CommandLine commandLine, final String... args)
    {
        final Consumer<String> warn = (text) -> commandLine.getErr().println("gradstream: warning: " + text);
        final List<String> renamed = RenamedOptions.apply(
            List.of(HelpText.plain(args)), commandOf(commandLine, args).getCommandSpec(), warn);
        final String[] arguments = renamed.toArray(String[]::new);
        HelpText.install(commandLine, List.of(args).contains(HelpText.ALL));
        try
        {
            commandLine.setDefaultValueProvider(
                PropertyDefaults.of(arguments, commandLine, System.getProperties(), warn));
        }
        catch (final UsageException ex)
        {
            return report(commandLine, ex, Failures.EXIT_USAGE);
        }
        finally
        {
            commandLine.getErr().flush();
        }

        return commandLine.execute(arguments);
    }

    /** The command that arguments name, or the one above it if they name none. */
    private static CommandLine commandOf(final CommandLine above, final String[] args)
    {
        CommandLine command = above;
        for (int i = 0; i < args.length && command.getSubcommands().containsKey(args[i]); i++)
        {
            command = command.getSubcommands().get(args[i]);
        }

        return command;
    }

    /**
     * The command with its subcommands.
     *
     * @return what reads the arguments of one.
     */
    public static CommandLine commandLine()
    {
        final CommandLine commandLine = new CommandLine(new Gradstream());
        addCommonOptions(commandLine.getCommandSpec());
        return ValueConverters.register(commandLine)
            .registerConverter(Path.class, Gradstream::path)
            .setParameterExceptionHandler(Gradstream::onParameterException)
            .setExecutionExceptionHandler(Gradstream::onExecutionException);
    }

    /** The command whose subcommands show and change the jobs of a running cluster. */
    @Command(name = "job", description = "Create, list, change and delete the jobs of a running cluster.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {JobCreateCommand.class, JobListCommand.class, JobSetCommand.class, JobDeleteCommand.class})
    static final class Job extends CommandGroup
    {
    }

    /** The command whose subcommands export, import and describe models. */
    @Command(name = "model", synopsisSubcommandLabel = "COMMAND",
        description = "Take a model out of a cluster or its directories, look at one, and put one into a cluster.",
        subcommands = {ModelExportCommand.class, ModelImportCommand.class, ModelDescribeCommand.class})
    static final class Model extends CommandGroup
    {
    }

    /** Adds the options that all subcommands have. */
    private static void addCommonOptions(final CommandSpec command)
    {
        command.subcommands().values().stream().map(CommandLine::getCommandSpec).forEach((subcommand) ->
        {
            if (subcommand.unmatchedArgsBindings().isEmpty() && null == subcommand.findOption("--help"))
            {
                subcommand.addOption(OptionSpec.builder("-h", "--help").arity("0").type(boolean.class).usageHelp(true)
                    .description("Say what this command does.").build());
                subcommand.addOption(OptionSpec.builder(PropertyDefaults.CONFIG_OPTION).type(Path.class)
                    .paramLabel("FILE")
                    .description("A .properties file with gradstream.<option>=value lines. Flags stand above it.")
                    .build());
            }
            addCommonOptions(subcommand);
        });
    }

    private static Path path(final String name)
    {
        try
        {
            return Failures.path(name);
        }
        catch (final UsageException ex)
        {
            throw new TypeConversionException(ex.getMessage());
        }
    }

    private static int onParameterException(final ParameterException ex, final String[] args)
    {
        return report(ex.getCommandLine(), withHint(ex, args), Failures.EXIT_USAGE);
    }

    private static Exception withHint(final ParameterException ex, final String[] args)
    {
        final String other = OtherNames.explain(args, ex.getCommandLine().getCommandSpec());
        if (null != other)
        {
            return new UsageException(ex.getMessage() + ": " + other);
        }
        if (ex instanceof UnmatchedArgumentException unmatched && !unmatched.getSuggestions().isEmpty())
        {
            return new UsageException(ex.getMessage() + ": did you mean " +
                String.join(" or ", likeliest(unmatched)) + "?");
        }

        if (ex instanceof UnmatchedArgumentException unmatched && isFile(unmatched.getUnmatched().get(0)))
        {
            return new UsageException(ex.getMessage() + ": several files are separated by commas; a pattern stands in" +
                " quotes: --data 'part-*.svm'");
        }

        return withSource(ex, ex.getCommandLine(), ex.getArgSpec(), args);
    }

    /** True if an argument names a file, as when the shell has put several in the place of a pattern. */
    private static boolean isFile(final String argument)
    {
        return !argument.startsWith("-") && new File(argument).exists();
    }

    /**
     * The likeliest suggestions. People seldom mistype the first letter, so suggestions that begin with it come first.
     */
    private static List<String> likeliest(final UnmatchedArgumentException ex)
    {
        final String typed = ex.getUnmatched().get(0);
        final List<String> sameStart = ex.getSuggestions().stream()
            .filter((suggestion) -> !typed.isEmpty() && suggestion.charAt(0) == typed.charAt(0))
            .toList();

        return sameStart.isEmpty() ? ex.getSuggestions() : sameStart;
    }

    /** Adds the file that holds a value: the user finds a value that was not typed only by the name of its file. */
    private static Exception withSource(
        final Exception ex, final CommandLine commandLine, final ArgSpec argument, final String[] args)
    {
        final IDefaultValueProvider defaults = commandLine.getCommandSpec().defaultValueProvider();
        final String source = defaults instanceof PropertyDefaults properties && null != argument ?
            properties.sourceOf(argument, args) : null;

        return null == source ? ex : new UsageException(source + ": " + Failures.oneLine(ex));
    }

    private static int onExecutionException(
        final Exception ex, final CommandLine commandLine, final ParseResult parseResult)
    {
        if (ex instanceof CommandLine.ExecutionException && ex.getCause() instanceof final Error error)
        {
            throw error;
        }
        final boolean isInput = ex instanceof UsageException || ex instanceof MalformedDataException ||
            ex instanceof IllegalArgumentException || ex instanceof ModelFileException;
        final CommandSpec command = commandLine.getCommandSpec();
        final Exception told = !isInput ? ex : withSource(
            ex,
            commandLine,
            OptionWords.refused(OptionWords.of(Failures.oneLine(ex), command), command),
            parseResult.originalArgs().toArray(new String[0]));

        return report(commandLine, told, isInput ? Failures.EXIT_USAGE : Failures.exitCodeOf(ex));
    }

    private static int report(final CommandLine commandLine, final Exception ex, final int exitCode)
    {
        final PrintWriter err = commandLine.getErr();
        final CommandSpec command = commandLine.getCommandSpec();
        err.println(command.qualifiedName() + ": " + OptionWords.of(Failures.oneLine(ex), command) +
            Failures.adviceFor(ex));
        if (Boolean.getBoolean(STACK_TRACE_PROPERTY))
        {
            ex.printStackTrace(err);
        }
        err.flush();

        return exitCode;
    }
}
