// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.DirectoryLock;
import io.gradstream.driver.client.HostDriverException;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import static io.gradstream.driver.client.HostDriverException.Reason.ARCHIVE_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;

/**
 * Keeps an Archive from starting in a directory while its files are read. Any number of readers share it; it writes
 * nothing, so a directory that cannot be written will do, and a copy has nobody to keep out.
 */
public final class ArchiveReadLock implements AutoCloseable
{
    private final FileChannel channel;

    private ArchiveReadLock(final FileChannel channel)
    {
        this.channel = channel;
    }

    /**
     * Hold a directory for reading.
     *
     * @param archiveDirectory of an Archive, or a copy of one.
     * @return the lock, to be closed.
     * @throws HostDriverException if an Archive runs there, or the directory cannot be read.
     */
    public static ArchiveReadLock hold(final Path archiveDirectory)
    {
        final Path file = archiveDirectory.resolve(DirectoryLock.FILE);
        if (!Files.exists(file))
        {
            return new ArchiveReadLock(null);
        }

        FileChannel channel = null;
        boolean isHeld = false;
        try
        {
            channel = FileChannel.open(file, StandardOpenOption.READ);
            final FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
            if (null == lock)
            {
                throw inUse(archiveDirectory, DirectoryLock.pidIn(Files.readString(file, StandardCharsets.US_ASCII)));
            }
            isHeld = true;

            return new ArchiveReadLock(channel);
        }
        catch (final OverlappingFileLockException ex)
        {
            throw inUse(archiveDirectory, Long.toString(ProcessHandle.current().pid()));
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "cannot read " + file + ": " + ex, ex);
        }
        finally
        {
            if (!isHeld && null != channel)
            {
                close(channel);
            }
        }
    }

    @Override
    public void close()
    {
        if (null != channel)
        {
            close(channel);
        }
    }

    private static HostDriverException inUse(final Path archiveDirectory, final String pid)
    {
        return new HostDriverException(ARCHIVE_IN_USE, "a running node (pid " + (pid.isEmpty() ? "unknown" : pid) +
            ") writes to " + archiveDirectory + "; stop it, or copy the directory and read the copy");
    }

    private static void close(final FileChannel channel)
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(DIRECTORY_UNUSABLE, "cannot release the archive directory", ex);
        }
    }
}
