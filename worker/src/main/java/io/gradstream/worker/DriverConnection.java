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
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.exceptions.DriverTimeoutException;
import io.gradstream.driver.HostClock;
import org.agrona.ErrorHandler;

import java.util.concurrent.TimeUnit;

/**
 * A client's way to its host's media driver, with an error that says what to do where there is none.
 */
public final class DriverConnection
{
    /** How long a driver that was started just now may take to show itself. */
    public static final long START_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(5);

    private DriverConnection()
    {
    }

    /**
     * Connect to a driver that runs, or that was started a moment ago.
     *
     * @param directory    of the driver.
     * @param errorHandler for what goes wrong later.
     * @return an Aeron client whose conductor the caller invokes.
     * @throws GradstreamException if no driver runs there.
     */
    public static Aeron open(final String directory, final ErrorHandler errorHandler)
    {
        awaitDriver(directory);
        return Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory)
            .epochClock(HostClock.of(directory))
            .useConductorAgentInvoker(true)
            .errorHandler(errorHandler));
    }

    private static void awaitDriver(final String directory)
    {
        final Aeron.Context probe = new Aeron.Context();
        try
        {
            // Maps the driver's file once it is there; a later loss of the driver has the usual, longer timeout.
            probe.aeronDirectoryName(directory)
                .epochClock(HostClock.of(directory))
                .driverTimeoutMs(START_TIMEOUT_MS)
                .conclude();
        }
        catch (final DriverTimeoutException ex)
        {
            throw new GradstreamException("no media driver runs in " + directory + ": start one with" +
                " ./gradstream media-driver --aeron-dir " + directory +
                ", or name the directory of one that runs", ex);
        }
        finally
        {
            probe.close();
        }
    }
}
