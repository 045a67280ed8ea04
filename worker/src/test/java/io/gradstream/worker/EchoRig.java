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
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.codecs.Consistency;
import io.gradstream.testing.FreeEndpoint;
import io.gradstream.testing.TestMemory;
import io.gradstream.worker.client.ToldCoordinators;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

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
        coordinators = ToldCoordinators.serving(PARTITIONS, endpoint).bind(2, PARTITIONS, consistency);
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
