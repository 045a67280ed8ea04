// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.Consistency;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.partition.DutyCycle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static io.gradstream.server.recording.JobRebuild.UNKNOWN_COUNT;
import static io.gradstream.server.recording.RecordedPartition.JOB;
import static io.gradstream.server.recording.RecordedPartition.WIDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A run in which the fast slot had finished when the bound was set to 0: what --resume continues after. */
@Timeout(120)
class ResumeBesideFinishedSlotTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldNotGoBackToIteration2WithThe3rdOfAFinishedSlotInIt()
    {
        try (RecordedPartition node = new RecordedPartition(dir.resolve("node")))
        {
            node.start();
            assertThat(node.partition.onConsistency(new Consistency(2, 5))).isTrue();
            node.partition.sumClocks(1 << 20);
            for (long clock = 1; clock <= 3; clock++)
            {
                iterate(node, 0, clock);
            }
            node.clock(0, Consistency.FINISHED);
            iterate(node, 1, 1);
            assertThat(node.partition.onConsistency(new Consistency(2, 0))).isTrue();
            iterate(node, 1, 2);
            DutyCycle.end(node.partition);

            final List<RecordingDirectory> directories = List.of(node.stopAndOpen());
            assertThatThrownBy(() -> JobRebuild.run(
                directories, JOB, UNKNOWN_COUNT, true, UpdateFunctions.BUILT_IN).close())
                .hasMessageContaining("all have to end clock=3");
        }
    }

    /** Bound 0 from the start: slot 0 finishes behind iteration 1 and trains once more; slot 1 has ended 2. */
    @Test
    void shouldNotCallTheEndOfTheLogIteration2WhereAFinishedSlotHasPushedSince()
    {
        try (RecordedPartition node = new RecordedPartition(dir.resolve("node")))
        {
            node.start();
            assertThat(node.partition.onConsistency(new Consistency(2, 0))).isTrue();
            node.partition.sumClocks(1 << 20);
            iterate(node, 0, 1);
            iterate(node, 1, 1);
            DutyCycle.end(node.partition);
            node.clock(0, Consistency.FINISHED);
            iterate(node, 1, 2);
            DutyCycle.end(node.partition);
            final long end = node.partition.cursor().position();
            node.push(0, WIDE, node.ownKey(WIDE, 1), 100);
            DutyCycle.end(node.partition);

            try (JobRebuild job = JobRebuild.run(
                List.of(node.stopAndOpen()), JOB, UNKNOWN_COUNT, true, UpdateFunctions.BUILT_IN))
            {
                assertThat(2 == job.clock() && job.partitions().get(0).partition().lastSequence(0) > 3).isFalse();
            }
        }
    }

    /** The snapshot was taken when the bound was 0, and later iterations of slots that were ahead are in it. */
    @Test
    void shouldNotTakeASnapshotOfBeforeTheBoundIsExactForTheEndOfAnIteration()
    {
        try (RecordedPartition node = new RecordedPartition(dir.resolve("node")))
        {
            node.start();
            assertThat(node.partition.onConsistency(new Consistency(2, 5))).isTrue();
            node.partition.sumClocks(1 << 20);
            iterate(node, 0, 1);
            iterate(node, 0, 2);
            iterate(node, 1, 1);
            assertThat(node.partition.onConsistency(new Consistency(2, 0))).isTrue();
            node.takeSnapshot();
            final List<RecordingDirectory> directories = List.of(node.stopAndOpen());
            assertThatThrownBy(() ->
                JobRebuild.run(directories, JOB, UNKNOWN_COUNT, true, UpdateFunctions.BUILT_IN).close())
                .hasMessageContaining("no iteration at whose end all partitions stood");
        }
    }

    private static void iterate(final RecordedPartition node, final int slot, final long clock)
    {
        node.push(slot, WIDE, node.ownKey(WIDE, 1), clock + slot);
        node.clock(slot, clock);
    }
}
