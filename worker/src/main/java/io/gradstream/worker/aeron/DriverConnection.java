// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import io.aeron.Aeron;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.ClientTimeoutException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.DriverTimeoutException;
import io.gradstream.driver.client.DriverProbe;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.client.HostDriverException;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;

import java.util.concurrent.TimeUnit;

/** A connection to the media driver of this host, which clients may share. */
public final class DriverConnection implements AutoCloseable
{
    private final Aeron aeron;
    private final AgentInvoker conductor;

    private DriverConnection(final Aeron aeron)
    {
        this.aeron = aeron;
        conductor = aeron.conductorAgentInvoker();
    }

    /**
     * Connect to a driver that runs, or that was started a moment ago.
     *
     * @param directory    of the driver.
     * @param errorHandler called with later errors.
     * @return a connection that its user polls.
     * @throws HostDriverException if no driver runs there.
     */
    public static DriverConnection open(final String directory, final ErrorHandler errorHandler)
    {
        final long timeoutMs = DriverProbe.awaitDriver(directory);
        return new DriverConnection(Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory)
            .epochClock(HostClock.of(directory))
            // after a pause of both neither has heard of the other
            .driverTimeoutMs(timeoutMs)
            .useConductorAgentInvoker(true)
            .errorHandler(errorHandler)));
    }

    /**
     * The connection of an Aeron client.
     *
     * @param aeron client, which lives at least as long as the connection is used.
     * @return the connection.
     */
    public static DriverConnection of(final Aeron aeron)
    {
        return new DriverConnection(aeron);
    }

    Aeron aeron()
    {
        return aeron;
    }

    /** True if the Aeron client is closed, by its owner or because the driver went silent. */
    public boolean isClosed()
    {
        return aeron.isClosed();
    }

    /**
     * One duty cycle of an Aeron client that has no thread of its own.
     *
     * @return how much was done.
     * @throws AeronException if the connection is lost.
     */
    public int poll()
    {
        if (aeron.isClosed())
        {
            throw new AeronException("the Aeron client is closed");
        }

        return null != conductor ? conductor.invoke() : 0;
    }

    /** True if an exception, thrown by a user of the connection, says that the connection is lost. */
    public boolean isLost(final RuntimeException ex)
    {
        if (ex instanceof DriverTimeoutException || ex instanceof ConductorServiceTimeoutException ||
            ex instanceof ClientTimeoutException)
        {
            return true;
        }
        if (ex instanceof AeronException && null != conductor && !aeron.isClosed())
        {
            // a client that is about to end refuses requests, and closes with its next duty cycle
            conductor.invoke();
        }

        return ex instanceof AeronException && aeron.isClosed();
    }

    /** The message for a lost connection: one line that says what to do. */
    public String lossText()
    {
        return "the Aeron client is closed: is the media driver at " + aeron.context().aeronDirectoryName() +
            " running? Start it and make a new client; if it runs, this client was not polled for " +
            TimeUnit.NANOSECONDS.toSeconds(aeron.context().interServiceTimeoutNs()) + " s or more: poll() more often";
    }

    @Override
    public void close()
    {
        CloseHelper.close(aeron);
    }
}
