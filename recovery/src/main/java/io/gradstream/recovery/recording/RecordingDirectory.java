/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.recovery.recording;

import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingEntry.Kind;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/**
 * The directory of an Archive that does not run, or a copy of one: which recordings there are, and their segment files.
 * Nothing in it is ever written.
 */
public final class RecordingDirectory
{
    private static final String ARCHIVE = "archive";

    private final Path path;
    private final List<RecordingEntry> entries;

    private RecordingDirectory(final Path path, final List<RecordingEntry> entries)
    {
        this.path = path;
        this.entries = entries;
    }

    /**
     * Where the Archive's files are.
     *
     * @param directory of a node, or of its Archive.
     * @return the Archive's directory, or null if neither holds a catalog.
     */
    public static Path find(final Path directory)
    {
        for (final Path candidate : List.of(directory, directory.resolve(ARCHIVE)))
        {
            if (Files.isRegularFile(candidate.resolve(ArchiveCatalog.FILE_NAME)))
            {
                return candidate;
            }
        }

        return null;
    }

    /**
     * Read the catalog of an Archive's directory.
     *
     * @param path that {@link #find} has found.
     * @throws ReplayException      if the catalog is damaged.
     */
    public static RecordingDirectory open(final Path path)
    {
        try
        {
            return new RecordingDirectory(path, CatalogFile.read(path.resolve(ArchiveCatalog.FILE_NAME)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read the catalog of " + path + ": " + ex.getMessage(), ex);
        }
    }

    public Path path()
    {
        return path;
    }

    public List<RecordingEntry> entries()
    {
        return entries;
    }

    /**
     * A recording by its id.
     *
     * @return the entry, or null if there is none.
     */
    public RecordingEntry entry(final long recordingId)
    {
        return entries.stream().filter((entry) -> entry.recordingId() == recordingId).findFirst().orElse(null);
    }

    /**
     * The log of a partition: the newest recording of its stream, as a node would choose it.
     *
     * @return the entry, or null if there is none.
     */
    public RecordingEntry log(final int jobId, final int partition)
    {
        final List<RecordingEntry> logs = entries.stream()
            .filter((entry) -> entry.is(Kind.LOG, jobId, partition) && !entry.isWithdrawn()).toList();

        return logs.isEmpty() ? null : logs.get(logs.size() - 1);
    }

    /**
     * Recordings that hold snapshots of a partition, whole or not.
     *
     * @return entries, oldest first.
     */
    public List<RecordingEntry> snapshots(final int jobId, final int partition)
    {
        return entries.stream().filter((entry) -> entry.is(Kind.SNAPSHOT, jobId, partition)).toList();
    }

    /**
     * Jobs with a log or a snapshot here.
     *
     * @return job ids, ascending.
     */
    public List<Integer> jobIds()
    {
        return entries.stream().filter((entry) -> Kind.OTHER != entry.kind()).map(RecordingEntry::jobId)
            .distinct().sorted().toList();
    }

    /**
     * Partitions of a job with a log or a snapshot here.
     *
     * @return partitions, ascending.
     */
    public List<Integer> partitions(final int jobId)
    {
        return entries.stream().filter((entry) -> Kind.OTHER != entry.kind() && entry.jobId() == jobId)
            .map(RecordingEntry::partition).distinct().sorted().toList();
    }

    /**
     * First positions of the segment files that a recording has.
     *
     * @return positions, ascending.
     */
    public List<Long> segmentBases(final RecordingEntry entry)
    {
        final TreeSet<Long> bases = new TreeSet<>();
        final String prefix = entry.recordingId() + "-";
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, prefix + "*.rec"))
        {
            for (final Path file : files)
            {
                final String name = file.getFileName().toString();
                final String base = name.substring(prefix.length(), name.length() - ".rec".length());
                if (base.matches("\\d{1,18}"))
                {
                    bases.add(Long.parseLong(base));
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot list " + path, ex);
        }

        return List.copyOf(bases);
    }

    /**
     * Read a recording from its start.
     */
    public RecordingReader read(final RecordingEntry entry)
    {
        return read(entry, entry.startPosition());
    }

    /**
     * Read a recording from a position on.
     *
     * @throws ReplayException if the recording does not hold the position.
     */
    public RecordingReader read(final RecordingEntry entry, final long fromPosition)
    {
        if (fromPosition < entry.startPosition() || entry.isStopped() && fromPosition > entry.stopPosition())
        {
            throw new ReplayException("position=" + fromPosition + " is not in recordingId=" + entry.recordingId() +
                ", which holds " + entry.startPosition() + ".." + (entry.isStopped() ? entry.stopPosition() : ""));
        }

        return new RecordingReader(this, entry, fromPosition);
    }
}
