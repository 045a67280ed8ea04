// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.ModelDescription;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.ArchiveReadLock;
import io.gradstream.driver.DirectoryOwner;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.recording.JobRebuild;
import io.gradstream.server.recording.PartitionRebuild;
import io.gradstream.server.recording.RebuiltTable;
import io.gradstream.model.ModelFileWriter;
import io.gradstream.model.ModelOrigin;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ObjLongConsumer;

/** Writes the model in the directories of stopped servers to a file. */
public final class DirectoryModel
{
    /** Takes any model. */
    public static final ObjLongConsumer<List<TableSpec>> ANY = (tables, clock) ->
    {
    };

    private DirectoryModel()
    {
    }

    /**
     * Write the model of a job.
     *
     * @param servers    directories, read while no server can start in them.
     * @param jobId      of the job, or null for the only one there is.
     * @param isOneClock true if the model is to be of one iteration.
     * @param functions  that the job's tables may have.
     * @param check      may refuse the model by its tables and iterations; nothing is written then.
     * @return the origin of the model.
     * @throws IllegalArgumentException if a table has a function that is not among them.
     */
    public static ModelOrigin write(
        final List<Path> servers,
        final Integer jobId,
        final boolean isOneClock,
        final UpdateFunctions functions,
        final Path file,
        final ObjLongConsumer<List<TableSpec>> check) throws IOException
    {
        requireDifferent(servers);
        final List<ArchiveReadLock> locks = new ArrayList<>();
        try
        {
            final List<RecordingDirectory> directories = new ArrayList<>();
            for (final Path server : servers)
            {
                final Path archive = RecordingDirectory.find(server);
                UsageException.refuseIf(null == archive,
                    "--dir " + server + " holds no recordings: name servers' directories, in" +
                        " which archive/archive.catalog is");
                locks.add(ArchiveReadLock.hold(archive));
                directories.add(RecordingDirectory.open(archive));
            }
            final int job = job(directories, jobId);
            try (JobRebuild rebuild =
                JobRebuild.run(directories, job, partitionCount(directories, job), isOneClock, functions))
            {
                check.accept(tables(rebuild), rebuild.clock());
                final ModelOrigin origin = new ModelOrigin(
                    job, rebuild.clock(), rebuild.partitions().size(), servers.size(), System.currentTimeMillis());
                final String description = description(servers);
                try (ModelFileWriter writer = ModelFileWriter.create(file, true))
                {
                    rebuild.remarks().forEach((remark) -> System.err.println("gradstream model: " + remark));
                    writer.metadata(description);
                    write(rebuild, writer);
                    writer.finish(origin);
                }
                return origin;
            }
        }
        finally
        {
            CloseHelper.closeAll(locks);
        }
    }

    /** Refuses a directory that is named twice: the second time, a running node would seem to write to it. */
    private static void requireDifferent(final List<Path> servers) throws IOException
    {
        final Set<Path> known = new TreeSet<>();
        for (final Path server : servers)
        {
            if (!known.add(Files.exists(server) ? server.toRealPath() : server.toAbsolutePath().normalize()))
            {
                throw new UsageException(server + " is named twice: name the directory of each server once");
            }
        }
    }

    /** Partitions of the job as its servers recorded them, so that a part of the job does not pass for all of it. */
    private static int partitionCount(final List<RecordingDirectory> directories, final int job)
    {
        final Set<String> counts = new TreeSet<>();
        for (final RecordingDirectory directory : directories)
        {
            final Path server = directory.path().toAbsolutePath().normalize().getParent();
            final String count = DirectoryOwner.of(server).claimed(DirectoryOwner.partitionsOf(job));
            if (null == count)
            {
                System.err.println("gradstream model: " + server.resolve(DirectoryOwner.FILE) + " does not say how" +
                    " many partitions the job has: if this is a copy, copy that file, too, or a part of the model may" +
                    " pass for the whole one");
            }
            else
            {
                counts.add(count);
            }
        }
        UsageException.refuseIf(counts.size() > 1,
            "--dir: these are directories of different jobs: their servers know jobs of " +
                String.join(" and of ", counts) + " partitions");

        return counts.isEmpty() ? JobRebuild.UNKNOWN_COUNT : Integer.parseInt(counts.iterator().next());
    }

    private static List<TableSpec> tables(final JobRebuild rebuild)
    {
        return rebuild.partitions().stream().flatMap((partition) -> partition.tables().stream())
            .map(RebuiltTable::spec).filter((spec) -> !spec.isSystem()).distinct().toList();
    }

    /**
     * The description that train keeps next to the directories of its servers; empty if the directories are not of one
     * run, or the description cannot be read.
     */
    private static String description(final List<Path> servers) throws IOException
    {
        final Path run = servers.get(0).toAbsolutePath().normalize().getParent();
        if (servers.stream().allMatch((server) -> server.toAbsolutePath().normalize().getParent().equals(run)))
        {
            try
            {
                final ModelDescription description = ModelDescription.ofRun(run);
                return null == description ? "" : description.json();
            }
            catch (final UsageException ex)
            {
                System.err.println("gradstream model: the file will not say what the features are: " + ex.getMessage());
            }
        }
        return "";
    }

    private static int job(final List<RecordingDirectory> directories, final Integer named)
    {
        final Set<Integer> jobs = new TreeSet<>();
        directories.forEach((directory) -> jobs.addAll(directory.jobIds()));
        if (null == named && 1 == jobs.size())
        {
            return jobs.iterator().next();
        }
        UsageException.refuseIf(null == named || !jobs.contains(named),
            (null == named ? "no --job named" : "no job " + named) + ": there are " + jobs);

        return named;
    }

    private static void write(final JobRebuild rebuild, final ModelFileWriter writer)
    {
        final Set<Integer> known = new HashSet<>();
        final UnsafeBuffer row = new UnsafeBuffer(0, 0);
        for (final PartitionRebuild partition : rebuild.partitions())
        {
            for (final RebuiltTable table : partition.tables())
            {
                final TableSpec spec = table.spec();
                if (!spec.isSystem() && known.add(spec.tableId()))
                {
                    writer.onTable(spec, table.rowLength() - RebuiltTable.VERSION_LENGTH - spec.valuesLength());
                }
                for (int i = 0; !spec.isSystem() && i < table.store().size(); i++)
                {
                    table.store().wrap(i, row);
                    writer.onRow(spec.tableId(), table.store().key(i), row, RebuiltTable.VERSION_LENGTH);
                }
            }
        }
    }
}
