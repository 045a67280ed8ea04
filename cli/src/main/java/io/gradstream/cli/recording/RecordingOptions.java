// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.gradstream.cli.options.UsageException;
import io.gradstream.driver.ArchiveReadLock;
import io.gradstream.recovery.recording.RecordingDirectory;
import picocli.CommandLine.Option;

/** Options that every recording command has: the directory to read. */
final class RecordingOptions
{
    private static final int MAX_HINTS = 8;

    @Option(names = "--dir", paramLabel = "DIR", required = true,
        description = "A stopped node's directory, its archive directory, or a copy of either. It is only read.")
    Path dir;

    /** The work of a command with the directory. */
    @FunctionalInterface
    interface Reading
    {
        /**
         * Read the directory.
         *
         * @return the exit code.
         */
        int read(RecordingDirectory directory) throws IOException;
    }

    /** Read the directory while no node can start in it. */
    int read(final Reading reading) throws IOException
    {
        final Path archiveDirectory = RecordingDirectory.find(dir);
        if (null == archiveDirectory)
        {
            throw new UsageException("--dir " + dir + " holds no recordings: name a node's directory, in which" +
                " archive/archive.catalog is" + hint());
        }
        final ArchiveReadLock lock = ArchiveReadLock.hold(archiveDirectory);
        try
        {
            return reading.read(RecordingDirectory.open(archiveDirectory));
        }
        finally
        {
            lock.close();
        }
    }

    private String hint()
    {
        if (!Files.isDirectory(dir))
        {
            return "";
        }
        try (Stream<Path> files = Files.list(dir))
        {
            final List<Path> nodes = files.filter((file) -> null != RecordingDirectory.find(file))
                .sorted().limit(MAX_HINTS).toList();
            return nodes.isEmpty() ? "" : ", such as " + nodes.get(0);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot list " + dir, ex);
        }
    }
}
