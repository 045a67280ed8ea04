// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.aeron.archive.ArchiveTool;
import io.aeron.archive.checksum.Checksums;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.driver.files.SegmentFrames;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.RecordingReader.End;
import io.gradstream.recovery.recording.StreamReport.State;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static io.gradstream.recovery.recording.RecordingRig.JOB;
import static io.gradstream.recovery.recording.RecordingRig.PARTITION;
import static io.gradstream.recovery.recording.RecordingRig.SEGMENT_LENGTH;
import static io.gradstream.recovery.recording.RecordingRig.SLOT;
import static io.gradstream.recovery.recording.RecordingRig.flip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class RecordingFilesTest
{
    private static final int RECORDS = 100;
    private static final int PAGE_LENGTH = 4096;

    @TempDir
    private Path dir;
    private RecordingRig rig;

    @BeforeEach
    void setUp()
    {
        rig = new RecordingRig(dir.resolve("node"));
    }

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(rig);
    }

    @Test
    void shouldReadEveryRecordOverTermsAndSegmentsWhenClosedInOrder()
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        log.close();

        final RecordingDirectory directory = rig.open();
        final RecordingEntry entry = directory.log(JOB, PARTITION);
        assertThat(RecordingDirectory.find(dir.resolve("node"))).isEqualTo(directory.path());
        assertThat(entry.recordingId()).isEqualTo(log.recordingId);
        assertThat(entry.geometry()).isEqualTo(RecordingRig.GEOMETRY);
        assertThat(entry.stopPosition()).isEqualTo(log.end());
        assertThat(directory.segmentBases(entry)).hasSizeGreaterThan(2);
        final List<Long> ends = new ArrayList<>();
        try (RecordingReader reader = directory.read(entry))
        {
            while (reader.next())
            {
                ends.add(reader.position());
            }
            assertThat(reader.end()).isEqualTo(End.COMPLETE);
        }
        assertThat(ends).isEqualTo(log.ends);
    }

    @Test
    void shouldSayWhatIsInALog()
    {
        final RecordingRig.Recorded log = rig.log();
        log.epoch(1);
        log.table(TableSpec.sparse(0, "weights", 4, "add/1"), 1);
        log.clock(1, 1, 0);
        log.clock(2, 1, 0);
        log.epoch(2);
        log.close();

        final RecordingDirectory directory = rig.open();
        final LogScan scan = LogScan.run(directory, directory.log(JOB, PARTITION));
        assertThat(scan.report()).isEqualTo(new StreamReport(
            directory.log(JOB, PARTITION), State.COMPLETE, log.end(), 2, 5, StreamReport.NO_POSITION, null));
        assertThat(scan.counts()).isEqualTo(Map.of("EpochStarted", 2L, "TableCreated", 1L, "ClockDone", 2L));
        assertThat(scan.tables()).extracting(TableSpec::name).containsExactly("weights");
        assertThat(scan.slots()).isEqualTo(Map.of(SLOT, 2L));
        assertThat(scan.epochs())
            .containsExactly(new LogScan.Epoch(1, 0), new LogScan.Epoch(2, log.lastBegin()));
    }

    @Test
    void shouldFindTheEndByItselfWhenKilled()
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);

        final RecordingDirectory killed = rig.copyAsKilled(dir.resolve("killed"));
        assertThat(killed.log(JOB, PARTITION).isStopped()).isFalse();
        assertReport(killed, State.COMPLETE, log.end());
    }

    @Test
    void shouldCallATornTailTornWhenKilledInTheMiddleOfAWrite() throws IOException
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        final RecordingDirectory killed = rig.copyAsKilled(dir.resolve("killed"));
        final RecordingEntry entry = killed.log(JOB, PARTITION);
        final long tornAt = BitUtil.align(log.lastBegin() + SegmentFrames.HEADER_LENGTH, PAGE_LENGTH);
        assertThat(tornAt).isLessThan(log.end());
        try (RandomAccessFile file = RecordingRig.file(killed, entry, log.lastBegin()))
        {
            file.seek(tornAt - entry.segmentBase(log.lastBegin()));
            file.write(new byte[(int)(log.end() - tornAt)]);
        }

        final StreamReport report = assertReport(killed, State.TORN, log.lastBegin());
        assertThat(report.isSound()).isTrue();
        assertThat(report.problem()).contains("checksum");
    }

    /** A kill ends a write between two pages; what is blank from within a page on has been recorded and is lost. */
    @Test
    void shouldCallATailBrokenThatIsBlankFromWithinAPageOn() throws IOException
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        final RecordingDirectory killed = rig.copyAsKilled(dir.resolve("killed"));
        final RecordingEntry entry = killed.log(JOB, PARTITION);
        final long blankFrom = (log.end() - 1) / PAGE_LENGTH * PAGE_LENGTH + 1;
        try (RandomAccessFile file = RecordingRig.file(killed, entry, log.lastBegin()))
        {
            file.seek(blankFrom - entry.segmentBase(log.lastBegin()));
            file.write(new byte[(int)(log.end() - blankFrom)]);
        }

        assertReport(killed, State.BROKEN, log.lastBegin());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 5, 6, 8, 12, 16, 20, 32, 60, 64, 72, 3000})
    void shouldSayWhereALogIsBrokenWhenABitIsFlipped(final int offset) throws IOException
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        final RecordingDirectory killed = rig.copyAsKilled(dir.resolve("killed"));
        log.close();
        final RecordingDirectory stopped = rig.open();
        final long position = log.ends.get(40);

        for (final RecordingDirectory directory : List.of(killed, stopped))
        {
            flip(directory, directory.log(JOB, PARTITION), position + offset);
            assertReport(directory, State.BROKEN, position);
        }
    }

    @Test
    void shouldCallTheLastRecordBrokenAndNeverTornWhicheverBitOfItsHeaderFlips() throws IOException
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        final RecordingDirectory killed = rig.copyAsKilled(dir.resolve("killed"));
        final RecordingEntry entry = killed.log(JOB, PARTITION);

        for (int bit = 0; bit < SegmentFrames.HEADER_LENGTH * Byte.SIZE; bit++)
        {
            final int field = bit / Byte.SIZE;
            flip(killed, entry, log.lastBegin() + field, bit % Byte.SIZE);
            final StreamReport report = LogScan.run(killed, entry).report();
            assertThat(report.state()).as("byte=%d bit=%d", field, bit % Byte.SIZE)
                .isEqualTo(field < DataHeaderFlyweight.RESERVED_VALUE_OFFSET ? State.BROKEN : State.COMPLETE);
            flip(killed, entry, log.lastBegin() + field, bit % Byte.SIZE);
        }
        assertReport(killed, State.COMPLETE, log.end());
    }

    @Test
    void shouldFindARecordThatWasChangedTogetherWithItsFramesChecksum() throws IOException
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        log.close();
        final RecordingDirectory directory = rig.open();
        final RecordingEntry entry = directory.log(JOB, PARTITION);
        final long position = log.ends.get(0);
        flip(directory, entry, position + SegmentFrames.HEADER_LENGTH + 100);
        final int length = (int)(log.ends.get(1) - position);
        final byte[] frame = new byte[length];
        try (RandomAccessFile file = RecordingRig.file(directory, entry, position))
        {
            file.seek(position);
            file.readFully(frame);
            final UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
            direct.putBytes(0, frame);
            final int checksum = Checksums.crc32c().compute(direct.addressOffset(), 32, length - 32);
            file.seek(position + 12);
            file.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(checksum).array());
        }

        assertThat(assertReport(directory, State.BROKEN, position).problem()).isEqualTo("checksum differs");
    }

    @Test
    void shouldFindALogWhoseHistoryWasExchanged()
    {
        final RecordingRig.Recorded log = rig.log();
        log.clock(1, 1, 0);
        log.chainHash++;
        log.clock(2, 1, 0);
        log.close();

        assertThat(assertReport(rig.open(), State.BROKEN, log.ends.get(0)).problem()).contains("chain hash");
    }

    @Test
    void shouldFindAnEpochThatWentBack()
    {
        final RecordingRig.Recorded log = rig.log();
        log.clock(1, 2, 0);
        log.clock(2, 1, 0);
        log.close();

        assertThat(assertReport(rig.open(), State.BROKEN, log.ends.get(0)).problem()).isEqualTo("epoch=1 after=2");
    }

    @Test
    void shouldSayWhereALogIsBrokenWhenASegmentIsMissing() throws IOException
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        final RecordingDirectory killed = rig.copyAsKilled(dir.resolve("killed"));
        log.close();
        final RecordingDirectory stopped = rig.open();

        for (final RecordingDirectory directory : List.of(killed, stopped))
        {
            final String name = directory.log(JOB, PARTITION).segmentName(SEGMENT_LENGTH);
            Files.delete(directory.path().resolve(name));
            assertThat(assertReport(directory, State.BROKEN, SEGMENT_LENGTH).problem()).contains(name);
        }
    }

    @Test
    void shouldCheckAPurgedLogFromItsFirstRecordKept()
    {
        final RecordingRig.Recorded log = rig.log();
        log.clocks(RECORDS);
        rig.purge(log.recordingId, SEGMENT_LENGTH);
        log.close();

        final RecordingDirectory directory = rig.open();
        final RecordingEntry entry = directory.log(JOB, PARTITION);
        assertThat(entry.startPosition()).isEqualTo(SEGMENT_LENGTH);
        assertReport(directory, State.COMPLETE, log.end());
        assertThatThrownBy(() -> directory.read(entry, 0))
            .isInstanceOf(ReplayException.class).hasMessageContaining("position=0");
    }

    @Test
    void shouldReadALogThatBeginsInTheMiddleOfATerm() throws IOException
    {
        final long start = 3L * RecordingRig.GEOMETRY.termLength() + 96;
        final RecordingRig.Recorded log = rig.log(start);
        log.index = 41;
        log.clocks(RECORDS);
        final RecordingDirectory killed = rig.copyAsKilled(dir.resolve("killed"));
        log.close();

        final RecordingDirectory stopped = rig.open();
        for (final RecordingDirectory directory : List.of(killed, stopped))
        {
            final RecordingEntry entry = directory.log(JOB, PARTITION);
            assertThat(entry.startPosition()).isEqualTo(start);
            assertReport(directory, State.COMPLETE, log.end());
            flip(directory, entry, log.ends.get(70) + 60);
            assertReport(directory, State.BROKEN, log.ends.get(70));
        }
    }

    @Test
    void shouldTellWholeUnfinishedAndBrokenSnapshotsApart() throws IOException
    {
        final RecordingRig.Recorded whole = snapshot(0, 0, LogRecords.EMPTY_CHAIN_HASH);
        final RecordingRig.Recorded broken = snapshot(0, 0, LogRecords.EMPTY_CHAIN_HASH);
        final RecordingRig.Recorded unfinished = rig.snapshot();
        unfinished.snapshotStarted(0, 1, 0, 7);
        unfinished.snapshotEntries(3);
        unfinished.close();
        final RecordingDirectory directory = rig.open();
        flip(directory, directory.entry(broken.recordingId), broken.ends.get(4) + 50);

        final List<StreamReport> reports = DirectoryCheck.run(directory);
        assertThat(reports).extracting(StreamReport::state)
            .containsExactly(State.COMPLETE, State.BROKEN, State.UNFINISHED);
        assertThat(reports).extracting(StreamReport::position)
            .containsExactly(whole.end(), broken.ends.get(4), unfinished.end());
        assertThat(directory.snapshots(JOB, PARTITION)).extracting(RecordingEntry::kind).containsOnly(Kind.SNAPSHOT);
    }

    @Test
    void shouldFindASnapshotThatDoesNotBelongToItsLog()
    {
        final RecordingRig.Recorded log = rig.log();
        log.clock(1, 1, 0);
        final long position = log.end();
        final long chainHash = log.chainHash;
        log.clock(2, 1, 0);
        log.close();
        snapshot(position, 1, chainHash);
        snapshot(position, 1, chainHash + 1);
        snapshot(position + 32, 1, chainHash);
        snapshot(log.end() + 64, 1, chainHash);

        final List<StreamReport> reports = DirectoryCheck.run(rig.open());
        assertThat(reports).extracting(StreamReport::state).containsExactly(
            State.COMPLETE, State.COMPLETE, State.BROKEN, State.BROKEN, State.BROKEN);
        assertThat(reports.get(2).problem()).contains("another history");
        assertThat(reports.get(3).problem()).contains("where no record of the log ends");
        assertThat(reports.get(4).problem()).contains("the log ends at " + log.end());
    }

    @Test
    void shouldSayThatARecordingWasWithdrawn()
    {
        final RecordingRig.Recorded log = rig.log();
        log.clock(1, 1, 0);
        log.close();
        rig.stop();
        ArchiveTool.markRecordingInvalid(
            new PrintStream(OutputStream.nullOutputStream()), rig.archiveDirectory.toFile(), log.recordingId);

        final RecordingDirectory directory = rig.open();
        assertThat(directory.log(JOB, PARTITION)).as("as a node sees it").isNull();
        final StreamReport report = DirectoryCheck.run(directory).get(0);
        assertThat(report.state()).isEqualTo(State.BROKEN);
        assertThat(report.problem()).contains("withdrawn");
    }

    @Test
    void shouldFindARecordThatTheCatalogCutsInTwo() throws IOException
    {
        final RecordingRig.Recorded log = rig.log();
        log.clock(1, 1, 0);
        log.clock(2, 1, 100);
        log.close();
        rig.stop();
        final Path catalog = rig.archiveDirectory.resolve(ArchiveCatalog.FILE_NAME);
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN);
        int offset = 0;
        while (bytes.getLong(offset) != log.end())
        {
            offset += Integer.BYTES;
        }
        bytes.putLong(offset, log.end() - 32);
        Files.write(catalog, bytes.array());

        assertThat(assertReport(rig.open(), State.BROKEN, log.lastBegin()).problem()).contains("beyond the recording");
    }

    @Test
    void shouldReadOtherStreamsByTheirFramesAlone()
    {
        final RecordingRig.Recorded other = rig.record("something", 77, 0);
        other.clock(1, 1, 0);
        other.close();

        final List<StreamReport> reports = DirectoryCheck.run(rig.open());
        assertThat(reports).extracting((report) -> report.entry().kind()).containsExactly(Kind.OTHER);
        assertThat(reports).extracting(StreamReport::state).containsExactly(State.COMPLETE);
    }

    @Test
    void shouldRefuseADirectoryWithoutOrWithADamagedCatalog() throws IOException
    {
        assertThat(RecordingDirectory.find(dir)).isNull();

        rig.log().close();
        rig.stop();
        final Path catalog = rig.archiveDirectory.resolve(ArchiveCatalog.FILE_NAME);
        final byte[] bytes = Files.readAllBytes(catalog);
        bytes[34] = 127;
        Files.write(catalog, bytes);
        assertThatThrownBy(() -> RecordingDirectory.open(rig.archiveDirectory))
            .isInstanceOf(ReplayException.class).hasMessageContaining("damaged");
    }

    private RecordingRig.Recorded snapshot(final long position, final long index, final long chainHash)
    {
        final RecordingRig.Recorded snapshot = rig.snapshot();
        snapshot.snapshotStarted(position, 1, index, chainHash);
        snapshot.snapshotEntries(10);
        snapshot.snapshotEnded();
        snapshot.close();

        return snapshot;
    }

    private static StreamReport assertReport(
        final RecordingDirectory directory, final State state, final long position)
    {
        final StreamReport report = LogScan.run(directory, directory.log(JOB, PARTITION)).report();
        assertThat(report.state()).as("%s", report).isEqualTo(state);
        assertThat(report.position()).as("%s", report).isEqualTo(position);

        return report;
    }
}
