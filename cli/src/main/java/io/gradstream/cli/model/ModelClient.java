// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.AnswerOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.CoordinatorOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.driver.HostDriver;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.aeron.OwnAddress;
import org.agrona.CloseHelper;

/** A client for one command, with a media driver of its own unless there is one. */
final class ModelClient implements AutoCloseable
{
    private final HostDriver driver;
    private final DriverConnection connection;
    private final GradstreamClient client;

    private ModelClient(
        final HostDriver driver, final DriverConnection connection, final GradstreamClient client)
    {
        this.driver = driver;
        this.connection = connection;
        this.client = client;
    }

    /**
     * Connect.
     *
     * @param command that says what goes wrong on standard error.
     * @param slot    of the job, or -1 for an observer.
     */
    static ModelClient connect(
        final String command,
        final int slot,
        final CommonOptions common,
        final CoordinatorOptions coordinator,
        final AnswerOptions answers)
    {
        HostDriver driver = null;
        DriverConnection connection = null;
        try
        {
            if (null == answers.aeronDir)
            {
                driver = HostDriver.launch(
                    new HostDriver.Context().profile(common.profile()).mtuLength(common.mtu()));
            }
            connection = DriverConnection.open(
                null == driver ? answers.aeronDir.toString() : driver.aeronDirectoryName(),
                (error) -> System.err.println(command + ": " + Failures.oneLine(error)));
            final String endpoint =
                null == answers.endpoint ? OwnAddress.facing(coordinator.endpoints()) : answers.endpoint;

            return new ModelClient(driver, connection, GradstreamClient.connect(new ClientContext()
                .driver(connection)
                .slot(slot)
                .coordinators(coordinator.endpoints())
                .coordinatorResponseEndpoint(endpoint)
                .responseEndpoint(endpoint.substring(0, endpoint.lastIndexOf(':')) + ":0")
                .mtu(common.mtu())));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.closeAll(connection, driver);
            throw ex;
        }
    }

    GradstreamClient client()
    {
        return client;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, connection, driver);
    }
}
