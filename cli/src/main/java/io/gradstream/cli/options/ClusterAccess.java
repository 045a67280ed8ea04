// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.nio.file.Path;
import java.util.List;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.aeron.OwnAddress;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * The way from this process to a cluster.
 *
 * @param coordinators host:port of each, by member id.
 * @param aeronDir     of the running media driver to ask over, or null for one of its own.
 * @param endpoint     host:port where answers come in, or null for this machine's address towards coordinators.
 * @param profile      how the driver waits.
 * @param mtu          longest datagram, 0 for what fits the interface.
 * @param job          name of the job that clients work for.
 */
public record ClusterAccess(
    List<String> coordinators, Path aeronDir, String endpoint, DriverProfile profile, int mtu, String job)
{
    /** The way to the job with which a cluster begins. */
    public ClusterAccess(
        final List<String> coordinators,
        final Path aeronDir,
        final String endpoint,
        final DriverProfile profile,
        final int mtu)
    {
        this(coordinators, aeronDir, endpoint, profile, mtu, ClusterMap.Job.DEFAULT_NAME);
    }

    /** Connect for a command, which says on standard error what goes wrong. */
    public Connection open(final String command)
    {
        return open((error) -> System.err.println(command + ": " + Failures.oneLine(error)));
    }

    /** Connect to a media driver, and start one if there is none. */
    public Connection open(final ErrorHandler onError)
    {
        final String address = null == endpoint ? OwnAddress.facing(coordinators) : endpoint;
        final HostDriver driver = null != aeronDir ? null :
            HostDriver.launch(new HostDriver.Context().profile(profile).mtuLength(mtu));
        try
        {
            return new Connection(this, address, driver, DriverConnection.open(
                null == driver ? aeronDir.toString() : driver.aeronDirectoryName(), onError));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.close(driver);
            throw ex;
        }
    }

    /**
     * A connection to a media driver, over which clients ask.
     *
     * @param access  to the cluster.
     * @param address host:port where answers of coordinators come in.
     * @param driver  that lives as long as this, or null.
     * @param aeron   connection to the driver.
     */
    public record Connection(ClusterAccess access, String address, HostDriver driver, DriverConnection aeron)
        implements AutoCloseable
    {
        /** The same host with any port. */
        public String anyPort()
        {
            return address.substring(0, address.lastIndexOf(':')) + ":0";
        }

        /** Context of a client in a slot of the job, or of an observer. */
        public ClientContext client(final int slot)
        {
            return new ClientContext()
                .driver(aeron)
                .slot(slot)
                .job(access.job)
                .coordinators(access.coordinators)
                .coordinatorResponseEndpoint(address)
                .responseEndpoint(anyPort())
                .mtu(access.mtu);
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(aeron, driver);
        }
    }
}
