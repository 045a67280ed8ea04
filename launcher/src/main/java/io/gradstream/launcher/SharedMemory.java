// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gradstream.driver.HostDriver;
import io.gradstream.driver.SpaceSource;

/**
 * Checks the room in the file system that all media drivers of a local cluster share: for all of them together before
 * they start, and again when a process has ended. Without room, the kernel ends a process in the middle of a write, far
 * from the cause.
 */
final class SharedMemory
{
    /** Exit code of the commands for a file system without room. */
    static final int EXIT_NO_SPACE = 3;
    /** With less than this left a process cannot open a stream of each kind that it needs. */
    static final long LEAST_LEFT_BYTES = 16L * 1024 * 1024;

    // Measured with three coordinators, two servers and two workers: 49 to 66 MiB a coordinator, 24 and 29 a server.
    private static final int LOGS_OF_HOST = 4;
    private static final int LOGS_OF_MEMBER = 12;
    private static final int LOGS_OF_ONE = 6;
    private static final long MIB = 1024 * 1024;

    private final Path directory;
    private final SpaceSource source;

    /**
     * The shared memory in a directory.
     *
     * @param directory that holds the Aeron directories.
     * @param source    tells how much room there is.
     */
    SharedMemory(final Path directory, final SpaceSource source)
    {
        this.directory = directory;
        this.source = source;
    }

    /** The shared memory of this machine. */
    static SharedMemory of(final RunDirectory run)
    {
        return new SharedMemory(run.aeronDirectory(LocalCluster.DRIVER).getParent(),
            (directory) -> Files.getFileStore(directory).getUsableSpace());
    }

    /**
     * Checks that there is room for all drivers of a plan.
     *
     * @throws io.gradstream.driver.client.HostDriverException if there is not; says what to do.
     */
    void requireRoomFor(final ClusterPlan plan)
    {
        final int hosts = (plan.hasWorkersDriver() ? 1 : 0) +
            (ServerDriver.SHARED == plan.serverDriver() ? 0 : plan.endpoints().size());
        final int coordinators = plan.coordinators().size();
        HostDriver.checkSharedMemory(directory, hosts + coordinators,
            hosts * HostDriver.leastSharedMemory(LOGS_OF_HOST) +
            coordinators * HostDriver.leastSharedMemory(1 == coordinators ? LOGS_OF_ONE : LOGS_OF_MEMBER), source);
    }

    /** The end of a process: for lack of room, if there is none now and its exit code names no other reason. */
    ProcessEndedException ended(final String name, final int exitCode, final String lastErrors)
    {
        final long leftBytes = leftBytes();
        if (ProcessEndedException.FAILED != exitCode || leftBytes >= LEAST_LEFT_BYTES)
        {
            return new ProcessEndedException(name, exitCode, lastErrors);
        }

        return new ProcessEndedException(EXIT_NO_SPACE, lastErrors, name + " ended with exit code " + exitCode +
            ", and " + directory +
            " has only " + leftBytes / MIB + " MiB left: enlarge the file system (in a container --shm-size), or" +
            " start fewer processes (--servers, --coordinators)");
    }

    private long leftBytes()
    {
        try
        {
            return source.usableBytes(directory);
        }
        catch (final IOException ignore)
        {
            // the process's own words must do
            return Long.MAX_VALUE;
        }
    }
}
