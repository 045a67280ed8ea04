// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.archive.client.AeronArchive;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.files.TailRepair.RepairReport;
import io.gradstream.testing.TestMemory;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class UncleanStopTest
{
    private static final long MAX_RESTART_NS = TimeUnit.SECONDS.toNanos(3);
    /** Several times what passes until a client notices that its driver has ended. */
    private static final long MAX_CLOSE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int EMPTY_SEGMENT_POSITION = 16 << 20;
    private static final int MIN_KILL_POSITION = 4 << 20;
    private static final int MAX_KILL_POSITION = 40 << 20;
    private static final int TERM_LENGTH = 1024 * 1024;
    private static final int FULL_FRAME_LENGTH = 8192;
    /** Frames of 7,040 bytes: padding longer than a page ends the first term. */
    private static final int ODD_MESSAGE_LENGTH = 7000;
    private static final int MESSAGES_TO_SECOND_TERM = 149;
    /** Not at a frame's multiple from a mebibyte, counted from there. */
    private static final int START_POSITION = TERM_LENGTH / 2 + 96;

    /** Not of the names that drivers choose themselves: others would remove what a killed process leaves there. */
    private final Path aeronDirectory = TestMemory.directory("unclean");

    @TempDir
    private Path archiveDirectory;

    @AfterEach
    void removeAeronDirectory()
    {
        IoUtil.delete(aeronDirectory.toFile(), true);
    }

    @RepeatedTest(4)
    void shouldStartAtOnceWithAllThatWasRecordedWhenKilledMidWrite() throws Exception
    {
        final int killPosition = ThreadLocalRandom.current().nextInt(MIN_KILL_POSITION, MAX_KILL_POSITION);
        final long reportedPosition = RecordingProcess.runAndKill(aeronDirectory, archiveDirectory, killPosition);
        assertThat(reportedPosition).isGreaterThanOrEqualTo(killPosition);
        assertThat(aeronDirectory).exists();

        final long startNs = System.nanoTime();
        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory)))
        {
            assertThat(System.nanoTime() - startNs).isLessThan(MAX_RESTART_NS);
            assertThat(host.repairReport().ran()).isTrue();
            assertThat(host.repairReport().damaged()).isEmpty();
            try (AeronArchive client = AeronArchive.connect(host.archiveContext()))
            {
                assertThat(client.getStopPosition(0)).isGreaterThanOrEqualTo(reportedPosition);
            }
        }

        assertThat(aeronDirectory).doesNotExist();
    }

    @Test
    void shouldCutTornLastFragmentAndSaySoWhenStoppedUncleanly() throws Exception
    {
        final RecordedLog log = RecordedLog.record(aeronDirectory, archiveDirectory, 5);
        log.tearLastFragment();
        log.pretendKilled();

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().truncated()).hasSize(1);
            assertThat(host.repairReport().truncated().get(0))
                .startsWith("0-0.rec cut at offset " + log.lastFragmentOffset());
            assertThat(host.repairReport().damaged()).isEmpty();
            assertThat(client.getStopPosition(0)).isEqualTo(log.lastFragmentOffset());
        }
    }

    @Test
    void shouldRemoveTheEmptySegmentWhenKilledWhileItWasMade() throws Exception
    {
        final RecordedLog log = RecordedLog.record(aeronDirectory, archiveDirectory, 5);
        Files.createFile(archiveDirectory.resolve("0-" + EMPTY_SEGMENT_POSITION + ".rec"));
        log.pretendKilled();

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().damaged()).isEmpty();
            assertThat(host.repairReport().truncated()).hasSize(1);
            assertThat(host.repairReport().truncated().get(0)).contains("empty segment");
            assertThat(client.getStopPosition(0)).isGreaterThan(log.lastFragmentOffset());
        }
    }

    @Test
    void shouldKeepPaddingAtTermEndWhenItIsTheLastFragment() throws Exception
    {
        final RecordedLog log = RecordedLog.record(aeronDirectory, archiveDirectory, 5);
        log.replaceLastFragmentByPadding();
        log.pretendKilled();

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().ran()).isTrue();
            assertThat(host.repairReport().truncated()).isEmpty();
            assertThat(client.getStopPosition(0)).isEqualTo(log.stopPosition());
        }
    }

    @Test
    void shouldKeepPaddingAtTheEndOfATermWhenKilledBeforeTheNextTerm() throws Exception
    {
        final RecordedLog log = RecordedLog.record(
            aeronDirectory, archiveDirectory, RecordingProcess.CHANNEL, MESSAGES_TO_SECOND_TERM, ODD_MESSAGE_LENGTH);
        assertThat(log.lastFragmentOffset()).isEqualTo(TERM_LENGTH);
        log.blankFrom(TERM_LENGTH);

        assertStoppedAtTermEnd(log);
    }

    @Test
    void shouldKeepARecordAtTheEndOfATermWhenKilledBeforeTheNextTerm() throws Exception
    {
        final int messagesPerTerm = TERM_LENGTH / FULL_FRAME_LENGTH;
        final RecordedLog log = RecordedLog.record(
            aeronDirectory, archiveDirectory, RecordingProcess.CHANNEL, messagesPerTerm,
            FULL_FRAME_LENGTH - DataHeaderFlyweight.HEADER_LENGTH);
        assertThat(log.stopPosition()).isEqualTo(TERM_LENGTH);

        assertStoppedAtTermEnd(log);
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, 3 })
    void shouldKeepWhatCrossesAMebibyteWhenTheRecordingBeganInsideATerm(final int following) throws Exception
    {
        final String channel = new ChannelUriStringBuilder(RecordingProcess.CHANNEL)
            .initialPosition(START_POSITION, 7, TERM_LENGTH).build();
        final int termRest = (TERM_LENGTH - START_POSITION) / FULL_FRAME_LENGTH;
        final int toCrossing = START_POSITION / FULL_FRAME_LENGTH + 1;
        final RecordedLog log = RecordedLog.record(
            aeronDirectory, archiveDirectory, channel, termRest + toCrossing + following,
            FULL_FRAME_LENGTH - DataHeaderFlyweight.HEADER_LENGTH);
        log.pretendKilled();

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().truncated()).isEmpty();
            assertThat(host.repairReport().damaged()).isEmpty();
            assertThat(client.getStopPosition(0)).isEqualTo(log.stopPosition());
        }
    }

    private void assertStoppedAtTermEnd(final RecordedLog log) throws IOException
    {
        log.pretendKilled();
        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().ran()).isTrue();
            assertThat(host.repairReport().truncated()).isEmpty();
            assertThat(host.repairReport().damaged()).isEmpty();
            assertThat(client.getStopPosition(0)).isEqualTo(TERM_LENGTH);
        }
    }

    @Test
    void shouldReportDamageWhenALastSegmentIsWrongBeforeItsEnd() throws Exception
    {
        final RecordedLog log = RecordedLog.record(aeronDirectory, archiveDirectory, 5);
        log.flipByte(1000);
        log.pretendKilled();

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory)))
        {
            assertThat(host.repairReport().damaged()).hasSize(1);
            assertThat(host.repairReport().damaged().get(0)).contains("recordingId=0", "checksum failed");
        }
    }

    @Test
    void shouldKeepARepairedRecordingWhenStoppedUncleanlyAgain() throws Exception
    {
        final RecordedLog log = RecordedLog.record(aeronDirectory, archiveDirectory, 5);
        log.pretendKilled();
        HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory)).close();
        Files.delete(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE));

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().ran()).isTrue();
            assertThat(host.repairReport().damaged()).isEmpty();
            assertThat(client.getStopPosition(0)).isEqualTo(log.stopPosition());
        }
    }

    @Test
    void shouldNotExamineWhenStoppedInOrder() throws Exception
    {
        RecordedLog.record(aeronDirectory, archiveDirectory, 5);

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory)))
        {
            assertThat(host.repairReport()).isEqualTo(RepairReport.NOT_NEEDED);
            assertThat(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE)).doesNotExist();
        }
    }

    /** The Archive's client goes, as after a standstill, and the host is closed before the Archive's thread ends. */
    @Test
    void shouldExamineWhenClosedWhileTheArchiveEndsByItself() throws Exception
    {
        final Path driverDirectory = AeronDirectory.newDefault();
        final HostDriver driver = HostDriver.launch(new HostDriver.Context().aeronDirectory(driverDirectory));
        final CompletableFuture<HostDriver> started = new CompletableFuture<>();
        final Thread closer = new Thread(() -> started.join().close());
        final HostDriver host = HostDriver.launch(HostDriverTest.context(null, archiveDirectory)
            .externalDriver(driverDirectory)
            .errorLog((line) ->
            {
                if (line.contains("unexpected Aeron close"))
                {
                    closer.start();
                    Await.until(MAX_CLOSE_NS, () -> SlowNames.isIn(closer.getStackTrace(), "AgentRunner", "close"));
                }
            }));
        started.complete(host);
        final long recorded;
        try (Aeron aeron = Aeron.connect(host.aeronContext().errorHandler((endsToo) -> {}));
            AeronArchive client = AeronArchive.connect(host.archiveContext().aeron(aeron)))
        {
            recorded = RecordedLog.append(client, client.addRecordedExclusivePublication(
                RecordingProcess.CHANNEL, RecordingProcess.STREAM_ID), 5, ODD_MESSAGE_LENGTH);
            driver.close();
            Await.until(MAX_CLOSE_NS, () -> Thread.State.NEW != closer.getState());
            closer.join();
        }

        try (HostDriver next = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(next.archiveContext()))
        {
            assertThat(next.repairReport().ran()).isTrue();
            assertThat(next.repairReport().damaged()).isEmpty();
            assertThat(client.getStopPosition(0)).isEqualTo(recorded);
        }
    }

    @Test
    void shouldFindAFlippedByteWhenReplayed() throws Exception
    {
        final RecordedLog log = RecordedLog.record(aeronDirectory, archiveDirectory, 5);
        assertThat(log.replayedMessages(aeronDirectory)).isEqualTo(5);

        log.flipByte(1000);
        assertThat(log.replayedMessages(aeronDirectory)).isLessThan(5);
    }

    @Test
    void shouldStartWhenKilledBeforeTheCatalogHadAHeader() throws Exception
    {
        Files.write(archiveDirectory.resolve("archive.catalog"), new byte[4096]);

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory)))
        {
            assertThat(host.repairReport().ran()).isFalse();
        }
    }

    @Test
    void shouldNotDeleteADirectoryThatIsNoDrivers() throws Exception
    {
        final Path precious = Files.writeString(archiveDirectory.resolve("precious"), "x");

        assertThatThrownBy(() -> HostDriver.launch(new HostDriver.Context().aeronDirectory(archiveDirectory)))
            .isInstanceOf(HostDriverException.class).hasMessageContaining("is not a media driver's directory");
        assertThat(precious).exists();
    }
}
