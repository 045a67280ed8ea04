// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import io.gradstream.worker.ClientContext;

import java.util.List;

/**
 * Where a worker of an example runs: what its command line says.
 *
 * @param coordinator     host:port of a coordinator.
 * @param aeronDirectory  of the media driver on this machine.
 * @param slot            place in the job, 0 to workers - 1.
 * @param workers         that train together, each with its part of the examples.
 */
public record WorkerPlace(String coordinator, String aeronDirectory, int slot, int workers)
{
    private static final String USAGE = "expected: COORDINATOR AERON-DIR [SLOT WORKERS], such as" +
        " 127.0.0.1:20000 /dev/shm/gradstream-host 0 1";

    /**
     * Check the numbers.
     *
     * @throws IllegalArgumentException unless the slot is one of the workers'.
     */
    public WorkerPlace
    {
        if (slot < 0 || slot >= workers)
        {
            throw new IllegalArgumentException("invalid slot=" + slot + ": must be 0.." + (workers - 1));
        }
    }

    /**
     * Read a command line.
     *
     * @param arguments coordinator and Aeron directory, then slot and number of workers, which are 0 and 1 if left out.
     * @throws IllegalArgumentException if they are others; it says what is expected.
     */
    public static WorkerPlace parse(final String... arguments)
    {
        if (2 != arguments.length && 4 != arguments.length)
        {
            throw new IllegalArgumentException(USAGE);
        }
        final boolean isAlone = 2 == arguments.length;

        return new WorkerPlace(arguments[0], arguments[1],
            isAlone ? 0 : Integer.parseInt(arguments[2]), isAlone ? 1 : Integer.parseInt(arguments[3]));
    }

    /** Settings of this worker's client; each client needs new ones. */
    public ClientContext context()
    {
        return new ClientContext().coordinators(List.of(coordinator)).aeronDirectoryName(aeronDirectory).slot(slot);
    }
}
