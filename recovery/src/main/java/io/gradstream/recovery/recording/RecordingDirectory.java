// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import org.agrona.BitUtil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directory of an Archive that does not run, or a copy of one: which recordings there are, and their segment files.
 * Nothing in it is ever written.
 */
public final class RecordingDirectory
{
    private static final String ARCHIVE = "archive";
    private static final Pattern ALIAS = Pattern.compile("gradstream-(log|snapshot)-(-?\\d{1,10})-(\\d{1,4})");

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
     * @throws ReplayException if the catalog is damaged.
     */
    public static RecordingDirectory open(final Path path)
    {
        try
        {
            return new RecordingDirectory(path, readCatalog(path.resolve(ArchiveCatalog.FILE_NAME)));
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

    /** A recording by its id, or null if there is none. */
    public RecordingEntry entry(final long recordingId)
    {
        return entries.stream().filter((entry) -> entry.recordingId() == recordingId).findFirst().orElse(null);
    }

    /** The log of a partition: the newest recording of its stream, as a node would choose it; null if there is none. */
    public RecordingEntry log(final int jobId, final int partition)
    {
        final List<RecordingEntry> logs = entries.stream()
            .filter((entry) -> entry.is(Kind.LOG, jobId, partition) && !entry.isWithdrawn()).toList();

        return logs.isEmpty() ? null : logs.get(logs.size() - 1);
    }

    /** Recordings that hold snapshots of a partition, whole or not, oldest first. */
    public List<RecordingEntry> snapshots(final int jobId, final int partition)
    {
        return entries.stream().filter((entry) -> entry.is(Kind.SNAPSHOT, jobId, partition)).toList();
    }

    /** Jobs with a log or a snapshot here, ascending. */
    public List<Integer> jobIds()
    {
        return entries.stream().filter((entry) -> Kind.OTHER != entry.kind()).map(RecordingEntry::jobId)
            .distinct().sorted().toList();
    }

    /** Partitions of a job with a log or a snapshot here, ascending. */
    public List<Integer> partitions(final int jobId)
    {
        return entries.stream().filter((entry) -> Kind.OTHER != entry.kind() && entry.jobId() == jobId)
            .map(RecordingEntry::partition).distinct().sorted().toList();
    }

    /** First positions of the segment files that a recording has, ascending. */
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

    /**
     * Read all entries of a catalog, oldest first, and which of them are Gradstream's. The checksums of entries are not
     * looked at: the Archive writes them apart from the entries, so after a kill they may be stale. Whether an entry is
     * right shows when its recording is read.
     *
     * @throws ReplayException if an entry cannot be right.
     */
    private static List<RecordingEntry> readCatalog(final Path file) throws IOException
    {
        final List<RecordingEntry> entries = new ArrayList<>();
        if (Files.size(file) >= CatalogHeaderDecoder.BLOCK_LENGTH)
        {
            final ArchiveCatalog catalog = ArchiveCatalog.read(file);
            catalog.forEach((entry) -> entries.add(readEntry(file, entry)));
            if (null != catalog.damage())
            {
                throw new ReplayException(file + " is damaged: " + catalog.damage());
            }
        }

        return List.copyOf(entries);
    }

    private static RecordingEntry readEntry(final Path file, final ArchiveCatalog catalog)
    {
        final RecordingDescriptorDecoder descriptor = catalog.descriptor();
        try
        {
            final LogGeometry geometry = new LogGeometry(
                descriptor.mtuLength(), descriptor.termBufferLength(), descriptor.initialTermId());
            final RecordingEntry other = new RecordingEntry(
                descriptor.recordingId(), Kind.OTHER, 0, 0, descriptor.startPosition(), descriptor.stopPosition(),
                descriptor.segmentFileLength(), geometry, descriptor.streamId(), !catalog.isValid());
            check(other);

            return named(other, ALIAS.matcher(catalog.alias()));
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException ex)
        {
            throw new ReplayException(file + " is damaged: recordingId=" + descriptor.recordingId() + ": " +
                ex.getMessage(), ex);
        }
    }

    private static void check(final RecordingEntry entry)
    {
        final int termLength = entry.geometry().termLength();
        final boolean isLength = BitUtil.isPowerOfTwo(entry.segmentLength()) && entry.segmentLength() >= termLength;
        final boolean isRange = entry.startPosition() >= 0 &&
            (!entry.isStopped() || entry.stopPosition() >= entry.startPosition());
        if (!isLength || !isRange)
        {
            throw new IllegalArgumentException("segmentLength=" + entry.segmentLength() + " startPosition=" +
                entry.startPosition() + " stopPosition=" + entry.stopPosition());
        }
    }

    private static RecordingEntry named(final RecordingEntry entry, final Matcher alias)
    {
        if (!alias.matches())
        {
            return entry;
        }
        final Kind kind = "log".equals(alias.group(1)) ? Kind.LOG : Kind.SNAPSHOT;
        final int partition = Integer.parseInt(alias.group(3));
        final int streamId = Kind.LOG == kind ?
            LogGeometry.logStreamId(partition) : LogGeometry.snapshotStreamId(partition);
        if (entry.streamId() != streamId)
        {
            return entry;
        }

        return new RecordingEntry(
            entry.recordingId(), kind, Integer.parseInt(alias.group(2)), partition, entry.startPosition(),
            entry.stopPosition(), entry.segmentLength(), entry.geometry(), streamId, entry.isWithdrawn());
    }
}
