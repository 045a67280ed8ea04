// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.server.function.UpdateFunctions;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static io.gradstream.server.recording.JobRebuild.UNKNOWN_COUNT;
import static io.gradstream.server.recording.RecordedPartition.JOB;
import static io.gradstream.server.recording.RecordedPartition.PARTITION;
import static io.gradstream.server.recording.RecordedPartition.SEGMENT_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class PartitionRebuildTest
{
    private static final int PUSHES = 70;

    @TempDir
    private Path dir;
    private RecordedPartition live;

    @BeforeEach
    void setUp()
    {
        live = new RecordedPartition(dir.resolve("node"));
        live.start();
    }

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(live);
    }

    @Test
    void shouldEqualTheLivePartitionAtEveryRecordWhenTheWholeLogIsKept()
    {
        live.pushes(PUSHES);
        live.takeSnapshot();
        live.pushes(PUSHES);
        live.takeSnapshot();
        live.pushes(PUSHES);

        assertThat(live.hashes).hasSizeGreaterThan(3 * PUSHES);
        assertThat(live.hashes.values().stream().filter((hash) -> 0 != hash)).doesNotHaveDuplicates();
        assertSameFrom(live.stopAndOpen(), 0);
    }

    @Test
    void shouldStopWhereTheLastSlotEndedAnIteration()
    {
        live.pushes(3);
        live.takeSnapshot();
        live.pushes(3);
        final long first = live.clock(1);
        live.pushes(3);
        live.takeSnapshot();
        final long second = live.clock(2);
        live.pushes(3);

        final RecordingDirectory directory = live.stopAndOpen();
        assertThat(hashAtClock(directory, 1)).as("the newest snapshot is of later").isEqualTo(live.hashes.get(first));
        assertThat(hashAtClock(directory, 2)).isEqualTo(live.hashes.get(second));
        assertThatThrownBy(() -> hashAtClock(directory, 3))
            .isInstanceOf(ReplayException.class).hasMessage("partition=0 has ended clock=2, not 3");
        try (JobRebuild job = JobRebuild.run(List.of(directory), JOB, UNKNOWN_COUNT, true, UpdateFunctions.BUILT_IN))
        {
            assertThat(job.clock()).isEqualTo(2);
            assertThat(job.partitions().get(0).partition().stateHash()).isEqualTo(live.hashes.get(second));
        }
        try (JobRebuild job = JobRebuild.run(List.of(directory), JOB, UNKNOWN_COUNT, false, UpdateFunctions.BUILT_IN))
        {
            assertThat(job.clock()).isEqualTo(JobRebuild.NO_CLOCK);
            assertThat(job.partitions().get(0).partition().stateHash())
                .isEqualTo(live.hashes.lastEntry().getValue());
        }
    }

    @Test
    void shouldTakeASnapshotOfTheIterationWhereNothingElseIsInIt()
    {
        live.partition.onConsistency(new Consistency(1, 0));
        live.pushes(3);
        live.clock(1);
        final long snapshot = live.takeSnapshot();
        final long position = live.partition.cursor().position();
        live.clock(2);

        final RecordingDirectory directory = live.stopAndOpen();
        try (PartitionRebuild rebuild = PartitionRebuild.runToClock(
            directory, JOB, PARTITION, 1, UpdateFunctions.BUILT_IN))
        {
            assertThat(rebuild.snapshotId()).isEqualTo(snapshot);
            assertThat(rebuild.cursor().position()).isEqualTo(position);
        }
    }

    @Test
    void shouldRebuildTablesWithFunctionsOfUsers()
    {
        final TableSpec doubled = TableSpec.sparse(2, "doubled", 3, "twice/1");
        live.createTable(doubled);
        live.push(doubled, 7, 1.5f);
        live.takeSnapshot();
        live.push(doubled, 7, 2.5f);

        final RecordingDirectory directory = live.stopAndOpen();
        try (JobRebuild job = JobRebuild.run(
            List.of(directory), JOB, UNKNOWN_COUNT, false, RecordedPartition.FUNCTIONS))
        {
            assertThat(job.partitions().get(0).partition().stateHash())
                .isEqualTo(live.hashes.lastEntry().getValue());
        }
        assertThatIllegalArgumentException().as("no copy can be rebuilt: another that is behind is no answer")
            .isThrownBy(() -> JobRebuild.run(List.of(directory), JOB, UNKNOWN_COUNT, false, UpdateFunctions.BUILT_IN))
            .withMessageContaining("unknown update function 'twice/1'").withMessageContaining("--plugins");
    }

    private static long hashAtClock(final RecordingDirectory directory, final long clock)
    {
        try (PartitionRebuild rebuild = PartitionRebuild.runToClock(
            directory, JOB, PARTITION, clock, UpdateFunctions.BUILT_IN))
        {
            return rebuild.partition().stateHash();
        }
    }

    @Test
    void shouldNameTheEarliestPositionWhenTheLogBeforeIsPurged()
    {
        live.pushes(PUSHES);
        live.takeSnapshot();
        final long older = live.partition.cursor().position();
        live.pushes(PUSHES);
        live.takeSnapshot();
        live.pushes(PUSHES);
        live.purgeLog(older);

        final RecordingDirectory directory = live.stopAndOpen();
        final RecordingEntry log = directory.log(JOB, PARTITION);
        assertThat(log.startPosition()).isBetween(1L, older);
        assertSameFrom(directory, older);
        assertThatThrownBy(() -> PartitionRebuild.run(directory, JOB, PARTITION, older - 1))
            .isInstanceOf(ReplayException.class)
            .hasMessageContaining("the earliest is position=" + older);
    }

    @Test
    void shouldNotBridgeAHoleBetweenASnapshotAndTheLog()
    {
        live.pushes(PUSHES);
        live.takeSnapshot();
        final long older = live.partition.cursor().position();
        live.pushes(PUSHES);
        live.takeSnapshot();
        final long newer = live.partition.cursor().position();
        live.pushes(1);
        live.purgeLog(newer);

        final RecordingDirectory directory = live.stopAndOpen();
        assertThat(directory.log(JOB, PARTITION).startPosition()).isBetween(older + 1, newer);
        assertSameFrom(directory, newer);
        assertThatThrownBy(() -> PartitionRebuild.run(directory, JOB, PARTITION, older + 1000))
            .isInstanceOf(ReplayException.class)
            .hasMessageContaining("the earliest is position=" + newer);
        try (PartitionRebuild rebuild = PartitionRebuild.run(directory, JOB, PARTITION, older))
        {
            assertThat(rebuild.partition().stateHash()).isEqualTo(live.hashes.get(older));
        }
    }

    @Test
    void shouldStandAtTheRecordBeforeWhenThePositionIsInsideARecord()
    {
        live.pushes(5);
        final long before = live.partition.cursor().position();
        live.pushes(1);

        try (PartitionRebuild rebuild = PartitionRebuild.run(live.stopAndOpen(), JOB, PARTITION, before + 32))
        {
            assertThat(rebuild.cursor().position()).isEqualTo(before);
            assertThat(rebuild.partition().stateHash()).isEqualTo(live.hashes.get(before));
        }
    }

    @Test
    void shouldUseTheSnapshotBeforeWhenTheNewestIsBroken() throws IOException
    {
        live.pushes(PUSHES);
        final long older = live.takeSnapshot();
        final long position = live.partition.cursor().position();
        live.pushes(PUSHES);
        final long newer = live.takeSnapshot();
        live.pushes(10);
        live.purgeLog(position);
        final RecordingDirectory directory = live.stopAndOpen();
        flip(directory, directory.entry(newer), 2000);

        try (PartitionRebuild rebuild = PartitionRebuild.run(directory, JOB, PARTITION, PartitionRebuild.END))
        {
            assertThat(rebuild.snapshotId()).isEqualTo(older);
            assertThat(rebuild.remarks()).singleElement().asString()
                .contains("recordingId=" + newer).contains("broken at position=");
            assertThat(rebuild.partition().stateHash()).isEqualTo(live.partition.stateHash());
        }
    }

    @Test
    void shouldReplayTheWholeLogWhenNoSnapshotIsSound() throws IOException
    {
        live.pushes(PUSHES);
        final long snapshot = live.takeSnapshot();
        live.pushes(10);
        final RecordingDirectory directory = live.stopAndOpen();
        flip(directory, directory.entry(snapshot), 2000);

        try (PartitionRebuild rebuild = PartitionRebuild.run(directory, JOB, PARTITION, PartitionRebuild.END))
        {
            assertThat(rebuild.snapshotId()).isEqualTo(PartitionRebuild.NO_SNAPSHOT);
            assertThat(rebuild.partition().stateHash()).isEqualTo(live.partition.stateHash());
        }
    }

    @Test
    void shouldGoNoFurtherThanWhereTheLogIsBroken() throws IOException
    {
        live.pushes(PUSHES);
        final long broken = live.partition.cursor().position();
        live.pushes(10);
        final RecordingDirectory directory = live.stopAndOpen();
        flip(directory, directory.log(JOB, PARTITION), broken + 100);

        assertThatThrownBy(() -> PartitionRebuild.run(directory, JOB, PARTITION, PartitionRebuild.END))
            .isInstanceOf(ReplayException.class)
            .hasMessageContaining("broken at position=" + broken)
            .hasMessageContaining("rebuilt up to position=" + broken);
        try (PartitionRebuild rebuild = PartitionRebuild.run(directory, JOB, PARTITION, broken))
        {
            assertThat(rebuild.partition().stateHash()).isEqualTo(live.hashes.get(broken));
        }
    }

    @Test
    void shouldRefuseAPositionBeyondTheEnd()
    {
        live.pushes(5);
        final long end = live.partition.cursor().position();

        assertThatThrownBy(() -> PartitionRebuild.run(live.stopAndOpen(), JOB, PARTITION, end + 1))
            .isInstanceOf(ReplayException.class).hasMessageContaining("end of the log at position=" + end);
        assertThatThrownBy(() -> PartitionRebuild.run(live.stopAndOpen(), JOB, PARTITION + 1, end))
            .isInstanceOf(ReplayException.class).hasMessageContaining("neither a log nor");
    }

    @Test
    void shouldRebuildFromSnapshotsAloneWhereNoLogIsKept() throws IOException
    {
        live.pushes(PUSHES);
        live.takeSnapshot();
        final long position = live.partition.cursor().position();
        final RecordingDirectory whole = live.stopAndOpen();
        final Path catalog = Files.createDirectory(dir.resolve("copy")).resolve("archive.catalog");
        Files.copy(whole.path().resolve("archive.catalog"), catalog);
        final long snapshotId = whole.snapshots(JOB, PARTITION).get(0).recordingId();
        Files.copy(whole.path().resolve(snapshotId + "-0.rec"), catalog.resolveSibling(snapshotId + "-0.rec"));
        hideAlias(catalog);

        final RecordingDirectory directory = RecordingDirectory.open(catalog.getParent());
        assertThat(directory.log(JOB, PARTITION)).isNull();
        try (PartitionRebuild rebuild = PartitionRebuild.run(directory, JOB, PARTITION, PartitionRebuild.END))
        {
            assertThat(rebuild.partition().stateHash()).isEqualTo(live.hashes.get(position));
        }
        assertThatThrownBy(() -> PartitionRebuild.run(directory, JOB, PARTITION, position + 64))
            .isInstanceOf(ReplayException.class).hasMessageContaining("[" + position + "]");
    }

    private void assertSameFrom(final RecordingDirectory directory, final long position)
    {
        for (final Map.Entry<Long, Long> entry : live.hashes.tailMap(position, true).entrySet())
        {
            try (PartitionRebuild rebuild = PartitionRebuild.run(directory, JOB, PARTITION, entry.getKey()))
            {
                assertThat(rebuild.cursor().position()).isEqualTo(entry.getKey());
                assertThat(rebuild.partition().stateHash()).as("at position=%d", entry.getKey())
                    .isEqualTo(entry.getValue());
            }
        }
    }

    /** Make the log in a catalog one of nobody: its alias is no longer ours. */
    private static void hideAlias(final Path catalog) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(catalog);
        final byte[] alias = "gradstream-log".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i + alias.length <= bytes.length; i++)
        {
            if (Arrays.equals(bytes, i, i + alias.length, alias, 0, alias.length))
            {
                bytes[i] = 'x';
            }
        }
        Files.write(catalog, bytes);
    }

    private static void flip(final RecordingDirectory directory, final RecordingEntry entry, final long position)
        throws IOException
    {
        try (RandomAccessFile file = new RandomAccessFile(
            directory.path().resolve(entry.segmentName(position)).toFile(), "rw"))
        {
            file.seek(position % SEGMENT_LENGTH);
            final int value = file.read();
            file.seek(position % SEGMENT_LENGTH);
            file.write(value ^ 1);
        }
    }
}
