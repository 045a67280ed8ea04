// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.RegistrationException;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Response streams that the media driver does not open.
 */
@Timeout(60)
class AeronResponseStreamTest
{
    private static final int TYPE_ID = 17_060;
    private static final int MAX_COUNTERS = 8192;

    private final MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
        .aeronDirectoryName(TestMemory.directory("responses").toString())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .errorHandler((error) -> {})
        .counterValuesBufferLength(MAX_COUNTERS * CountersReader.COUNTER_LENGTH)
        .threadingMode(ThreadingMode.INVOKER));
    private final Aeron aeron = Aeron.connect(new Aeron.Context()
        .aeronDirectoryName(driver.aeronDirectoryName())
        .useConductorAgentInvoker(true)
        .driverAgentInvoker(driver.sharedAgentInvoker()));
    private final List<Throwable> errors = new ArrayList<>();

    @AfterEach
    void tearDown()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    /** The worker hears nothing, so the server says it. */
    @Test
    void shouldTellThatTheDriverHasNoCounterLeftForIt()
    {
        assertThatThrownBy(this::addCounters).isInstanceOf(RegistrationException.class);
        awaitClosed("aeron:udp?endpoint=127.0.0.1:40123");

        assertThat(errors).singleElement().asString().contains("unable to allocate counter");
    }

    /** Workers name what they like. */
    @Test
    void shouldNotTellThatAWorkerNamesAHostThatThereIsNot()
    {
        awaitClosed("aeron:udp?endpoint=no-such-host.invalid:40123");

        assertThat(errors).isEmpty();
    }

    private void addCounters()
    {
        for (int i = 0; i < MAX_COUNTERS; i++)
        {
            aeron.addCounter(TYPE_ID, "taken");
        }
    }

    private void awaitClosed(final String channel)
    {
        final AeronResponseStream stream = new AeronResponseStream(aeron, channel, 102, errors::add);
        while (!stream.isClosed())
        {
            driver.sharedAgentInvoker().invoke();
            aeron.conductorAgentInvoker().invoke();
            stream.doWork();
            Thread.onSpinWait();
        }
    }
}
