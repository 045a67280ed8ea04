// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.status.ChannelEndpointStatus;
import io.gradstream.driver.client.DriverDoorbell;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * A driver that this thread runs, and its sockets.
 */
@Timeout(15)
class DriverSocketsTest
{
    private static final long SLEEP_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int STREAM_ID = 7;

    private final String directory = TestMemory.directory("sockets").toString();
    private DriverSockets sockets;
    private MediaDriver driver;
    private Aeron aeron;
    private Subscription subscription;
    private InetSocketAddress address;

    @BeforeEach
    void start() throws IOException
    {
        sockets = new DriverSockets();
        driver = MediaDriver.launch(sockets.watch(new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.INVOKER)));
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(directory)
            .driverAgentInvoker(driver.sharedAgentInvoker())
            .useConductorAgentInvoker(true));
        subscription = aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM_ID);
        awaitWorking(() -> ChannelEndpointStatus.ACTIVE == subscription.channelStatus());
        final String endpoint = subscription.localSocketAddresses().get(0);
        address = new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(endpoint.substring(endpoint.indexOf(':') + 1)));
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(aeron, driver, sockets);
    }

    @Test
    void shouldSleepUntilADatagramComes() throws IOException
    {
        try (DatagramSocket sender = new DatagramSocket())
        {
            sender.send(new DatagramPacket(new byte[1], 1, address));
            sockets.sleep(SLEEP_NS);
        }
    }

    @Test
    void shouldSleepUntilItIsWoken()
    {
        sockets.wake();
        sockets.sleep(SLEEP_NS);
    }

    @Test
    void shouldSleepUntilAClientOfAnotherProcessRings() throws IOException
    {
        sockets.hangBell(Path.of(directory), (error) -> fail(error));
        try (DriverDoorbell bell = DriverDoorbell.of(directory))
        {
            sockets.isAsleep(true);
            bell.ring();
            assertThat(sockets.isAsleep()).isFalse();
            sockets.sleep(SLEEP_NS);

            final long beginNs = System.nanoTime();
            bell.ring();
            sockets.isAsleep(true);
            sockets.sleep(TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(System.nanoTime() - beginNs).as("it was awake when the client rang, and took the first ring in")
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(19));
            assertThat(sockets.isAsleep()).isTrue();
        }
    }

    @Test
    void shouldBeWokenByItsOwnProcessAlsoWhenARingWasLost()
    {
        sockets.hangBell(Path.of(directory), (error) -> fail(error));
        try (DriverDoorbell bell = DriverDoorbell.of(directory))
        {
            sockets.isAsleep(true);
            bell.ring();
            assertThat(sockets.rouse()).isTrue();
            assertThat(sockets.rouse()).as("once").isFalse();
        }
    }

    @Test
    void shouldSayWhyThereIsNoBell()
    {
        final List<String> errors = new ArrayList<>();
        sockets.hangBell(Path.of(directory, "missing"), errors::add);
        assertThat(errors).singleElement(InstanceOfAssertFactories.STRING).contains("missing");
        assertThat(sockets.rouse()).isFalse();
        sockets.isAsleep(true);
        assertThat(sockets.rouse()).as("by its own process").isTrue();
    }

    @Test
    void shouldSleepNoLongerThanItIsToldTo()
    {
        final long beginNs = System.nanoTime();
        sockets.sleep(TimeUnit.MILLISECONDS.toNanos(20));

        assertThat(System.nanoTime() - beginNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(19));
    }

    @Test
    void shouldWatchTheSocketsOfDestinationsAndGiveThemBack() throws IOException
    {
        subscription.close();
        awaitWorking(this::isFree);
        final String destination = "aeron:udp?endpoint=127.0.0.1:" + address.getPort();
        final Subscription several = aeron.addSubscription("aeron:udp?control-mode=manual", STREAM_ID);
        several.addDestination(destination);
        awaitWorking(() -> !isFree());

        try (DatagramSocket sender = new DatagramSocket())
        {
            sender.send(new DatagramPacket(new byte[1], 1, address));
            sockets.sleep(SLEEP_NS);
        }
        several.removeDestination(destination);
        awaitWorking(this::isFree);
    }

    @Test
    void shouldGiveBackASocketThatIsClosed()
    {
        subscription.close();
        awaitWorking(this::isFree);
    }

    private boolean isFree()
    {
        try (DatagramSocket socket = new DatagramSocket(address))
        {
            return socket.isBound();
        }
        catch (final SocketException ex)
        {
            return false;
        }
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
