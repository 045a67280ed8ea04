// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.RecordingState;
import io.gradstream.driver.files.RecordCheck;
import io.gradstream.driver.files.TailRepair.RepairReport;
import io.gradstream.driver.files.TailRepair;
import io.gradstream.driver.files.WithdrawnRecordings;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class TailRepairTest
{
    private static final int FRAMES = 5;
    private static final int SEGMENT_LENGTH = 16 << 20;
    private static final int PAGE_LENGTH = 4096;

    private final Path aeronDirectory = AeronDirectory.newDefault();

    @TempDir
    private Path archiveDirectory;

    private RecordedLog log;
    private long frameLength;

    @BeforeEach
    void record()
    {
        log = RecordedLog.record(aeronDirectory, archiveDirectory, FRAMES);
        frameLength = log.stopPosition() / FRAMES;
    }

    @AfterEach
    void removeAeronDirectory()
    {
        IoUtil.delete(aeronDirectory.toFile(), true);
    }

    @Test
    void shouldFinishATruncationWhenKilledBeforeItsFilesWereCut() throws IOException
    {
        log.stopAt(2 * frameLength);

        assertThat(repair().truncated()).containsExactly(
            "0-0.rec cut at offset " + 2 * frameLength + " (after the stop position)");
        assertThat(log.catalogued()).isEqualTo("valid stop=" + 2 * frameLength);
        assertThat(Files.size(segment(0))).isEqualTo(SEGMENT_LENGTH);

        final RepairReport again = repair();
        assertThat(again.truncated()).isEmpty();
        assertThat(again.damaged()).isEmpty();
    }

    @Test
    void shouldFinishATruncationWhenKilledBetweenItsFiles() throws IOException
    {
        Files.copy(segment(0), segment(SEGMENT_LENGTH));
        Files.copy(segment(0), segment(3 * SEGMENT_LENGTH));

        assertThat(repair().truncated()).hasSize(2)
            .allSatisfy((line) -> assertThat(line).contains("removed (after the stop position)"));
        assertThat(segment(SEGMENT_LENGTH)).doesNotExist();
        assertThat(segment(3 * SEGMENT_LENGTH)).doesNotExist();
        assertThat(log.catalogued()).isEqualTo("valid stop=" + log.stopPosition());
    }

    @Test
    void shouldReportDamageWhenLessIsThereThanWasStopped() throws IOException
    {
        log.blankFrom(3 * frameLength);

        assertThat(repair().damaged()).hasSize(1);
        assertThat(log.catalogued()).isEqualTo("invalid stop=" + log.stopPosition());
    }

    @Test
    void shouldReportDamageWhenTheLastSegmentIsMissing() throws IOException
    {
        Files.delete(segment(0));

        assertThat(repair().damaged()).hasSize(1).first().asString().contains("last segment is missing");
        assertThat(log.catalogued()).startsWith("invalid");
    }

    @Test
    void shouldReportDamageWhenAFrameSaysThatItIsLongerThanAnyIs() throws IOException
    {
        log.stopAt(AeronArchive.NULL_POSITION);
        log.write(log.lastFragmentOffset(), new byte[]{ (byte)0xF0, (byte)0xFF, (byte)0xFF, 0x7F });

        assertThat(repair().damaged()).hasSize(1).first().asString().contains("wrong frame");
        assertThat(log.catalogued()).isEqualTo("invalid stop=" + AeronArchive.NULL_POSITION);
    }

    @Test
    void shouldReportDamageWhenOnlyTheMiddleOfTheLastFrameIsBlank() throws IOException
    {
        log.stopAt(AeronArchive.NULL_POSITION);
        final long page = (log.lastFragmentOffset() / PAGE_LENGTH + 1) * PAGE_LENGTH;
        log.write(page, new byte[PAGE_LENGTH]);

        final RepairReport report = repair();
        assertThat(report.truncated()).isEmpty();
        assertThat(report.damaged()).hasSize(1).first().asString().contains("checksum failed");
    }

    @Test
    void shouldOfferARecordingAgainWhenItsFileIsRightAgain() throws IOException
    {
        log.stopAt(AeronArchive.NULL_POSITION);
        final byte[] sound = Files.readAllBytes(segment(0));
        log.flipByte(1000);
        assertThat(repair().damaged()).hasSize(1);
        assertThat(log.catalogued()).startsWith("invalid");

        Files.write(segment(0), sound);
        assertThat(repair().damaged()).isEmpty();
        assertThat(log.catalogued()).isEqualTo("valid stop=" + log.stopPosition());
    }

    @ParameterizedTest
    @EnumSource(value = RecordingState.class, names = { "INVALID", "VALID" })
    void shouldStartWhenKilledBetweenTheEntryOfARecordingAndItsCount(final RecordingState state) throws IOException
    {
        log.addUncountedEntry(state);

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().damaged()).isEmpty();
            assertThat(host.repairReport().mended()).hasSize(2);
            assertThat(client.getStopPosition(0)).isEqualTo(log.stopPosition());
            assertThat(withdrawn(client)).isEmpty();
            assertThat(client.listRecording(1, (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) -> {})).isZero();
        }
        assertThat(RecordedLog.record(aeronDirectory, archiveDirectory, FRAMES).stopPosition())
            .isEqualTo(log.stopPosition());
        assertThat(archiveDirectory.resolve("2-0.rec")).exists();
    }

    @Test
    void shouldGiveNoNewRecordingTheIdOfFilesThatAreThere() throws IOException
    {
        Files.copy(segment(0), archiveDirectory.resolve("6-0.rec"));

        assertThat(repair().mended()).containsExactly("the catalog's next recording is 7, was 1");
        assertThat(repair().mended()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = StandardOpenOption.class, names = { "READ", "WRITE" })
    void shouldSkipAFileThatCannotBeUsedAndMendTheOthers(final StandardOpenOption refused) throws IOException
    {
        RecordedLog.record(aeronDirectory, archiveDirectory, FRAMES);
        log.stopAt(AeronArchive.NULL_POSITION);
        final TailRepair repair = new TailRepair(archiveDirectory, RecordCheck.NONE, (file, option) ->
        {
            if (refused == option && file.equals(segment(0)))
            {
                throw new AccessDeniedException(file.toString());
            }
            return FileChannel.open(file, option);
        });

        assertThat(repair.run().damaged()).hasSize(1).first().asString()
            .contains("recordingId=0", segment(0).toString(), "permissions");
        assertThat(log.catalogued())
            .isEqualTo("invalid stop=" + AeronArchive.NULL_POSITION + "valid stop=" + log.stopPosition());
        assertThat(repair().damaged()).as("when it can be used again").isEmpty();
        assertThat(log.catalogued()).startsWith("valid stop=" + log.stopPosition());
    }

    @Test
    void shouldStartAndOfferTheOthersWhenAFileCannotBeRead() throws IOException
    {
        RecordedLog.record(aeronDirectory, archiveDirectory, FRAMES);
        Files.delete(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE));
        Files.delete(segment(0));
        Files.createDirectories(segment(0).resolve("in-its-place"));

        try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
            AeronArchive client = AeronArchive.connect(host.archiveContext()))
        {
            assertThat(host.repairReport().damaged()).hasSize(1).first().asString().startsWith("recordingId=0: ");
            assertThat(withdrawn(client)).containsExactly("0 withdrawn recording: alias=a-log");
            assertThat(client.getStopPosition(1)).isEqualTo(log.stopPosition());
        }
    }

    @Test
    void shouldCutNothingWhenABitOfALengthPointsIntoBlankSpace() throws IOException
    {
        log.stopAt(AeronArchive.NULL_POSITION);
        final byte[] recorded = Files.readAllBytes(segment(0));
        final int length = (int)frameLength - 16;
        log.write(frameLength, new byte[]{ (byte)length, (byte)(length >> 8 ^ 0x08) });

        final RepairReport report = repair();
        assertThat(report.truncated()).isEmpty();
        assertThat(report.damaged()).hasSize(1).first().asString().contains("offset=" + frameLength);
        assertThat(Files.size(segment(0))).isEqualTo(recorded.length);
        assertThat(log.catalogued()).startsWith("invalid");
    }

    @Test
    void shouldSayWhichRecordingsAreWithdrawnAtEachStart() throws IOException
    {
        log.stopAt(AeronArchive.NULL_POSITION);
        log.flipByte(1000);
        Files.delete(archiveDirectory.resolve(ArchiveDirectory.CLEAN_STOP_FILE));

        for (int i = 0; i < 2; i++)
        {
            try (HostDriver host = HostDriver.launch(HostDriverTest.context(aeronDirectory, archiveDirectory));
                AeronArchive client = AeronArchive.connect(host.archiveContext()))
            {
                assertThat(host.repairReport().damaged()).hasSize(1);
                assertThat(withdrawn(client)).containsExactly("0 withdrawn recording: alias=a-log");
            }
        }
    }

    private static List<String> withdrawn(final AeronArchive client)
    {
        final List<String> found = new ArrayList<>();
        client.context().aeron().countersReader().forEach((counterId, typeId, key, label) ->
        {
            if (WithdrawnRecordings.COUNTER_TYPE_ID == typeId)
            {
                found.add(key.getLong(0) + " " + label);
            }
        });

        return found;
    }

    private RepairReport repair() throws IOException
    {
        return new TailRepair(archiveDirectory, RecordCheck.NONE).run();
    }

    private Path segment(final long position)
    {
        return archiveDirectory.resolve("0-" + position + ".rec");
    }
}
