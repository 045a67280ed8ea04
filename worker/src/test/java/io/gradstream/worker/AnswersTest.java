// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.codecs.Streams;
import io.gradstream.codecs.TableSpec;
import io.gradstream.testing.FreeEndpoint;
import io.gradstream.testing.TestMemory;
import io.gradstream.worker.client.ToldCoordinators;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Requests arrive and answers do not: as where a worker on another machine says that it listens on loopback.
 */
@Timeout(60)
class AnswersTest
{
    private static final String ENDPOINT = FreeEndpoint.any();
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");

    private final String directory = TestMemory.directory("answers").toString();
    private MediaDriver driver;
    private Aeron aeron;
    private GradstreamClient client;
    private String told = "";

    @BeforeEach
    void before()
    {
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(directory)
            .coordinatorChannel(ToldCoordinators.serving(1, ENDPOINT)::open)
            .operationTimeoutNs(TimeUnit.SECONDS.toNanos(8))
            .errorHandler((error) -> told += error.getMessage() + '\n'));
    }

    @AfterEach
    void after()
    {
        CloseHelper.closeAll(client, aeron, driver);
    }

    @Test
    void shouldSayWhereAnswersAreExpectedWhenAServerTakesRequestsAndNoneComes()
    {
        try (Subscription requests = aeron.addSubscription("aeron:udp?endpoint=" + ENDPOINT, Streams.INGRESS))
        {
            final Thread server = new Thread(() -> take(requests));
            server.setDaemon(true);
            server.start();
            assertThatThrownBy(() -> client.createTable(SPEC)).isInstanceOf(OperationTimeoutException.class)
                .hasMessageContaining("server " + ENDPOINT + " takes requests, but no answer comes in at 127.0.0.1:")
                .hasMessageContaining("--endpoint");
            assertThat(told).containsOnlyOnce("takes requests, but no answer comes in at 127.0.0.1:");
        }
    }

    @Test
    void shouldNotBlameTheWayBackOfAServerThatIsNotThere()
    {
        assertThatThrownBy(() -> client.createTable(SPEC)).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("server " + ENDPOINT + " is CONNECTING");
        assertThat(told).isEmpty();
    }

    private static void take(final Subscription requests)
    {
        while (!requests.isClosed())
        {
            requests.poll((buffer, offset, length, header) -> {}, 16);
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }
}
