// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.recovery.log.FrameSink;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.partition.DutyCycle;
import org.agrona.CloseHelper;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

import static io.gradstream.server.recording.RecordedPartition.JOB;
import static io.gradstream.server.recording.RecordedPartition.WEIGHTS;
import static io.gradstream.server.recording.RecordedPartition.WIDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A job that is rebuilt from directories is of one iteration everywhere, or refused: what the live cut of that
 * iteration holds, and what resuming repeats nothing of.
 */
@Timeout(120)
class JobRebuildTest
{
    private static final int MAX_HELD_BYTES = 1 << 20;

    @TempDir
    private Path dir;
    private final List<RecordedPartition> nodes = new ArrayList<>();

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(nodes);
    }

    @Test
    void shouldRefuseAPartitionThatWentBeyondTheIterationAtOnce()
    {
        final RecordedPartition at = node(0, 2, new Consistency(2, 5));
        final RecordedPartition beyond = node(1, 2, new Consistency(2, 5));
        iterate(at, 0, 1);
        iterate(at, 1, 1);
        iterate(beyond, 0, 1);
        iterate(beyond, 0, 2);
        // its process says first what the slot has ended, as after a takeover
        iterate(beyond, 1, 2);

        assertThatThrownBy(this::rebuild).isInstanceOf(ReplayException.class).hasMessageContaining(
            "no iteration at whose end all partitions stood: partition=0 at clock=1, partition=1 at none")
            .hasMessageContaining("--now");
    }

    @Test
    void shouldRefuseHalfOfThePartitionsThoughTheirKeysWouldFit()
    {
        final RecordedPartition first = node(0, 4, new Consistency(2, 5));
        final RecordedPartition second = node(1, 4, new Consistency(2, 5));
        for (final RecordedPartition node : List.of(first, second))
        {
            iterate(node, 0, 1);
            iterate(node, 1, 1);
        }

        assertThatThrownBy(() -> rebuild(4)).isInstanceOf(ReplayException.class)
            .hasMessage("partition=2 of 4 is in none of the directories, or cannot be rebuilt: name those of all" +
            " servers");
    }

    @Test
    void shouldGoBackToTheNewestIterationAtWhoseEndAllStood()
    {
        final RecordedPartition at = node(0, 2, new Consistency(2, 5));
        final RecordedPartition beyond = node(1, 2, new Consistency(2, 5));
        for (long clock = 1; clock <= 3; clock++)
        {
            iterate(at, 0, clock);
            iterate(at, 1, clock);
            iterate(beyond, 0, clock);
            if (2 == clock)
            {
                // the snapshot is of a later iteration than the one that is wanted
                beyond.takeSnapshot();
            }
            else
            {
                iterate(beyond, 1, clock);
            }
        }

        try (JobRebuild job = rebuild())
        {
            assertThat(job.clock()).isEqualTo(3);
        }
    }

    @Test
    void shouldSayThatItIsOfAnEarlierIterationThanAllHaveEnded()
    {
        final RecordedPartition at = node(0, 2, new Consistency(2, 5));
        final RecordedPartition beyond = node(1, 2, new Consistency(2, 5));
        for (long clock = 1; clock <= 2; clock++)
        {
            iterate(at, 0, clock);
            iterate(at, 1, clock);
        }
        iterate(beyond, 0, 1);
        iterate(beyond, 1, 1);
        final long first = beyond.partition.cursor().position();
        iterate(beyond, 0, 2);
        iterate(beyond, 0, 3);
        beyond.takeSnapshot();
        iterate(beyond, 1, 3);

        try (JobRebuild job = rebuild())
        {
            assertThat(job.clock()).isEqualTo(1);
            assertThat(job.partitions().get(1).cursor().position()).isEqualTo(first);
            assertThat(job.remarks()).anyMatch((remark) -> remark.contains("clock=1 is the newest at whose end all") &&
                remark.contains("clock=2"));
        }
    }

    /** One worker, both iterations of which come to a partition in one duty cycle. */
    @Test
    void shouldStandAtTheEndOfEachIterationWhereCyclesAreAddedUp()
    {
        final RecordedPartition one = node(0, 2, new Consistency(1, 1));
        final RecordedPartition both = node(1, 2, new Consistency(1, 1));
        nodes.forEach((node) -> node.partition.sumCycles(MAX_HELD_BYTES));
        iterate(one, 0, 1);
        DutyCycle.end(one.partition);
        iterate(both, 0, 1);
        iterate(both, 0, 2);
        DutyCycle.end(both.partition);

        assertThat(both.partition.minClock()).isEqualTo(2);
        try (JobRebuild job = rebuild())
        {
            assertThat(job.clock()).isEqualTo(1);
            assertThat(job.partitions()).allSatisfy((rebuilt) ->
            {
                assertThat(rebuilt.partition().minClock()).isEqualTo(1);
                assertThat(rebuilt.partition().lastSequence(0)).as("two pushes and their clock").isEqualTo(3);
            });
        }
    }

    @Test
    void shouldNotTakeAnIterationOfFewerSlotsForOneOfMore()
    {
        final RecordedPartition node = node(0, 1, new Consistency(1, 5));
        for (long clock = 1; clock <= 3; clock++)
        {
            iterate(node, 0, clock);
        }
        assertThat(node.partition.onConsistency(new Consistency(2, 5))).isTrue();
        iterate(node, 1, 1);
        final long both = node.partition.cursor().position();
        iterate(node, 1, 3);

        try (JobRebuild job = rebuild())
        {
            assertThat(job.clock()).isEqualTo(3);
            assertThat(job.partitions().get(0).cursor().position()).isGreaterThan(both);
        }
    }

    @Test
    void shouldRefuseAnIterationOfWhichLaterOnesWereAppliedBeforeTheBoundWasSetTo0()
    {
        final RecordedPartition node = node(0, 1, new Consistency(2, 5));
        iterate(node, 0, 1);
        iterate(node, 0, 2);
        iterate(node, 1, 1);
        assertThat(node.partition.onConsistency(new Consistency(2, 0))).isTrue();

        assertThatThrownBy(this::rebuild).isInstanceOf(ReplayException.class)
            .hasMessageContaining("the bound was set to 0 while slots were apart: all have to end clock=3");
        assertThatThrownBy(() -> PartitionRebuild.runToClock(
            nodes.get(0).stopAndOpen(), JOB, 0, 1, UpdateFunctions.BUILT_IN)).isInstanceOf(ReplayException.class)
            .hasMessageContaining("only from clock=3 on");
    }

    @Test
    void shouldRefuseTheLastModelWhileSlotsPushThatHadFinished()
    {
        final RecordedPartition node = node(0, 1, new Consistency(1, 1));
        iterate(node, 0, 1);
        node.clock(0, Consistency.FINISHED);
        DutyCycle.end(node.partition);
        node.push(0, WIDE, node.ownKey(WIDE, 0), 1);
        DutyCycle.end(node.partition);

        node.takeSnapshot();
        assertThatThrownBy(this::rebuild).isInstanceOf(ReplayException.class)
            .hasMessageContaining("partition=0 has taken pushes of slots that had finished");
    }

    @Test
    void shouldTakeTheCopyOfTheNewestEpochAndNotTheLongest()
    {
        final RecordedPartition stale = start(new RecordedPartition(dir.resolve("stale")), 1, Consistency.EVENTUAL);
        final RecordedPartition newer = start(new RecordedPartition(dir.resolve("newer")), 2, Consistency.EVENTUAL);
        newer.pushes(3);
        stale.pushes(30);
        assertThat(stale.partition.cursor().position()).isGreaterThan(newer.partition.cursor().position());

        final List<RecordingDirectory> directories =
            new ArrayList<>(nodes.stream().map(RecordedPartition::stopAndOpen).toList());
        for (int i = 0; i < 2; i++)
        {
            try (JobRebuild job = JobRebuild.run(directories, JOB, 1, false, UpdateFunctions.BUILT_IN))
            {
                assertThat(job.partitions().get(0).cursor().epoch()).isEqualTo(2);
                assertThat(job.partitions().get(0).partition().stateHash()).isEqualTo(newer.partition.stateHash());
            }
            Collections.reverse(directories);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,1,false", "0,2,false", "1,1,true", "1,2,false", "3,2,true", "-1,1,false", "-1,1,true"})
    void shouldHoldWhatTheLiveCutOfTheSameIterationHolds(
        final int staleness, final int slots, final boolean isCycleSummed)
    {
        final int wanted = 3;
        final Consistency consistency = new Consistency(staleness < 0 ? 0 : slots, staleness);
        final RecordedPartition node = node(0, 1, consistency);
        if (isCycleSummed)
        {
            node.partition.sumCycles(MAX_HELD_BYTES);
        }
        final Rows live = new Rows();
        for (long clock = 1; clock <= 5; clock++)
        {
            if (wanted == clock)
            {
                assertThat(node.partition.export().ask(wanted)).isTrue();
            }
            for (int slot = 0; slot < slots; slot++)
            {
                iterate(node, slot, clock);
                if (0 == clock % 2)
                {
                    DutyCycle.end(node.partition);
                }
                node.partition.export().doWork(live);
            }
            if (2 == clock || 4 == clock)
            {
                DutyCycle.end(node.partition);
                node.takeSnapshot();
            }
        }
        DutyCycle.end(node.partition);
        while (!node.partition.export().isDone())
        {
            node.partition.export().doWork(live);
        }
        assertThat(node.partition.export().clock()).isEqualTo(wanted);
        assertThat(node.partition.minClock()).isEqualTo(5);

        final RecordingDirectory directory = node.stopAndOpen();
        try (PartitionRebuild rebuilt = PartitionRebuild.runToClock(
            directory, JOB, 0, wanted, UpdateFunctions.BUILT_IN))
        {
            assertThat(rebuilt.cursor().position()).isEqualTo(node.partition.export().position());
            assertThat(rows(rebuilt)).isNotEmpty().isEqualTo(live.rows);
        }
    }

    private static TreeMap<String, String> rows(final PartitionRebuild rebuilt)
    {
        final TreeMap<String, String> rows = new TreeMap<>();
        final UnsafeBuffer row = new UnsafeBuffer(0, 0);
        for (final RebuiltTable table : rebuilt.tables())
        {
            for (int i = 0; !table.spec().isSystem() && i < table.store().size(); i++)
            {
                table.store().wrap(i, row);
                final byte[] bytes = new byte[table.rowLength()];
                row.getBytes(0, bytes);
                rows.put(table.spec().tableId() + ":" + table.store().key(i), Arrays.toString(bytes));
            }
        }

        return rows;
    }

    private RecordedPartition node(final int number, final int partitions, final Consistency consistency)
    {
        return start(new RecordedPartition(dir.resolve("node" + number), number, partitions), 1, consistency);
    }

    private RecordedPartition start(final RecordedPartition node, final long epoch, final Consistency consistency)
    {
        nodes.add(node);
        node.start(epoch);
        assertThat(node.partition.onConsistency(consistency)).isTrue();
        node.partition.sumClocks(MAX_HELD_BYTES);

        return node;
    }

    private static void iterate(final RecordedPartition node, final int slot, final long clock)
    {
        node.push(slot, WIDE, node.ownKey(WIDE, clock % 3), clock + slot);
        node.push(slot, WEIGHTS, node.ownKey(WEIGHTS, slot), clock);
        node.clock(slot, clock);
    }

    private JobRebuild rebuild()
    {
        return rebuild(JobRebuild.UNKNOWN_COUNT);
    }

    private JobRebuild rebuild(final int partitionCount)
    {
        nodes.forEach((node) -> DutyCycle.end(node.partition));
        return JobRebuild.run(nodes.stream().map(RecordedPartition::stopAndOpen).toList(), JOB, partitionCount, true,
            UpdateFunctions.BUILT_IN);
    }

    /** Takes frames, and keeps the rows in them. */
    private static final class Rows implements FrameSink
    {
        final TreeMap<String, String> rows = new TreeMap<>();
        private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16));
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();

        @Override
        public int maxFrameLength()
        {
            return 8192;
        }

        @Override
        public boolean tryClaim(final int length)
        {
            return true;
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return buffer;
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public void commit()
        {
            if (RowsStateDecoder.TEMPLATE_ID != header.wrap(buffer, 0).templateId())
            {
                return;
            }
            final RowsStateDecoder decoder = new RowsStateDecoder().wrapAndApplyHeader(buffer, 0, header);
            int at = decoder.limit() + RowsStateDecoder.rowDataHeaderLength();
            for (int i = 0; i < decoder.rowCount(); i++)
            {
                final byte[] bytes = new byte[decoder.rowLength()];
                buffer.getBytes(at + Long.BYTES, bytes);
                assertThat(rows.put(decoder.tableId() + ":" + buffer.getLong(at, ByteOrder.LITTLE_ENDIAN),
                    Arrays.toString(bytes))).as("twice").isNull();
                at += Long.BYTES + bytes.length;
            }
        }
    }
}
