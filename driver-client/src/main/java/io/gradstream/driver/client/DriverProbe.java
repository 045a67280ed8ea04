// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.DriverTimeoutException;
import io.aeron.exceptions.TimeoutException;
import org.agrona.concurrent.status.CountersReader;

import static io.gradstream.driver.client.HostDriverException.Reason.NOT_RUNNING;

/**
 * Looks whether a media driver of another process, and its Archive, run where they should, before anything depends on
 * them.
 */
public final class DriverProbe
{
    /** How long one that was started just now may take to show itself. */
    static final long START_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(5);
    /** How often an Archive that runs is asked for a session, each time for as long. */
    static final int ARCHIVE_ATTEMPTS = 3;

    private DriverProbe()
    {
    }

    /**
     * Wait for a driver that runs, or that was started a moment ago.
     *
     * @return milliseconds of silence after which the driver gives a client up: the client does the same then.
     * @throws HostDriverException if no driver runs there.
     */
    public static long awaitDriver(final String directory)
    {
        final Aeron.Context probe = new Aeron.Context();
        try
        {
            // Maps the driver's file once it is there; a later loss of the driver has the usual, longer timeout.
            probe.aeronDirectoryName(directory)
                .epochClock(HostClock.of(directory))
                .driverTimeoutMs(START_TIMEOUT_MS)
                .conclude();

            return TimeUnit.NANOSECONDS.toMillis(probe.interServiceTimeoutNs());
        }
        catch (final DriverTimeoutException ex)
        {
            throw new HostDriverException(NOT_RUNNING, noDriver(directory), ex);
        }
        finally
        {
            probe.close();
        }
    }

    /**
     * Wait for an Archive that a client could ask. One that shows its counters is asked several times: on a busy
     * machine it may miss a request.
     *
     * @param directory of its driver, which runs.
     * @param archive   settings of that client without an Aeron client, new ones with each call.
     * @throws HostDriverException if no Archive answers.
     */
    public static void awaitArchive(final String directory, final Supplier<AeronArchive.Context> archive)
    {
        final Aeron.Context client = new Aeron.Context()
            .aeronDirectoryName(directory)
            .epochClock(HostClock.of(directory))
            // Aeron's own ends the process if the driver is lost meanwhile; here the attempt fails
            .errorHandler((error) -> {});
        try (Aeron aeron = Aeron.connect(client))
        {
            int attempts = 1;
            while (!isAnswering(aeron, archive.get(), hasArchive(aeron) && attempts < ARCHIVE_ATTEMPTS))
            {
                attempts++;
            }
        }
        catch (final AeronException ex)
        {
            throw new HostDriverException(NOT_RUNNING, "the media driver in " + directory + " has no Archive that" +
                " answers: start it with ./gradstream media-driver --aeron-dir " + directory + " --dir DIR", ex);
        }
    }

    private static boolean isAnswering(
        final Aeron aeron, final AeronArchive.Context archive, final boolean mayAskAgain)
    {
        try
        {
            AeronArchive.connect(archive
                .aeron(aeron)
                .ownsAeronClient(false)
                .messageTimeoutNs(TimeUnit.MILLISECONDS.toNanos(START_TIMEOUT_MS))).close();
            return true;
        }
        catch (final TimeoutException ex)
        {
            if (!mayAskAgain)
            {
                throw ex;
            }
            return false;
        }
    }

    private static boolean hasArchive(final Aeron aeron)
    {
        final CountersReader counters = aeron.countersReader();
        for (int id = 0; id <= counters.maxCounterId(); id++)
        {
            if (CountersReader.RECORD_ALLOCATED == counters.getCounterState(id) &&
                AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID == counters.getCounterTypeId(id))
            {
                return true;
            }
        }

        return false;
    }

    private static String noDriver(final String directory)
    {
        return "no media driver runs in " + directory + ": start one with ./gradstream media-driver --aeron-dir " +
            directory + ", or name the directory of one that runs";
    }
}
