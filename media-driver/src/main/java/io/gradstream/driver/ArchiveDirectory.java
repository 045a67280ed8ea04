// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.archive.client.AeronArchive;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.client.OpenFiles;
import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.driver.files.WithdrawnRecordings;
import org.agrona.IoUtil;
import org.agrona.collections.MutableBoolean;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static io.gradstream.driver.client.HostDriverException.Reason.ARCHIVE_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;

/**
 * An Archive's directory, held by one process at a time, which remembers whether its last Archive was closed in order.
 * <p>
 * The lock is the kernel's, so it goes with its process whichever way that ends: its holder knows that the
 * process before is dead.
 */
final class ArchiveDirectory implements AutoCloseable
{
    static final String LOCK_FILE = "gradstream.lock";
    static final String CLEAN_STOP_FILE = "clean-stop";
    /** Of the mark file of an Archive whose driver is another process's; else it is where the driver's files are. */
    static final String MARK_DIRECTORY = "mark";

    private static final String SEGMENT_SUFFIX = ".rec";

    // POSIX drops all locks of a process on a file when it closes any descriptor of that file, so a second start in
    // this process must be refused before it opens the lock file.
    private static final Set<Path> HELD_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel lockChannel;

    private ArchiveDirectory(final Path directory, final FileChannel lockChannel)
    {
        this.directory = directory;
        this.lockChannel = lockChannel;
    }

    /**
     * Create the directory where it is missing, and take its lock.
     *
     * @throws HostDriverException if another process holds it, or it cannot be used.
     */
    static ArchiveDirectory hold(final Path directory)
    {
        try
        {
            Files.createDirectories(directory);
            final Path realDirectory = directory.toRealPath();
            if (!HELD_BY_THIS_PROCESS.add(realDirectory))
            {
                throw inUse(realDirectory, Long.toString(ProcessHandle.current().pid()));
            }

            return lock(realDirectory);
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(
                DIRECTORY_UNUSABLE, "cannot use archiveDirectory=" + directory + ": " + ex +
                "; " + OpenFiles.remedy(ex, "choose another --dir"), ex);
        }
    }

    private static ArchiveDirectory lock(final Path directory) throws IOException
    {
        FileChannel channel = null;
        boolean isHeld = false;
        try
        {
            channel = FileChannel.open(directory.resolve(LOCK_FILE),
                StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            final FileLock lock = channel.tryLock();
            if (null == lock)
            {
                throw inUse(directory, Files.readString(directory.resolve(LOCK_FILE)).trim());
            }

            final byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0).write(ByteBuffer.wrap(pid), 0);
            isHeld = true;

            return new ArchiveDirectory(directory, channel);
        }
        finally
        {
            if (!isHeld)
            {
                if (null != channel)
                {
                    channel.close();
                }
                HELD_BY_THIS_PROCESS.remove(directory);
            }
        }
    }

    private static HostDriverException inUse(final Path directory, final String pid)
    {
        return new HostDriverException(ARCHIVE_IN_USE, "another process (pid " + (pid.isEmpty() ? "unknown" : pid) +
            ") uses archiveDirectory=" + directory + "; stop it or choose another --dir");
    }

    Path path()
    {
        return directory;
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

    /**
     * Let the next process have the directory. The lock file stays: were it deleted, two processes could each lock a
     * file of that name.
     */
    public void close()
    {
        try
        {
            lockChannel.close();
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "cannot release " + directory, ex);
        }
        finally
        {
            HELD_BY_THIS_PROCESS.remove(directory);
        }
    }
}
