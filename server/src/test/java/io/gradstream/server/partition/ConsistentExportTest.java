// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.RowsStateDecoder;
import io.gradstream.codecs.snapshot.SnapshotEndedDecoder;
import io.gradstream.codecs.snapshot.TableStateDecoder;
import io.gradstream.recovery.log.FrameSink;
import io.gradstream.server.table.InMemoryRowStore;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows of one iteration, taken out while updates go on.
 */
class ConsistentExportTest
{
    private static final int ROWS = 40;

    private final PartitionRig rig = new PartitionRig();
    private final Frames frames = new Frames();
    private final long[] sequence = new long[2];

    @Test
    void shouldHandOutWhatTheRowsWereWhenTheLastSlotEndedTheIteration()
    {
        rig.createTables();
        assertThat(rig.partition.export().ask(3)).isTrue();
        for (int clock = 1; clock <= 6; clock++)
        {
            iterate(0, clock);
            // the sink takes a frame now and then, so that rows change before they are reached
            frames.room = clock % 2;
            rig.partition.export().doWork(frames);
        }
        finish();

        assertThat(frames.counts).hasSize(ROWS).allSatisfy((key, count) -> assertThat(count).isEqualTo(3f));
        assertThat(rig.partition.export().clock()).isEqualTo(3);
        assertThat(rig.count(1)).isEqualTo(6f);
    }

    @Test
    void shouldWaitForTheSlowestSlot()
    {
        rig.createTables();
        iterate(0, 1);
        iterate(1, 1);
        iterate(0, 2);
        assertThat(rig.partition.export().ask(2)).isTrue();
        rig.partition.export().doWork(frames);
        assertThat(rig.partition.export().isAwaitingClock()).isTrue();

        iterate(1, 2);
        iterate(1, 3);
        finish();

        assertThat(frames.counts).hasSize(ROWS).allSatisfy((key, count) -> assertThat(count).isEqualTo(4f));
    }

    @Test
    void shouldRefuseAnIterationWhoseEndIsPast()
    {
        rig.createTables();
        iterate(0, 1);
        iterate(0, 2);

        assertThat(rig.partition.export().ask(1)).isFalse();
        assertThat(rig.partition.export().ask(2)).as("more may have been pushed since").isFalse();
        assertThat(rig.partition.export().isAwaitingClock()).isFalse();
    }

    @Test
    void shouldHandOutTheLastIterationOfASequentialJob()
    {
        rig.createTables();
        rig.partition.onConsistency(new Consistency(1, 0));
        iterate(0, 1);
        rig.partition.doClockWork(0);
        // held until the iteration ends
        push(0, 0);

        assertThat(rig.partition.export().ask(1)).isTrue();
        finish();

        assertThat(frames.counts).hasSize(ROWS).allSatisfy((key, count) -> assertThat(count).isEqualTo(1f));
    }

    /** Bound 5, one slot has ended 3 iterations, the other one 1: both may have begun the next. */
    @Test
    void shouldRefuseAnIterationOfWhichLaterOnesWereAppliedBeforeTheBoundWasSetTo0()
    {
        rig.createTables();
        rig.partition.onConsistency(new Consistency(2, 5));
        for (int clock = 1; clock <= 3; clock++)
        {
            iterate(0, clock);
        }
        push(0, 0);
        iterate(1, 1);
        rig.partition.onConsistency(new Consistency(2, 0));
        for (int clock = 1; clock <= 3; clock++)
        {
            assertThat(rig.partition.export().ask(clock)).isFalse();
        }
        rig.takeSnapshot();
        rig.storage.recordAll();
        rig.storage.corruptRecord(4);
        rig.crashAndRestart();
        assertThat(rig.partition.export().ask(3)).as("from a snapshot").isFalse();
        assertThat(rig.partition.export().ask(4)).isTrue();
        for (int clock = 2; clock <= 4; clock++)
        {
            iterate(1, clock);
            rig.partition.doClockWork(0);
        }
        for (int key = 1; key < ROWS; key++)
        {
            push(0, key);
        }
        rig.part.set(0, rig.incarnation, rig.partition.epoch(), ++sequence[0], 0, 4);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.partition.doClockWork(0);
        finish();

        assertThat(rig.partition.export().clock()).isEqualTo(4);
        assertThat(frames.counts).hasSize(ROWS).allSatisfy((key, count) -> assertThat(count).isEqualTo(8f));
    }

