// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.HostDriverException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static io.gradstream.driver.client.HostDriverException.Reason.DIRECTORY_UNUSABLE;
import static io.gradstream.driver.client.HostDriverException.Reason.NO_SPACE;

/**
 * Looks before a start whether the file systems hold what the settings will need: a full one kills the process later
 * with SIGBUS, far from the cause.
 */
final class SpaceCheck
{
    /** Command file, counters, error and loss logs of a driver, rounded up. */
    static final long DRIVER_FIXED_BYTES = 16L * 1024 * 1024;

    /** The bytes of those that a driver takes as soon as it runs. */
    private static final long DRIVER_LEAST_BYTES = 12L * 1024 * 1024;
    private static final int TERMS_PER_LOG = 3;
    private static final long MIB = 1024 * 1024;

    private final SpaceSource source;

    SpaceCheck(final SpaceSource source)
    {
        this.source = source;
    }

    static long aeronBytesNeeded(final int termLength, final int maxLogs)
    {
        return DRIVER_FIXED_BYTES + (long)TERMS_PER_LOG * termLength * maxLogs;
    }

    /** The bytes that a driver takes as soon as so many logs are open. */
    static long leastAeronBytes(final int termLength, final int openLogs)
    {
        return DRIVER_LEAST_BYTES + (long)TERMS_PER_LOG * termLength * openLogs;
    }

    void checkSharedMemory(final Path directory, final int drivers, final long leastBytes)
    {
        final long usableBytes = usableBytes(directory);
        if (usableBytes < leastBytes)
        {
            throw new HostDriverException(NO_SPACE, "not enough room in " + directory + ": needs " +
                mib(leastBytes) + " at least, for " + drivers + " media drivers, has " + mib(usableBytes) +
                "; enlarge the file system (in a container --shm-size), or start fewer processes (--servers," +
                " --coordinators)");
        }
    }

    void checkAeronDirectory(final Path aeronDirectory, final int termLength, final int maxLogs)
    {
        final long neededBytes = aeronBytesNeeded(termLength, maxLogs);
        final long usableBytes = usableBytes(aeronDirectory);
        if (usableBytes < neededBytes)
        {
            throw new HostDriverException(NO_SPACE, "not enough room for aeronDirectory=" + aeronDirectory +
                ": needs " + mib(neededBytes) + " (maxLogs=" + maxLogs + ", termLength=" + termLength + "), has " +
                mib(usableBytes) + "; enlarge the file system (in a container --shm-size), or choose another " +
                "directory (--aeron-dir)");
        }
    }

    void checkArchiveDirectory(final Path archiveDirectory, final long minFreeBytes)
    {
        final long usableBytes = usableBytes(archiveDirectory);
        if (usableBytes < minFreeBytes)
        {
            throw new HostDriverException(NO_SPACE, "not enough room for archiveDirectory=" + archiveDirectory +
                ": needs " + mib(minFreeBytes) + " (minFreeBytes=" + minFreeBytes + "), has " + mib(usableBytes) +
                "; free some, choose another --dir, or lower " + HostDriver.Configuration.MIN_FREE_BYTES_PROP_NAME);
        }
    }

    private long usableBytes(final Path directory)
    {
        final Path existing = nearestExisting(directory);
        try
        {
            return source.usableBytes(existing);
        }
        catch (final IOException ex)
        {
            throw new HostDriverException(
                DIRECTORY_UNUSABLE, "cannot ask for the free space of " + existing + ": " + ex.getMessage(), ex);
        }
    }

    private static Path nearestExisting(final Path directory)
    {
        Path existing = directory.toAbsolutePath();
        while (!Files.exists(existing))
        {
            existing = existing.getParent();
        }

        return existing;
    }

    private static String mib(final long bytes)
    {
        return bytes / MIB + " MiB";
    }
}
