// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.gradstream.driver.client.AbandonedClients;
import io.gradstream.driver.client.DirectoryLock;
import io.gradstream.driver.client.DriverProbe;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.files.WithdrawnRecordings;
import io.gradstream.testing.TestMemory;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static io.gradstream.driver.client.HostDriverException.Reason.ARCHIVE_IN_USE;
import static io.gradstream.driver.client.HostDriverException.Reason.NOT_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Archives whose driver is another process's, or stands for one here: several on one driver, each with its own clients.
 */
class SharedDriverTest
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** Much less than the time after which the driver gives up a silent client. */
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(5);
    /** More than a log of the channel holds. */
    private static final int LOG_LENGTH = 3 * 64 * 1024;
    private static final String ALIAS = "log";
    private static final String CHANNEL = "aeron:ipc?term-length=64k|alias=" + ALIAS;
    private static final int STREAM_ID = 7;

    private final Path aeronDirectory = TestMemory.directory("shared");
    @TempDir
    private Path directory;
    private HostDriver driver;

    @BeforeEach
    void start()
    {
        driver = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory));
    }

    @AfterEach
    void stop()
    {
        driver.close();
        assertThat(aeronDirectory).doesNotExist();
    }

    @Test
    void shouldRecordForItsOwnClientsOnly()
    {
        try (HostDriver first = HostDriver.launch(context("first"));
            HostDriver second = HostDriver.launch(context("second"));
            AeronArchive ofFirst = AeronArchive.connect(first.archiveContext());
            AeronArchive ofSecond = AeronArchive.connect(second.archiveContext()))
        {
            final long firstEnd = record(ofFirst, 3);
            final long secondEnd = record(ofSecond, 5);

            assertThat(ofFirst.archiveId()).isNotEqualTo(ofSecond.archiveId());
            assertThat(ends(ofFirst)).containsExactly(firstEnd);
            assertThat(ends(ofSecond)).containsExactly(secondEnd);
            assertThat(first.aeronDirectoryName()).isEqualTo(aeronDirectory.toString());
        }
        assertThat(driver.isTerminated()).as("it is not theirs").isFalse();
    }

    @Test
    void shouldFindItsRecordingsWhenItIsStartedAgainOnTheSameDriver()
    {
        final long end;
        try (HostDriver host = HostDriver.launch(context("first"));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            end = record(client, 3);
        }
        try (HostDriver host = HostDriver.launch(context("first"));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(ends(client)).containsExactly(end);
        }
    }

    @Test
    void shouldGiveAllItsClientsTheSameNameAtEachStart()
    {
        final String first = clientName("first");

        assertThat(clientName("first")).isEqualTo(first).isNotEmpty();
        assertThat(clientName("second")).isNotEqualTo(first);
    }

    @Test
    void shouldNotTakeTheNameOfADirectoryThatItsOwnWasCopiedFrom() throws IOException
    {
        final String first = clientName("first");
        Files.createDirectories(directory.resolve("copy"));
        Files.copy(directory.resolve("first").resolve(DirectoryLock.FILE),
            directory.resolve("copy").resolve(DirectoryLock.FILE));

        assertThat(clientName("copy")).isNotEqualTo(first);
    }

    @Test
    void shouldHearASenderAgainOnceTheClientsOfADeadProcessAreClosed() throws IOException
    {
        final String channel = "aeron:udp?endpoint=127.0.0.1:" + freePort() + "|term-length=64k";
        final UnsafeBuffer message = new UnsafeBuffer(new byte[1000]);
        try (Aeron sender = Aeron.connect(driver.aeronContext()); Aeron next = Aeron.connect(driver.aeronContext());
            Aeron dead = Aeron.connect(driver.aeronContext().clientName("dead").useConductorAgentInvoker(true)))
        {
            dead.addSubscription(channel, STREAM_ID);
            Await.until(TIMEOUT_NS, () ->
            {
                dead.conductorAgentInvoker().invoke();
                return isShown(next, "dead");
            });
            final ExclusivePublication publication = sender.addExclusivePublication(channel, STREAM_ID);
            Await.until(TIMEOUT_NS, () -> Publication.BACK_PRESSURED == publication.offer(message));
            final Subscription subscription = next.addSubscription(channel, STREAM_ID);
            Await.until(TIMEOUT_NS, subscription::isConnected);

            assertThat(AbandonedClients.close(aeronDirectory.toString(), "dea")).isZero();
            assertThat(AbandonedClients.close(aeronDirectory.toString(), "dead")).isEqualTo(1);

            final long[] heard = {0};
            Await.until(HEARD_NS, () ->
            {
                publication.offer(message);
                subscription.poll((buffer, offset, length, header) -> heard[0] += length, 10);
                return heard[0] > LOG_LENGTH;
            });
        }
    }

    private String clientName(final String name)
    {
        try (HostDriver host = HostDriver.launch(context(name)))
        {
            return host.aeronContext().clientName();
        }
    }

    private static boolean isShown(final Aeron aeron, final String name)
    {
        final boolean[] isFound = {false};
        aeron.countersReader().forEach((counterId, label) -> isFound[0] |= label.contains(" name=" + name + " "));

        return isFound[0];
    }

    private static int freePort() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0)))
        {
            return socket.getLocalPort();
        }
    }

    @Test
    void shouldAskAnArchiveAgainThatRunsAndMissedARequest()
    {
        try (HostDriver host = HostDriver.launch(context("first")))
        {
            final List<AeronArchive.Context> asked = new ArrayList<>();
            DriverProbe.awaitArchive(aeronDirectory.toString(), () ->
            {
                asked.add(host.archiveContext());
                return asked.size() > 1 ? asked.get(1) : asked.get(0).controlRequestStreamId(STREAM_ID);
            });

            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void shouldTellOfDamageInItsOwnArchiveOnly() throws IOException
    {
        try (Aeron aeron = Aeron.connect(driver.aeronContext()))
        {
            final WithdrawnRecordings withdrawn = new WithdrawnRecordings(Map.of(ALIAS, 4L));
            withdrawn.announce(aeron, 1);

            assertThat(WithdrawnRecordings.find(aeron.countersReader(), 1, ALIAS)).isEqualTo(4);
            assertThat(WithdrawnRecordings.find(aeron.countersReader(), 2, ALIAS))
                .isEqualTo(WithdrawnRecordings.NO_RECORDING);
        }
    }

    @Test
    void shouldRefuseADirectoryThatAnotherArchiveOfTheDriverUses()
    {
        try (HostDriver host = HostDriver.launch(context("first")))
        {
            assertThat(refusal(context("first")).reason()).isEqualTo(ARCHIVE_IN_USE);
            assertThat(host.isTerminated()).isFalse();
        }
    }

    @Test
    void shouldSayWhatToDoWhenNoDriverRuns()
    {
        final HostDriverException refusal = refusal(context("first").externalDriver(directory.resolve("none")));

        assertThat(refusal.reason()).isEqualTo(NOT_RUNNING);
        assertThat(refusal).hasMessageContaining("no media driver runs in").hasMessageContaining("start one with");
    }

    @Test
    void shouldNeedADirectoryToRecordIn()
    {
        assertThat(catchThrowableOfType(IllegalArgumentException.class,
            () -> HostDriver.launch(new HostDriver.Context().externalDriver(aeronDirectory)).close()))
            .hasMessageContaining("invalid archiveDirectory=null");
    }

    private HostDriver.Context context(final String name)
    {
        return new HostDriver.Context()
            .externalDriver(aeronDirectory)
            .archiveDirectory(directory.resolve(name))
            .minFreeBytes(0);
    }

    private static HostDriverException refusal(final HostDriver.Context ctx)
    {
        return catchThrowableOfType(HostDriverException.class, () -> HostDriver.launch(ctx).close());
    }

    private static long record(final AeronArchive client, final int messages)
    {
        try (ExclusivePublication publication = client.addRecordedExclusivePublication(CHANNEL, STREAM_ID))
        {
            final CountersReader counters = client.context().aeron().countersReader();
            final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
            Await.until(TIMEOUT_NS, () -> CountersReader.NULL_COUNTER_ID != RecordingPos.findCounterIdBySession(
                counters, publication.sessionId(), client.archiveId()));
            for (int i = 0; i < messages; i++)
            {
                Await.until(TIMEOUT_NS, () -> publication.offer(message) > 0);
            }
            final int counterId = RecordingPos.findCounterIdBySession(
                counters, publication.sessionId(), client.archiveId());
            Await.until(TIMEOUT_NS, () -> counters.getCounterValue(counterId) == publication.position());

            return publication.position();
        }
    }

    private static List<Long> ends(final AeronArchive client)
    {
        final List<Long> ends = new ArrayList<>();
        final List<Long> recordings = new ArrayList<>();
        client.listRecordings(0, 10, (controlSessionId, correlationId, recordingId, startTimestamp, stopTimestamp,
            startPosition, stopPosition, initialTermId, segmentFileLength, termBufferLength, mtuLength, sessionId,
            streamId, strippedChannel, originalChannel, sourceIdentity) -> recordings.add(recordingId));
        for (final long recording : recordings)
        {
            Await.until(TIMEOUT_NS, () -> AeronArchive.NULL_POSITION != client.getStopPosition(recording));
            ends.add(client.getStopPosition(recording));
        }

        return ends;
    }
}