    @Test
    void shouldCallItNoIterationIfTheBoundIsSetTo0WhileOneIsAwaited()
    {
        rig.createTables();
        rig.partition.onConsistency(new Consistency(2, 5));
        for (int clock = 1; clock <= 3; clock++)
        {
            iterate(0, clock);
        }
        assertThat(rig.partition.export().ask(1)).isTrue();
        rig.partition.onConsistency(new Consistency(2, 0));
        iterate(1, 1);
        rig.partition.doClockWork(0);

        assertThat(rig.partition.export().isAwaitingClock()).isFalse();
        assertThat(rig.partition.export().clock()).isEqualTo(ConsistentExport.NOW);
    }

    @Test
    void shouldNotTakeWhatSlotsPushThatHadFinishedForTheLastModel()
    {
        rig.createTables();
        iterate(0, 1);
        iterate(1, 1);
        rig.part.set(0, 1, rig.partition.epoch(), ++sequence[0], 0, Consistency.FINISHED);
        rig.partition.onClockDone(rig.part);
        rig.part.set(1, 1, rig.partition.epoch(), ++sequence[1], 0, Consistency.FINISHED);
        rig.partition.onClockDone(rig.part);
        assertThat(rig.partition.export().ask(Consistency.FINISHED)).isTrue();

        push(0, 7);
        assertThat(rig.partition.export().ask(Consistency.FINISHED)).isFalse();
        rig.takeSnapshot();
        rig.storage.recordAll();
        rig.storage.corruptRecord(4);
        rig.crashAndRestart();
        assertThat(rig.partition.export().ask(Consistency.FINISHED)).as("from a snapshot").isFalse();

        rig.part.set(0, 1, rig.partition.epoch(), ++sequence[0], 0, Consistency.FINISHED);
        rig.partition.onClockDone(rig.part);
        assertThat(rig.partition.export().ask(Consistency.FINISHED)).as("it has finished again").isTrue();
        assertThat(rig.partition.export().clock()).isEqualTo(Consistency.FINISHED);
    }

    /** The slot that is ahead may have begun the next iteration: the state is not that of what it has ended. */
    @Test
    void shouldGoOnWaitingWhereASlotThatWasBehindFinishes()
    {
        rig.createTables();
        rig.partition.onConsistency(new Consistency(2, 5));
        iterate(0, 1);
        iterate(0, 2);
        push(0, 7);
        assertThat(rig.partition.export().ask(2)).isTrue();
        rig.part.set(1, 1, rig.partition.epoch(), ++sequence[1], 0, Consistency.FINISHED);
        rig.partition.onClockDone(rig.part);
        assertThat(rig.partition.minClock()).isEqualTo(2);
        assertThat(rig.partition.export().isAwaitingClock()).isTrue();

        iterate(0, 3);
        assertThat(rig.partition.export().isAwaitingClock()).isFalse();
        assertThat(rig.partition.export().clock()).isEqualTo(3);
    }

    @Test
    void shouldTakeASumWhole()
    {
        rig.createTables();
        rig.partition.onConsistency(new Consistency(2, 0));
        assertThat(rig.partition.export().ask(1)).isTrue();
        iterate(0, 1);
        iterate(1, 1);
        rig.partition.doClockWork(0);
        finish();

        assertThat(frames.counts).hasSize(ROWS).allSatisfy((key, count) -> assertThat(count).isEqualTo(2f));
    }

    @Test
    void shouldHandOutTheStateAsItIsIfNobodyEndsIterations()
    {
        rig.createTables();
        push(0, 7);
        rig.partition.export().ask(5);
        rig.partition.export().beginNow();
        push(0, 7);
        finish();

        assertThat(frames.counts).containsExactly(Map.entry(7L, 1f));
        assertThat(rig.partition.export().clock()).isZero();
    }

