// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.codecs.Consistency;
import io.gradstream.testing.FreeEndpoint;
import io.gradstream.testing.TestMemory;
import io.gradstream.worker.client.ToldCoordinators;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

import java.util.function.Consumer;

/**
 * A media driver, an {@link EchoServer} of two partitions, and clients of it, all on the test's thread: the server is
 * polled, and the test's own step done, whenever a client idles.
 */
final class EchoRig implements AutoCloseable
{
    static final int PARTITIONS = 2;

    final EchoServer server;
    ToldCoordinators coordinators;
    /** What happens while a client waits. */
    Runnable step = () -> {};
    private final String directory = TestMemory.directory("echo").toString();
    private final IdleStrategy sleep = new SleepingMillisIdleStrategy(1);
    private final String endpoint = FreeEndpoint.any();
    private final MediaDriver driver;
    private final Aeron aeron;
    private GradstreamClient client;

    EchoRig()
    {
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(ThreadingMode.SHARED)
            .publicationLingerTimeoutNs(200_000_000L)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        server = new EchoServer(aeron, endpoint, 1, 0, 0);
    }

    /** A client of slot 0, closed with the rig. */
    GradstreamClient connect(final ClientContext context, final Consistency consistency)
    {
        return connect(context, consistency, (told) -> {});
    }

    /** As above, after the test has said what coordinators answer. */
    GradstreamClient connect(
        final ClientContext context, final Consistency consistency, final Consumer<ToldCoordinators> answers)
    {
        coordinators = ToldCoordinators.serving(PARTITIONS, endpoint).bind(2, PARTITIONS, consistency);
        answers.accept(coordinators);
        client = GradstreamClient.connect(context
            .aeronDirectoryName(directory)
            .coordinatorChannel(coordinators::open)
            .idleStrategy(new IdleStrategy()
            {
                public void idle(final int workCount)
                {
                    server.poll();
                    step.run();
                    sleep.idle(workCount);
                }

                public void idle()
                {
                    idle(0);
                }

                public void reset()
                {
                }
            }));

        return client;
    }

    /** Poll client and server for a while. */
    void pollFor(final int milliseconds)
    {
        for (int i = 0; i < milliseconds; i++)
        {
            server.poll();
            sleep.idle(0);
            client.poll();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, server, aeron, driver);
    }
}
