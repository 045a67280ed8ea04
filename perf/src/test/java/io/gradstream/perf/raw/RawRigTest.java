// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.raw;

import io.aeron.Aeron;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.measure.Sample;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Raw Aeron between real processes, for a few milliseconds.
 */
class RawRigTest
{
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static HostDriver driver;
    private static Aeron aeron;
    private static RawRig rig;

    @BeforeAll
    static void start() throws IOException
    {
        driver = HostDriver.launch(new HostDriver.Context());
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        final List<String> endpoints = LoopbackPorts.free(2);
        rig = RawRig.start(
            new RawChannels(DriverProfile.DEV, 8192, 1 << 20, endpoints.get(0), endpoints.get(1),
                RawChannels.OWN_DRIVERS), aeron);
    }

    @AfterAll
    static void stop()
    {
        rig.close();
        aeron.close();
        driver.close();
    }

    @ParameterizedTest
    @CsvSource({"ECHO, 4096", "PUSH, 4096", "PULL, 4096", "ECHO, 1048576", "PUSH, 1048576", "PULL, 1048576"})
    void shouldEndEveryTransferWhenDriven(final RawPingPong.Exchange exchange, final int size)
    {
        final LoadLoop loop = new LoadLoop(
            rig.pingPong(exchange, size), DriverProfile.DEV.newIdleStrategy(), SystemNanoClock.INSTANCE);

        final Sample window = loop.flatOut(4, WINDOW_NS, 40);

        assertThat(window.transfers()).isBetween(1L, 40L);
        assertThat(window.p99Ns()).isPositive();
        assertThat(window.transferBytes()).isEqualTo(size);
    }

    @Test
    void shouldCountAllThatArrivedWhenStreaming()
    {
        final Sample window = rig.streaming(1 << 20, DriverProfile.DEV.newIdleStrategy()).run(WINDOW_NS);

        assertThat(window.transfers()).isPositive();
        assertThat(window.elapsedNs()).isGreaterThanOrEqualTo(WINDOW_NS);
        assertThat(window.transferBytes()).isEqualTo(RawPingPong.MAX_PART_LENGTH);
    }
}
