// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.DriverTimeoutException;
import io.gradstream.driver.client.DriverRequests;
import io.gradstream.testing.TestMemory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a client asks of its driver while a stream that it hears ends before the client has mapped it.
 */
class DriverRequestsTest
{
    private static final String CHANNEL = "aeron:ipc?term-length=64k";
    private static final int STREAM_ID = 7;
    private static final int OTHER_STREAM_ID = 8;
    private static final int COUNTER_TYPE_ID = 17_999;

    private final Path aeronDirectory = TestMemory.directory("requests");
    private final List<Throwable> errors = new ArrayList<>();
    private HostDriver driver;
    private Aeron client;
    private Aeron sender;

    @BeforeEach
    void start()
    {
        driver = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory));
        client = Aeron.connect(driver.aeronContext().useConductorAgentInvoker(true).errorHandler(errors::add));
        sender = Aeron.connect(driver.aeronContext());
        DriverRequests.subscribe(client, CHANNEL, STREAM_ID, (image) -> {});
    }

    @AfterEach
    void stop()
    {
        sender.close();
        client.close();
        driver.close();
        assertThat(aeronDirectory).doesNotExist();
    }

    @Test
    void shouldGetWhatItAsksForThoughAStreamItHearsHasGone() throws IOException
    {
        loseStream();
        try (Subscription subscription = DriverRequests.subscribe(client, CHANNEL, OTHER_STREAM_ID, (image) -> {}))
        {
            assertThat(subscription.isClosed()).isFalse();
        }
        assertThat(errors).singleElement().asString().contains("Failed to map log buffer");
    }

    @Test
    void shouldPublishAndCountThoughStreamsItHearsHaveGone() throws IOException
    {
        loseStream();
        try (ExclusivePublication publication = DriverRequests.publish(client, CHANNEL, OTHER_STREAM_ID))
        {
            assertThat(publication.isClosed()).isFalse();
        }
        loseStream();
        try (Counter counter = DriverRequests.count(client, COUNTER_TYPE_ID, ascii("key"), ascii("label")))
        {
            assertThat(client.countersReader().getCounterLabel(counter.id())).isEqualTo("label");
        }
        assertThat(errors).hasSize(2);
    }

    @Test
    void shouldNotGetThatFromAeronsOwnCalls() throws IOException
    {
        loseStream();
        assertThatThrownBy(() -> client.addSubscription(CHANNEL, OTHER_STREAM_ID))
            .isInstanceOf(AeronException.class).hasMessageContaining("Failed to map log buffer");
    }

    @Test
    void shouldSayThatTheDriverIsGoneThoughOnlyTheErrorHandlerHeardWhy()
    {
        sender.close();
        driver.close();

        assertThatThrownBy(() -> DriverRequests.publish(client, CHANNEL, OTHER_STREAM_ID))
            .isInstanceOf(DriverTimeoutException.class).hasMessageContaining("is gone before it answered");
        assertThatThrownBy(() -> DriverRequests.subscribe(client, CHANNEL, OTHER_STREAM_ID, (image) -> {}))
            .isInstanceOf(DriverTimeoutException.class).hasMessageContaining("is gone before it answered");
        assertThat(errors).singleElement().asString().contains("has been shutdown");
    }

    /** The driver has told the client of it, which has not heard that yet. */
    private void loseStream() throws IOException
    {
        try (ExclusivePublication publication = sender.addExclusivePublication(CHANNEL, STREAM_ID))
        {
            final Path logBuffer =
                aeronDirectory.resolve("publications").resolve(publication.registrationId() + ".logbuffer");
            while (!publication.isConnected())
            {
                Thread.onSpinWait();
            }
            Files.delete(logBuffer);
        }
    }

    private static UnsafeBuffer ascii(final String text)
    {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
    }
}
