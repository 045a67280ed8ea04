// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.codecs.Streams;
import io.gradstream.driver.client.DriverDoorbell;
import io.gradstream.driver.client.LocalIngress;
import io.gradstream.testing.TestMemory;
import io.gradstream.worker.client.Transport.RequestStream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client's streams, and a bell whose word the test sets in place of a driver that sleeps.
 */
@Timeout(20)
class AeronTransportTest
{
    private static final long INCARNATION = 7;
    private static final int TIMEOUT_MS = 10_000;

    private final String directory = TestMemory.directory("transport").toString();
    private MediaDriver driver;
    private Aeron aeron;
    private AeronTransport transport;
    private DatagramSocket bell;
    private AtomicBuffer word;

    @BeforeEach
    void start() throws IOException
    {
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory).threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
        bell = new DatagramSocket(DriverDoorbell.address(0));
        word = DriverDoorbell.hang(Path.of(directory), bell.getLocalPort());
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        transport = new AeronTransport(
            DriverConnection.of(aeron), false, new ChannelSettings("127.0.0.1:0", 64 * 1024, 0));
        await(transport::isListening);
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(transport, aeron, driver, bell);
    }

    @Test
    void shouldWakeTheDriverThatIsToSendARequest() throws IOException
    {
        final Subscription server =
            aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:0", Streams.INGRESS);
        await(() -> !server.localSocketAddresses().isEmpty());
        final RequestStream requests = transport.open(server.localSocketAddresses().get(0), INCARNATION);
        await(requests::isConnected);

        offerWhileTheDriverSleeps(requests);
        assertThat(word.getIntVolatile(0)).isZero();
        bell.setSoTimeout(TIMEOUT_MS);
        bell.receive(new DatagramPacket(new byte[1], 1));
    }

    @Test
    void shouldLeaveTheDriverAloneWhereTheServerReadsByItself()
    {
        final String endpoint = "127.0.0.1:4001";
        try (LocalIngress announced = LocalIngress.announce(aeron, endpoint, INCARNATION);
            Subscription server = aeron.addSubscription(CommonContext.IPC_CHANNEL, announced.streamId()))
        {
            final RequestStream requests = transport.open(endpoint, INCARNATION);
            await(requests::isConnected);

            offerWhileTheDriverSleeps(requests);
            await(() -> 1 == server.imageCount());
            assertThat(word.getIntVolatile(0)).isOne();
        }
    }

    private void offerWhileTheDriverSleeps(final RequestStream requests)
    {
        word.putIntVolatile(0, 1);
        await(() -> requests.offer(new UnsafeBuffer(new byte[8]), 0, 8));
    }

    private static void await(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            Thread.yield();
        }
    }
}
