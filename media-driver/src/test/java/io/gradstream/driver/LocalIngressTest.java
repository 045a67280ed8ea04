// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.gradstream.driver.client.LocalIngress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where clients of a media driver find the nodes that use it too.
 */
@Timeout(60)
class LocalIngressTest
{
    private static final String ENDPOINT = "127.0.0.1:4000";
    private static final long TIMEOUT_NS = 20_000_000_000L;

    private HostDriver host;
    private Aeron node;
    private Aeron client;

    @BeforeEach
    void start()
    {
        host = HostDriver.launch(new HostDriver.Context());
        node = Aeron.connect(host.aeronContext());
        client = Aeron.connect(host.aeronContext());
    }

    @AfterEach
    void stop()
    {
        client.close();
        node.close();
        host.close();
    }

    @Test
    void shouldFindANodeByItsWholeEndpoint()
    {
        try (LocalIngress other = LocalIngress.announce(node, ENDPOINT + "1", 7);
            LocalIngress announced = LocalIngress.announce(node, ENDPOINT, 7))
        {
            assertThat(announced.streamId()).isNotEqualTo(other.streamId());
            assertThat(LocalIngress.find(client, ENDPOINT, 7)).isEqualTo(announced.streamId());
            assertThat(LocalIngress.find(client, "127.0.0.1:400", 7)).isEqualTo(Aeron.NULL_VALUE);
        }
        Await.until(TIMEOUT_NS, () -> Aeron.NULL_VALUE == LocalIngress.find(client, ENDPOINT, 7));
    }

    @Test
    void shouldFindTheProcessThatIsMeantAndNoOther()
    {
        final LocalIngress killed = LocalIngress.announce(node, ENDPOINT, 7);
        assertThat(LocalIngress.find(client, ENDPOINT, 8)).as("not here, or not yet").isEqualTo(Aeron.NULL_VALUE);
        try (Aeron next = Aeron.connect(host.aeronContext());
            LocalIngress announced = LocalIngress.announce(next, ENDPOINT, 8))
        {
            assertThat(LocalIngress.find(client, ENDPOINT, 7)).isEqualTo(killed.streamId());
            assertThat(LocalIngress.find(client, ENDPOINT, 8)).isEqualTo(announced.streamId())
                .isNotEqualTo(killed.streamId());
        }
    }

    @Test
    void shouldNeverTakeAStreamThatHasAFixedNumber()
    {
        for (int i = 0; i < 1_000; i++)
        {
            assertThat(LocalIngress.uniqueStreamId(client)).isGreaterThan(1 << 30);
        }
    }
}
