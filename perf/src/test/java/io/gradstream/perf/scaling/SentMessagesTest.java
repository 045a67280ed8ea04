// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.gradstream.codecs.coordinator.AskEncoder;
import io.gradstream.codecs.coordinator.FollowEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.driver.HostDriver;
import io.gradstream.perf.measure.Await;
import io.gradstream.testing.FreeEndpoint;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class SentMessagesTest
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int STREAM = 7;
    private static final int FRAME = 64;
    private static final int ASK_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + AskEncoder.BLOCK_LENGTH;
    private static final int LONG = 5_000;
    private static final String ASKS = "server Ask";

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(2 * LONG);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private HostDriver driver;
    private Aeron aeron;
    private Subscription subscription;
    private ExclusivePublication publication;
    private SentMessages sent;

    @BeforeEach
    void start()
    {
        final Path directory = TestMemory.directory("scaling");
        driver = HostDriver.launch(new HostDriver.Context()
            .aeronDirectory(directory.resolveSibling(directory.getFileName() + "-server-0")));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        final String channel = "aeron:udp?term-length=64k|mtu=1408|endpoint=" + FreeEndpoint.any();
        subscription = aeron.addSubscription(channel, STREAM);
        publication = aeron.addExclusivePublication(channel, STREAM);
        Await.until("a subscriber", TIMEOUT_NS, publication::isConnected, Thread::yield);
        sent = new SentMessages(Path.of(driver.aeronDirectoryName()), "server-0");
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(sent, publication, subscription, aeron, driver);
    }

    @Test
    void shouldCountEachMessageOnceByItsKind() throws IOException
    {
        offerAsks(3);
        sent.read();
        offerAsks(2);
        new FollowEncoder().wrapAndApplyHeader(buffer, 0, header);
        offer(MessageHeaderEncoder.ENCODED_LENGTH + FollowEncoder.BLOCK_LENGTH);
        sent.read();
        sent.read();

        assertThat(sent.counts()).containsOnlyKeys(ASKS, "server Follow");
        assertThat(sent.counts().get(ASKS).messages()).isEqualTo(5);
        assertThat(sent.counts().get(ASKS).bytes()).isEqualTo(5 * FRAME);
        assertThat(sent.counts().get("server Follow").messages()).isEqualTo(1);
    }

    @Test
    void shouldCountAMessageOfSeveralFramesAsOne() throws IOException
    {
        new AskEncoder().wrapAndApplyHeader(buffer, 0, header);
        offer(LONG);
        offerAsks(1);
        sent.read();

        assertThat(sent.counts().get(ASKS).messages()).isEqualTo(2);
        assertThat(sent.counts().get(ASKS).longest()).isEqualTo(LONG);
    }

    @Test
    void shouldGoOnWhenTermsAreFull() throws IOException
    {
        final int rounds = 500;
        for (int i = 0; i < rounds; i++)
        {
            offerAsks(20);
            sent.read();
        }

        assertThat(publication.position()).isGreaterThan(3L * publication.termBufferLength());
        assertThat(sent.counts().get(ASKS).messages()).isEqualTo(rounds * 20L);
    }

    @Test
    void shouldTellOfTheStreamsThatAreOpen() throws IOException
    {
        assertThat(sent.buffers().get("server-0").sent()).isEqualTo(1);
        assertThat(sent.buffers().get("server-0").received()).isEqualTo(1);
        assertThat(sent.buffers().get("server-0").bytes()).isGreaterThan(6L * publication.termBufferLength());
    }

    @ParameterizedTest
    @CsvSource({"server-12, server", "coordinator-0, coordinator", "driver, worker"})
    void shouldNameProcessesByWhatTheyAre(final String name, final String role)
    {
        assertThat(SentMessages.role(name)).isEqualTo(role);
    }

    private void offerAsks(final int count)
    {
        new AskEncoder().wrapAndApplyHeader(buffer, 0, header);
        for (int i = 0; i < count; i++)
        {
            offer(ASK_LENGTH);
        }
    }

    private void offer(final int length)
    {
        Await.until("room", TIMEOUT_NS, () -> publication.offer(buffer, 0, length) > 0, this::poll);
        poll();
    }

    private void poll()
    {
        subscription.poll((message, offset, length, frame) -> {}, 10);
    }
}
