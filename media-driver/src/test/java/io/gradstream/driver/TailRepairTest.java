/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.driver;

import io.aeron.archive.client.AeronArchive;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
            "0-0.rec cut at offset " + 2 * frameLength + " (behind the stop position)");
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
            .allSatisfy((line) -> assertThat(line).contains("removed (behind the stop position)"));
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

    private RepairReport repair() throws IOException
    {
        return new TailRepair(archiveDirectory).run();
    }

    private Path segment(final long position)
    {
        return archiveDirectory.resolve("0-" + position + ".rec");
    }
}
