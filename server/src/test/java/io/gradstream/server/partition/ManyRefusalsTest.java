// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.SlotRefusalsDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table without room refuses all that a worker pushes, and a worker that waits for snapshots acknowledges none of it.
 */
class ManyRefusalsTest
{
    /** Default of a worker of a stateless job. */
    private static final int IN_FLIGHT = 16 * 1024;
    private static final int SAFE_EVERY = 1000;

    private final PartitionRig rig = new PartitionRig(new InMemoryStorage(), RecoveryMode.CHAIN_STATELESS, true);
    private long sequence;

    @Test
    void shouldKeepTheRefusalsOfAWorkerThatWaitsForSnapshots()
    {
        fillTable();
        refuse(0, IN_FLIGHT);
        final TreeMap<Long, Long> refused = refusals(0);

        takeSnapshotAndStartFromIt();

        assertThat(refused).hasSize(IN_FLIGHT);
        assertThat(refusals(0)).isEqualTo(refused);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(sequence);
        assertThat(rig.storage.newestSnapshot()).allMatch((frame) -> frame.capacity() <= InMemoryStorage.MAX_LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void shouldNeedAnotherFrameForOneRefusalMoreThanFit(final int more)
    {
        fillTable();
        final int fitting = (InMemoryStorage.MAX_LENGTH - SnapshotFrameWriter.SLOT_LENGTH) /
            SnapshotFrameWriter.REFUSAL_LENGTH;
        refuse(0, fitting + more);
        final TreeMap<Long, Long> refused = refusals(0);

        takeSnapshotAndStartFromIt();

        assertThat(furtherFrames()).isEqualTo(more > 0 ? 1 : 0);
        assertThat(refusals(0)).hasSize(fitting + more).isEqualTo(refused);
    }

    @Test
    void shouldKeepRefusalsOfSlotsApartWhenFramesAreShort()
    {
        rig.storage.maxFrameLength(SnapshotFrameWriter.SLOT_LENGTH + 200);
        fillTable();
        refuse(0, 100);
        sequence = 0;
        refuse(3, 70);
        final List<TreeMap<Long, Long>> refused = List.of(refusals(0), refusals(3));

        takeSnapshotAndStartFromIt();

        assertThat(furtherFrames()).isPositive();
        assertThat(List.of(refusals(0), refusals(3))).isEqualTo(refused);
    }

    /** The most tables, with names and functions as long as they may be, and the most slots. */
    @Test
    void shouldFitEachFrameOfTheLargestSnapshot()
    {
        final String function = "sgd/1 rate=0." + "1".repeat(TableSpec.MAX_FUNCTION_LENGTH - 13);
        for (int tableId = 0; tableId < TableSpec.MAX_TABLES; tableId++)
        {
            final String name = "t".repeat(TableSpec.MAX_NAME_LENGTH - 4) + (1000 + tableId);
            assertThat(rig.partition.onCreateTable(
                TableSpec.sparse(tableId, name.substring(0, TableSpec.MAX_NAME_LENGTH), 1, function),
                rig.partition.epoch())).isEqualTo(Outcome.APPENDED);
        }
        for (int slot = 0; slot < PartitionState.MAX_SLOTS; slot++)
        {
            rig.part.set(slot, 1, rig.partition.epoch(), 1, 0, 1);
            assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        }
        // the least that a log's geometry allows
        rig.storage.maxFrameLength(1024 - LogRecords.FRAME_ALIGNMENT);
        takeSnapshotAndStartFromIt();

        assertThat(rig.partition.lastSequence(PartitionState.MAX_SLOTS - 1)).isEqualTo(1);
        assertThat(rig.partition.tableSpec(TableSpec.MAX_TABLES - 1).function()).isEqualTo(function);
    }

    @Test
    void shouldTakeNoMoreRefusalsThanItRemembersUntilTheWorkerKnowsSome()
    {
        fillTable();
        refuse(0, Slot.MAX_REFUSALS);
        final long first = refusals(0).firstKey();

        assertThat(push(0)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.BUSY);
        assertThat(rig.partition.pollSnapshotNeeded()).as("who waits for snapshots knows more after the next").isTrue();
        assertThat(rig.partition.pollSnapshotNeeded()).isFalse();
        assertThat(rig.partition.lastSequence(0)).isEqualTo(sequence);
        assertThat(rig.partition.onPush(
            rig.part.set(0, 1, rig.partition.epoch(), sequence + 1, first - 1, 0), rig.sections, rig.push,
            PartitionRig.PUSH_OFFSET, rig.pushLength)).as("it knows none of them").isEqualTo(Outcome.REFUSED);

        assertThat(rig.partition.onPush(
            rig.part.set(0, 1, rig.partition.epoch(), sequence + 1, first, 0), rig.sections, rig.push,
            PartitionRig.PUSH_OFFSET, rig.pushLength)).as("it knows one").isEqualTo(Outcome.APPENDED);
        assertThat(refusals(0)).hasSize(Slot.MAX_REFUSALS);
    }

    @Test
    void shouldTakeWhatIsRightHoweverManyRefusalsItRemembers()
    {
        fillTable();
        refuse(0, Slot.MAX_REFUSALS);

        assertThat(rig.pushCount(0, sequence + 1, 1, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.pushCount(1, 1, 100_000, 1)).as("of another slot").isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldTakeNoMoreRefusalsOfAllSlotsTogetherThanASnapshotQueues()
    {
        fillTable();
        for (int slot = 1; slot <= PartitionState.MAX_REFUSALS / Slot.MAX_REFUSALS; slot++)
        {
            rig.pushCount(slot, 1, 1, 1);
            for (int i = 1; i <= Slot.MAX_REFUSALS; i++)
            {
                rig.partition.slot(slot).refuse(1_000_000 + i, Refusal.OUT_OF_ROWS.code());
            }
        }
        for (int i = 1; i <= Slot.LEAST_REFUSALS; i++)
        {
            rig.partition.slot(0).refuse(1_000_000 + i, Refusal.OUT_OF_ROWS.code());
        }

        assertThat(push(0)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.BUSY);
        assertThat(rig.pushCount(0, sequence + 1, 1, 1)).isEqualTo(Outcome.APPENDED);
    }

    /** What is refused, or sent back. */
    private Outcome push(final int slot)
    {
        return rig.pushCount(slot, sequence + 1, 1_000_000, 1);
    }

    private void fillTable()
    {
        rig.createTables();
        while (sequence < PartitionRig.CAPACITY)
        {
            assertThat(rig.pushCount(0, ++sequence, sequence, 1)).isEqualTo(Outcome.APPENDED);
        }
    }

    /** Keys that are not there, where there is no room for more. */
    private void refuse(final int slot, final int count)
    {
        for (int i = 1; i <= count; i++)
        {
            assertThat(rig.pushCount(slot, ++sequence, 100_000 + sequence, 1)).isEqualTo(Outcome.APPENDED);
            if (0 == i % SAFE_EVERY || count == i)
            {
                final long end = rig.partition.cursor().position();
                rig.partition.progress().onPositions(slot, end, end, 0);
            }
        }
    }

    private void takeSnapshotAndStartFromIt()
    {
        rig.takeSnapshot();
        assertThat(rig.partition.snapshots().isUnderWay()).isFalse();
        rig.storage.recordAll();
        // what is in the log cannot be what is read
        rig.storage.corruptRecord(5);
        rig.crashAndRestart();
        assertThat(rig.replica.haltReason()).isNull();
    }

    private long furtherFrames()
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        return rig.storage.newestSnapshot().stream()
            .filter((frame) -> SlotRefusalsDecoder.TEMPLATE_ID == header.wrap(frame, 0).templateId()).count();
    }

    private TreeMap<Long, Long> refusals(final int slot)
    {
        final TreeMap<Long, Long> refusals = new TreeMap<>();
        rig.partition.progress().forEachRefusal(slot, refusals::put);
        assertThat(refusals.values()).allMatch((code) -> Refusal.OUT_OF_ROWS.code() == code);

        return refusals;
    }
}