    @Test
    void shouldLeaveASnapshotThatIsTakenMeanwhileAsItIs()
    {
        rig.createTables();
        iterate(0, 1);
        rig.storage.recordAll();
        final long hash = rig.partition.stateHash();
        rig.partition.snapshots().start(rig.storage.openSnapshotSink(rig.partition.cursor().position()));
        rig.storage.snapshotBackPressured(true);
        rig.partition.snapshots().doWork();
        rig.partition.export().ask(2);
        iterate(0, 2);
        rig.storage.snapshotBackPressured(false);
        iterate(0, 3);
        rig.finishSnapshot();
        finish();
        rig.storage.corruptRecord(4);
        rig.crashAndRestart();

        assertThat(frames.counts).hasSize(ROWS).allSatisfy((key, count) -> assertThat(count).isEqualTo(2f));
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
    }

    @Test
    void shouldNotLetRowsChangeFasterThanTheSinkTakesThem()
    {
        rig.createTables();
        iterate(0, 1);
        rig.partition.export().ask(ConsistentExport.NOW);

        assertThat(rig.partition.export().scan().hasRoomFor(RowScan.MAX_QUEUED_BYTES)).isFalse();
        finish();

        assertThat(rig.partition.export().scan().hasRoomFor(RowScan.MAX_QUEUED_BYTES)).isTrue();
    }

    @Test
    void shouldTakeNoMoreRoomForASinkThatIsNeverQuiteThrough()
    {
        final RowScan scan = rig.partition.export().scan();
        final PartitionState state = new PartitionState(
            0, new PartitionFunction(1), (number, spec, rowLength) -> new InMemoryRowStore(rowLength, 1));
        final SnapshotFrameWriter writer = scan.begin(1);
        for (int i = 0; i < 200_000; i++)
        {
            writer.started(1, state);
            writer.take(frames.buffer(), 0);
        }

        assertThat(writer.queuedBytes()).isPositive();
        assertThat(scan.queueCapacity()).isLessThan(8 * 1024 * 1024);
    }

    private void iterate(final int slot, final long clock)
    {
        for (int key = 0; key < ROWS; key++)
        {
            push(slot, key);
        }
        rig.part.set(slot, rig.incarnation, rig.partition.epoch(), ++sequence[slot], 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }

    private void push(final int slot, final long key)
    {
        assertThat(rig.pushCount(slot, ++sequence[slot], key, 1f)).isEqualTo(Outcome.APPENDED);
    }

    private void finish()
    {
        frames.room = Integer.MAX_VALUE;
        for (int i = 0; i < 100 && !rig.partition.export().isDone(); i++)
        {
            rig.partition.export().doWork(frames);
        }
        assertThat(frames.isEnded).isTrue();
        assertThat(frames.tables).containsExactlyInAnyOrder("weights", "counts");
    }

    /** Takes frames while it has room, checks each, and keeps the rows of the counts table. */
    private static final class Frames implements FrameSink
    {
        final Map<Long, Float> counts = new HashMap<>();
        final List<String> tables = new ArrayList<>();
        boolean isEnded;
        int room;
        private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1024 * 1024));
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();
        private int length;
        private int number;

        @Override
        public int maxFrameLength()
        {
            // a few rows
            return 256;
        }

        @Override
        public boolean tryClaim(final int newLength)
        {
            assertThat(newLength).isLessThanOrEqualTo(maxFrameLength());
            length = newLength;
            return room-- > 0;
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
            assertThat(SnapshotFrames.verify(buffer, 0, length, number++)).isNull();
            header.wrap(buffer, 0);
            switch (header.templateId())
            {
                case TableStateDecoder.TEMPLATE_ID ->
                    tables.add(new TableStateDecoder().wrapAndApplyHeader(buffer, 0, header).name());
                case RowsStateDecoder.TEMPLATE_ID -> rows(new RowsStateDecoder().wrapAndApplyHeader(buffer, 0, header));
                case SnapshotEndedDecoder.TEMPLATE_ID -> isEnded = true;
                default -> assertThat(tables).isEmpty();
            }
        }

        private void rows(final RowsStateDecoder rows)
        {
            if (PartitionRig.COUNTS.tableId() != rows.tableId())
            {
                return;
            }
            int at = rows.limit() + RowsStateDecoder.rowDataHeaderLength();
            for (int i = 0; i < rows.rowCount(); i++)
            {
                final float count = buffer.getFloat(at + 2 * Long.BYTES, ByteOrder.LITTLE_ENDIAN);
                assertThat(counts.put(buffer.getLong(at, ByteOrder.LITTLE_ENDIAN), count)).as("twice").isNull();
                at += Long.BYTES + rows.rowLength();
            }
        }
    }
}
