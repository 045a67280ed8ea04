// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static io.gradstream.driver.SocketPollInterval.MAX_EMPTY_POLLS;
import static io.gradstream.driver.SocketPollInterval.QUIET_INTERVAL_NS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A driver that this thread runs by a clock that can be stopped, and whose sockets are quiet.
 */
@Timeout(15)
class QuietSocketsTest
{
    private static final long SLEEP_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long MAX_DELIVERY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int STREAM_ID = 7;
    private static final int MAX_SOCKETS_POLLED_ONE_BY_ONE = 5;
    private static final String ANY_PORT = "aeron:udp?endpoint=127.0.0.1:0";

    private final String directory = TestMemory.directory("quiet").toString();
    private boolean isStopped;
    private long stoppedNs;
    private DriverSockets sockets;
    private MediaDriver driver;
    private Aeron aeron;
    private AtomicCounter bytesReceived;
    private DatagramSocket sender;

    @BeforeEach
    void start() throws IOException
    {
        sender = new DatagramSocket();
        sockets = new DriverSockets();
        driver = MediaDriver.launch(sockets.watch(new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .dirDeleteOnShutdown(true)
            .nanoClock(() -> isStopped ? stoppedNs : System.nanoTime())
            .threadingMode(ThreadingMode.INVOKER)));
        bytesReceived = driver.context().systemCounters().get(SystemCounterDescriptor.BYTES_RECEIVED);
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory)
            .driverAgentInvoker(driver.sharedAgentInvoker())
            .useConductorAgentInvoker(true));
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(aeron, driver, sockets, sender);
    }

    @Test
    void shouldPostponeADatagramOfAQuietSocketByAnIntervalAtTheLongest() throws IOException
    {
        final InetSocketAddress address = open(aeron.addSubscription(ANY_PORT, STREAM_ID));
        awaitQuiet();
        send(address);
        assertThat(receivedInOneCycle()).isZero();
        stoppedNs += QUIET_INTERVAL_NS;
        assertThat(receivedInOneCycle()).isOne();

        send(address);
        assertThat(receivedInOneCycle()).as("it is quiet no longer").isOne();
    }

    @Test
    void shouldTakeADatagramAtOnceThatHasEndedASleep() throws IOException
    {
        final InetSocketAddress address = open(aeron.addSubscription(ANY_PORT, STREAM_ID));
        awaitQuiet();
        send(address);
        sockets.sleep(SLEEP_NS);
        assertThat(receivedInOneCycle()).isOne();
    }

    @Test
    void shouldPollSocketsOfDestinationsEachTime() throws IOException
    {
        final Subscription several = aeron.addSubscription("aeron:udp?control-mode=manual", STREAM_ID);
        several.addDestination(ANY_PORT);
        final InetSocketAddress address = open(several);
        awaitQuiet();
        send(address);
        assertThat(receivedInOneCycle()).isOne();
    }

    @Test
    void shouldTakeAllDatagramsOfManySocketsOfWhichOnlyThoseAreAskedThatHaveSome() throws IOException
    {
        final InetSocketAddress[] addresses = new InetSocketAddress[MAX_SOCKETS_POLLED_ONE_BY_ONE + 1];
        for (int i = 0; i < addresses.length - 1; i++)
        {
            addresses[i] = open(aeron.addSubscription(ANY_PORT, STREAM_ID));
        }
        awaitQuiet();
        addresses[addresses.length - 1] = open(aeron.addSubscription(ANY_PORT, STREAM_ID));
        for (final InetSocketAddress address : addresses)
        {
            send(address);
        }
        assertThat(receivedInOneCycle()).as("that of the new socket").isOne();
        stoppedNs += QUIET_INTERVAL_NS;
        assertThat(receivedInOneCycle()).isEqualTo(addresses.length - 1);
        for (final InetSocketAddress address : addresses)
        {
            send(address);
        }
        assertThat(receivedInOneCycle()).isEqualTo(addresses.length);
    }

    @Test
    void shouldDeliverAMessageOverQuietSocketsSoon()
    {
        final Subscription subscription = aeron.addSubscription(ANY_PORT, STREAM_ID);
        open(subscription);
        final Publication publication =
            aeron.addPublication(subscription.tryResolveChannelEndpointPort(), STREAM_ID);
        awaitWorking(() -> publication.isConnected() && subscription.isConnected());
        awaitQuiet();
        isStopped = false;

        final long beginNs = System.nanoTime();
        assertThat(publication.offer(new UnsafeBuffer(new byte[Long.BYTES]))).isPositive();
        awaitWorking(() -> 1 == subscription.poll((buffer, offset, length, header) -> {}, 1));
        assertThat(System.nanoTime() - beginNs).isLessThan(MAX_DELIVERY_NS);
    }

    private InetSocketAddress open(final Subscription subscription)
    {
        awaitWorking(() -> !subscription.localSocketAddresses().isEmpty());
        final String endpoint = subscription.localSocketAddresses().get(0);

        return new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(endpoint.substring(endpoint.indexOf(':') + 1)));
    }

    /** Since the clock stands still, nothing that Aeron sends by itself ends the silence. */
    private void awaitQuiet()
    {
        stoppedNs = System.nanoTime();
        isStopped = true;
        for (int i = 0; i < 2 * MAX_EMPTY_POLLS; i++)
        {
            driver.sharedAgentInvoker().invoke();
        }
    }

    /** On the loopback interface it is there when this returns. */
    private void send(final InetSocketAddress address) throws IOException
    {
        sender.send(new DatagramPacket(new byte[1], 1, address));
    }

    private long receivedInOneCycle()
    {
        final long before = bytesReceived.get();
        driver.sharedAgentInvoker().invoke();

        return bytesReceived.get() - before;
    }

    private void awaitWorking(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            driver.sharedAgentInvoker().invoke();
            aeron.conductorAgentInvoker().invoke();
        }
    }
}
