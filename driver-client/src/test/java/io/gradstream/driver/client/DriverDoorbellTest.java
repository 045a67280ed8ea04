// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import org.agrona.concurrent.AtomicBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(20)
class DriverDoorbellTest
{
    private static final int SILENCE_MS = 100;
    private static final int ARRIVAL_MS = 10_000;

    @TempDir
    Path directory;
    private DatagramSocket driver;
    private DriverDoorbell bell;

    @BeforeEach
    void open() throws IOException
    {
        driver = new DatagramSocket(DriverDoorbell.address(0));
        bell = DriverDoorbell.of(directory.toString());
    }

    @AfterEach
    void close()
    {
        bell.close();
        driver.close();
    }

    @Test
    void shouldSendOneDatagramToADriverThatSleeps() throws IOException
    {
        final AtomicBuffer word = DriverDoorbell.hang(directory, driver.getLocalPort());
        bell.ring();
        assertSilence();

        word.putIntVolatile(0, 1);
        bell.ring();
        bell.ring();
        assertThat(word.getIntVolatile(0)).isZero();
        receive(ARRIVAL_MS);
        assertSilence();
    }

    @Test
    void shouldFindABellThatIsHungAMomentLater() throws IOException
    {
        bell.ring();
        DriverDoorbell.hang(directory, driver.getLocalPort()).putIntVolatile(0, 1);
        bell.ring();
        receive(ARRIVAL_MS);
    }

    @Test
    void shouldLeaveTheWordAloneWhereNobodyHearsIt() throws IOException
    {
        final AtomicBuffer word = DriverDoorbell.hang(directory, driver.getLocalPort());
        driver.close();
        int taken = 0;
        for (int i = 0; i < 100; i++)
        {
            word.putIntVolatile(0, 1);
            bell.ring();
            taken += 0 == word.getIntVolatile(0) ? 1 : 0;
        }
        assertThat(taken).isBetween(1, 10);
    }

    @Test
    void shouldRingNobodyBesideAFileThatIsNoBell() throws IOException
    {
        Files.write(directory.resolve(DriverDoorbell.FILE), new byte[3]);
        bell.ring();
        DriverDoorbell.hang(directory, 0);
        try (DriverDoorbell other = DriverDoorbell.of(directory.toString()))
        {
            other.ring();
        }
        assertSilence();
    }

    @Test
    void shouldRingNoMoreOnceClosed() throws IOException
    {
        final AtomicBuffer word = DriverDoorbell.hang(directory, driver.getLocalPort());
        word.putIntVolatile(0, 1);
        bell.close();
        bell.ring();
        assertThat(word.getIntVolatile(0)).isOne();
    }

    @Test
    void shouldRingOnceTheThreadIsNoMoreInterrupted() throws IOException
    {
        final AtomicBuffer word = DriverDoorbell.hang(directory, driver.getLocalPort());
        word.putIntVolatile(0, 1);
        Thread.currentThread().interrupt();
        bell.ring();
        assertThat(Thread.interrupted()).isTrue();
        bell.ring();
        assertThat(word.getIntVolatile(0)).isZero();
    }

    private void assertSilence()
    {
        assertThatThrownBy(() -> receive(SILENCE_MS)).isInstanceOf(SocketTimeoutException.class);
    }

    private void receive(final int timeoutMs) throws IOException
    {
        driver.setSoTimeout(timeoutMs);
        driver.receive(new DatagramPacket(new byte[1], 1));
    }
}
