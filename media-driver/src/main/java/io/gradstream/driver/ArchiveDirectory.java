// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.archive.client.AeronArchive;
import io.gradstream.driver.client.DirectoryLock;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.driver.files.WithdrawnRecordings;
import org.agrona.IoUtil;
import org.agrona.collections.MutableBoolean;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An Archive's directory, held by one process at a time, which remembers whether its last Archive was closed in order.
 */
final class ArchiveDirectory implements AutoCloseable
{
    static final String CLEAN_STOP_FILE = "clean-stop";
    /** Of the mark file of an Archive whose driver is another process's; else it is where the driver's files are. */
    static final String MARK_DIRECTORY = "mark";

    private static final String SEGMENT_SUFFIX = ".rec";

    private final DirectoryLock lock;
    private final Path directory;

    private ArchiveDirectory(final DirectoryLock lock)
    {
        this.lock = lock;
        directory = lock.directory();
    }

    /**
     * Create the directory where it is missing, and take its lock.
     *
     * @throws HostDriverException if another process holds it, or it cannot be used.
     */
    static ArchiveDirectory hold(final Path directory)
    {
        return new ArchiveDirectory(DirectoryLock.hold(directory, "archiveDirectory"));
    }

    Path path()
    {
        return directory;
    }

    /** See {@link DirectoryLock#clientName()}. */
    String clientName()
    {
        return lock.clientName();
    }

    /** Recordings that the Archive does not offer because they are damaged. */
    WithdrawnRecordings withdrawn() throws IOException
    {
        final Path catalog = directory.resolve(ArchiveCatalog.FILE_NAME);

        return Files.exists(catalog) ? WithdrawnRecordings.read(catalog) : WithdrawnRecordings.NONE;
    }

    /**
     * True if the recordings must be examined before the next Archive starts: an Archive recorded here and was not
     * closed in order, or has withdrawn recordings, which may have been brought back from a copy. An Archive whose
     * client is gone, as after a standstill, leaves recordings without a stop position also if it is closed in that
     * moment. Removes a catalog without a header, left by a process killed during its very first start.
     */
    boolean hasUncleanRecordings() throws IOException
    {
        final Path catalog = directory.resolve(ArchiveCatalog.FILE_NAME);
        if (!Files.exists(catalog))
        {
            return false;
        }
        if (Files.exists(directory.resolve(CLEAN_STOP_FILE)))
        {
            return !withdrawn().isEmpty() || hasOpenRecordings(catalog);
        }

        if (isBlank(catalog) && !hasSegments())
        {
            Files.delete(catalog);
            return false;
        }

        return true;
    }

    private static boolean hasOpenRecordings(final Path catalog) throws IOException
    {
        final MutableBoolean isFound = new MutableBoolean();
        ArchiveCatalog.read(catalog).forEach((entry) ->
            isFound.set(isFound.get() || AeronArchive.NULL_POSITION == entry.descriptor().stopPosition()));

        return isFound.get();
    }

    private static boolean isBlank(final Path catalog) throws IOException
    {
        final ByteBuffer version = ByteBuffer.allocate(Integer.BYTES);
        try (FileChannel channel = FileChannel.open(catalog, StandardOpenOption.READ))
        {
            channel.read(version, 0);
        }

        return 0 == version.getInt(0);
    }

    private boolean hasSegments() throws IOException
    {
        try (var files = Files.newDirectoryStream(directory, "*" + SEGMENT_SUFFIX))
        {
            return files.iterator().hasNext();
        }
    }

    /** Remove the mark of the Archive before, which is dead: this process holds its directory. */
    void deleteMark()
    {
        IoUtil.delete(directory.resolve(MARK_DIRECTORY).toFile(), false);
    }

    void markRunning() throws IOException
    {
        Files.deleteIfExists(directory.resolve(CLEAN_STOP_FILE));
    }

    void markStopped() throws IOException
    {
        Files.writeString(directory.resolve(CLEAN_STOP_FILE), "");
    }

    /** Let the next process have the directory. */
    @Override
    public void close()
    {
        lock.close();
    }
}
