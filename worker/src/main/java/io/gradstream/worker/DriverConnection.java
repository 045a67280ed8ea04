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
import io.gradstream.driver.DriverProbe;
import io.gradstream.driver.HostClock;
import io.gradstream.driver.HostDriverException;
import org.agrona.ErrorHandler;

/**
 * A client's way to its host's media driver, with an error that says what to do where there is none.
 */
public final class DriverConnection
{
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
        try
        {
            DriverProbe.awaitDriver(directory);
        }
        catch (final HostDriverException ex)
        {
            throw new GradstreamException(ex.getMessage(), ex);
        }

        return Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory)
            .epochClock(HostClock.of(directory))
            .useConductorAgentInvoker(true)
            .errorHandler(errorHandler));
    }
}
