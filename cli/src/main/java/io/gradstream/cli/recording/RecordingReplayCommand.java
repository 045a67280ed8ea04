// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.PluginOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.recording.PartitionExport;
import io.gradstream.server.recording.PartitionRebuild;
import io.gradstream.server.recording.RebuiltTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Rebuilds the state of a partition at a position and exports it. */
@Command(name = "replay",
    description = "Rebuild the state of a partition at any position since the oldest kept snapshot, and export it.")
final class RecordingReplayCommand implements Callable<Integer>
{
    private static final String END = "end";

    @Spec
    private CommandSpec spec;

    @Mixin
    private RecordingOptions options;

    @Mixin
    private PluginOptions plugins;

    @Option(names = "--partition", paramLabel = "N", required = true, description = "The partition to rebuild.")
    private int partition;

    @Option(names = "--job", paramLabel = "N", description = "Job of the partition. Default: the only one there is.")
    private Integer jobId;

    @Option(names = "--to", paramLabel = "POSITION|end", defaultValue = END,
        description = "Position of the log: the state after the last record that ends there or before. Default:" +
            " ${DEFAULT-VALUE}.")
    private String to;

    @Option(names = "--out", paramLabel = "FILE", description = "New file for the rows. Default: none.")
    private Path out;

    @Option(names = "--format", paramLabel = "csv|binary", defaultValue = "csv",
        description = "Form of the file: text, or everything to the bit (docs/RECORDING.md). Default:" +
            " ${DEFAULT-VALUE}.")
    private String format;

    @Option(names = "--table", paramLabel = "NAME", description = "Export this table only. Default: all.")
    private String table;

    @Override
    public Integer call() throws IOException
    {
        CommonOptions.checkWord("format", format, "csv", "binary");
        final long position = position(to);
        UsageException.refuseIf(null != out && Files.exists(out), "--out " + out + " exists: name a new file");

        return options.read((directory) -> replay(directory, position));
    }

    /** A position as the user writes it. */
    static long position(final String text)
    {
        if (END.equals(text))
        {
            return PartitionRebuild.END;
        }
        if (!text.matches("\\d{1,18}"))
        {
            throw new UsageException("invalid --to=" + text + ": must be a position of the log or " + END);
        }

        return Long.parseLong(text);
    }

    private int replay(final RecordingDirectory directory, final long position) throws IOException
    {
        final int job = RecordingChoice.job(directory, jobId);
        UsageException.refuseIf(!directory.partitions(job).contains(partition),
            "no --partition=" + partition + " of job " + job + ": there are " +
                directory.partitions(job));
        try (PartitionRebuild rebuild = PartitionRebuild.run(
            directory, job, partition, position, plugins.functions()))
        {
            print(rebuild);
            if (null != out)
            {
                write(rebuild);
            }
        }
        catch (final OutOfMemoryError ex)
        {
            throw new IllegalStateException("the partition does not fit into memory (" + ex.getMessage() +
                "): set GRADSTREAM_JAVA_OPTS=-Xmx2g or more", ex);
        }

        return 0;
    }

    private void print(final PartitionRebuild rebuild)
    {
        final PrintWriter printer = spec.commandLine().getOut();
        rebuild.remarks().forEach((remark) -> spec.commandLine().getErr().println(remark));
        spec.commandLine().getErr().flush();
        line("partition", partition + " of job " + rebuild.jobId());
        line("position", rebuild.cursor().position() + ", record " + rebuild.cursor().index() + ", epoch " +
            rebuild.cursor().epoch());
        line("from", PartitionRebuild.NO_SNAPSHOT == rebuild.snapshotId() ?
            "the beginning of the log" : "the snapshot in recording " + rebuild.snapshotId());
        line("state hash", RecordingText.hash(rebuild.partition().stateHash()));
        for (final RebuiltTable rebuilt : rebuild.tables())
        {
            line("table", rebuilt.spec().name() + ", " + rebuilt.store().size() + " rows");
        }
        printer.flush();
    }

    private void write(final PartitionRebuild rebuild) throws IOException
    {
        final List<RebuiltTable> chosen = rebuild.tables().stream()
            .filter((rebuilt) -> null == table || rebuilt.spec().name().equals(table)).toList();
        UsageException.refuseIf(chosen.isEmpty(),
            "no --table=" + table + ": there are " +
                rebuild.tables().stream().map((rebuilt) -> rebuilt.spec().name()).toList());
        try
        {
            final long rows = new PartitionExport(rebuild, chosen)
                .write(out, PartitionExport.Format.valueOf(format.toUpperCase(Locale.ROOT)));
            line("exported", rows + " rows to " + out + " (" + format + ", " + Files.size(out) + " bytes)");
            spec.commandLine().getOut().flush();
        }
        catch (final FileAlreadyExistsException ex)
        {
            throw new UsageException("--out " + out + " exists: name a new file");
        }
    }

    private void line(final String name, final String text)
    {
        spec.commandLine().getOut().printf(Locale.ROOT, "%-11s %s%n", name, text);
    }
}
