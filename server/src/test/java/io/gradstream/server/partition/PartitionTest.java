// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.table.InMemoryRowStore;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionTest
{
    private final PartitionRig rig = new PartitionRig();

    @Test
    void shouldRefuseATableWhoseRowsWithTheirStateFitNoFrame()
    {
        final int longest = (InMemoryStorage.MAX_LENGTH - RowScan.ROW_OVERHEAD) / (4 * Float.BYTES);
        final TableSpec fitting = TableSpec.sparse(7, "fitting", longest, "adam/1 rate=0.1");
        final TableSpec tooLong = TableSpec.sparse(8, "long", longest + 1, "adam/1 rate=0.1");

        assertThat(rig.partition.onCreateTable(fitting, rig.partition.epoch())).isEqualTo(Outcome.APPENDED);
        assertThat(rig.pushFloats(0, 1, 7, new long[]{1}, new float[longest])).isEqualTo(Outcome.APPENDED);
        rig.storage.recordAll();
        rig.takeSnapshot();
        assertThat(rig.partition.snapshotPosition()).isEqualTo(rig.partition.cursor().position());

        assertThat(rig.partition.onCreateTable(tooLong, rig.partition.epoch())).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.INVALID_TABLE);
        assertThat(rig.partition.tableRefusalReason())
            .startsWith("invalid dim=" + (longest + 1) + ": must be 1.." + longest);
    }

    @Test
    void shouldTakeSequencesInOrderAndOnceOnly()
    {
        rig.createTables();

        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.DUPLICATE);
        assertThat(rig.pushCount(0, 3, 7, 1f)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.SEQUENCE_GAP);
        assertThat(rig.pushCount(0, 2, 7, 1f)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.pushCount(1, 1, 7, 1f)).isEqualTo(Outcome.APPENDED);

        assertThat(rig.count(7)).isEqualTo(3f);
        assertThat(rig.audit(0)).containsExactly(2, 3, 5);
        assertThat(rig.audit(1)).containsExactly(1, 1, 1);
        assertThat(rig.contentSum(0))
            .isEqualTo(PartitionRig.contentHash(7, 1f, 1) + PartitionRig.contentHash(7, 1f, 2));
    }

    @Test
    void shouldTellItsTablesRowsAndSlots()
    {
        rig.createTables();
        rig.pushCount(2, 1, 7, 1f);
        rig.pushCount(2, 2, 8, 1f);
        rig.pushCount(5, 1, 7, 1f);
        rig.part.set(2, 9, rig.partition.epoch(), 3, 0, 1);
        rig.partition.onClockDone(rig.part);
        rig.storage.recordAll();
        rig.crashAndRestart();

        final PartitionContents contents = rig.partition.contents();
        assertThat(contents.tableCount()).isEqualTo(3);
        assertThat(contents.tableSpec(0)).isEqualTo(TableSpec.AUDIT);
        assertThat(contents.tableSpec(1)).isEqualTo(PartitionRig.WEIGHTS);
        assertThat(contents.tableSpec(2)).isEqualTo(PartitionRig.COUNTS);
        assertThat(new int[]{contents.rowsPresent(0), contents.rowsPresent(1), contents.rowsPresent(2)})
            .containsExactly(2, 0, 2);
        assertThat(contents.nextSlot(0)).isEqualTo(2);
        assertThat(contents.nextSlot(3)).isEqualTo(5);
        assertThat(contents.nextSlot(6)).isEqualTo(PartitionContents.END);
        assertThat(contents.nextSlot(Integer.MAX_VALUE)).isEqualTo(PartitionContents.END);
        assertThat(contents.incarnation(2)).isEqualTo(9);
        assertThat(contents.clock(2)).isEqualTo(1);
        assertThat(contents.lastSequence(2)).isEqualTo(3);
        assertThat(contents.clock(5)).isZero();
    }

    @Test
    void shouldConsumeNothingWhenTheLogHasNoRoom()
    {
        rig.createTables();
        rig.storage.backPressured(true);

        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.NOT_NOW);
        assertThat(rig.count(7)).isZero();

        rig.storage.backPressured(false);
        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldConsumeTheSequenceOfAPushRefusedForItsContent()
    {
        rig.createTables();
        final long before = rig.partition.stateHash();

        assertThat(rig.pushFloats(0, 1, 1, new long[]{5}, new float[]{Float.NaN})).isEqualTo(Outcome.APPENDED);
        assertThat(rig.pushFloats(0, 2, 1, new long[]{5}, new float[]{1f, 2f})).isEqualTo(Outcome.APPENDED);
        assertThat(rig.pushFloats(0, 3, 1, new long[]{-5}, new float[]{1f})).isEqualTo(Outcome.APPENDED);
        assertThat(rig.pushFloats(0, 4, 1, new long[]{5}, new float[]{Float.NEGATIVE_INFINITY}))
            .isEqualTo(Outcome.APPENDED);

        assertThat(rig.count(5)).isZero();
        assertThat(rig.partition.lastSequence(0)).isEqualTo(4);
        assertThat(refusals(0)).containsExactlyInAnyOrder("1:2", "2:1", "3:3", "4:2");
        assertThat(rig.partition.stateHash()).isNotEqualTo(before);
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(refusals(0)).containsExactlyInAnyOrder("1:2", "2:1", "3:3", "4:2");
    }

    @Test
    void shouldForgetRefusalsUpToTheFloor()
    {
        rig.createTables();
        rig.pushFloats(0, 1, 1, new long[]{5}, new float[]{Float.NaN});
        rig.pushFloats(0, 2, 1, new long[]{5}, new float[]{Float.NaN});
        rig.part.set(0, 1, rig.partition.epoch(), 3, 1, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);

        assertThat(refusals(0)).containsExactly("2:2");
        assertThat(rig.partition.minClock()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWithoutConsumingWhenTheTableIsUnknownOrTheEpochIsOld()
    {
        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.NO_SUCH_TABLE);

        rig.createTables();
        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.APPENDED);
        rig.part.set(0, 1, rig.partition.epoch() - 1, 2, 0, 0);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.FENCED);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(1);
    }

    @Test
    void shouldFenceAnOlderIncarnation()
    {
        rig.createTables();
        rig.part.set(0, 2, rig.partition.epoch(), 1, 0, 0);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);

        assertThat(rig.partition.onHello(0, 1, SlotRole.SOLE)).isEqualTo(Refusal.FENCED);
        assertThat(rig.pushCount(0, 2, 7, 1f)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.FENCED);
        assertThat(rig.partition.onHello(0, 3, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldFenceTheOlderProcessEvenIfThePrimaryDiedBeforeTheNewerOnePushed()
    {
        rig.createTables();
        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        rig.storage.recordAll();

        rig.crashAndRestart();

        assertThat(rig.partition.onHello(0, 1, SlotRole.SOLE)).isEqualTo(Refusal.FENCED);
        assertThat(rig.pushCount(0, 2, 7, 1f)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.FENCED);
    }

    @Test
    void shouldWelcomeObserversButTakeNoPushOfTheirs()
    {
        rig.createTables();

        assertThat(rig.partition.onHello(Partition.OBSERVER, 1, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.onHello(-2, 1, SlotRole.SOLE)).isEqualTo(Refusal.MALFORMED);
        assertThat(rig.pushCount(Partition.OBSERVER, 1, 7, 1f)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.MALFORMED);
    }

    @Test
    void shouldRefuseRowsBeyondTheCapacity()
    {
        rig.createTables();
        for (int i = 1; i <= PartitionRig.CAPACITY; i++)
        {
            assertThat(rig.pushFloats(0, i, 1, new long[]{i}, new float[]{1f})).isEqualTo(Outcome.APPENDED);
        }
        rig.pushFloats(0, PartitionRig.CAPACITY + 1, 1, new long[]{1, 5000}, new float[]{1f, 1f});

        assertThat(refusals(0)).containsExactly((PartitionRig.CAPACITY + 1) + ":" + Refusal.OUT_OF_ROWS.code());
        assertThat(rig.count(1)).isEqualTo(1f);
    }

    @Test
    void shouldTakeTheSameTableTwiceButNoOtherUnderItsNumber()
    {
        final long epoch = rig.partition.epoch();

        assertThat(rig.partition.onCreateTable(PartitionRig.COUNTS, epoch)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.onCreateTable(PartitionRig.COUNTS, epoch)).isEqualTo(Outcome.DUPLICATE);
        assertThat(rig.partition.onCreateTable(TableSpec.sparse(1, "other", 1, "add/1"), epoch))
            .isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.TABLE_MISMATCH);
        assertThat(rig.partition.onCreateTable(TableSpec.sparse(2, "bad", 1, "adam/9"), epoch))
            .isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.INVALID_TABLE);
    }

    @Test
    void shouldRefuseASecondTableOfOneName()
    {
        final long epoch = rig.partition.epoch();
        assertThat(rig.partition.onCreateTable(TableSpec.sparse(2, "weights", 1, "add/1"), epoch))
            .isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.onCreateTable(TableSpec.sparse(3, "weights", 1, "add/1"), epoch))
            .isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.TABLE_MISMATCH);
        assertThat(rig.partition.onCreateTable(TableSpec.sparse(3, TableSpec.AUDIT.name(), 1, "add/1"), epoch))
            .isEqualTo(Outcome.REFUSED);
        assertThat(rig.partition.tableSpec(3)).isNull();
    }

    @Test
    void shouldRaiseTheRecordedWatermarkOnlyWithTheRecording()
    {
        rig.createTables();
        rig.pushCount(0, 1, 7, 1f);
        rig.pushCount(0, 2, 7, 1f);

        rig.partition.progress().onPositions(0, 0, rig.replica.log().recordedPosition(), 0);
        assertThat(rig.partition.progress().recordedSequence(0)).isZero();

        rig.storage.recordAll();
        rig.partition.progress().onPositions(0, 0, rig.replica.log().recordedPosition(), 0);
        assertThat(rig.partition.progress().recordedSequence(0)).isEqualTo(2);
    }

    @Test
    void shouldServeNobodyBeforeItsEpochIsRecorded()
    {
        final LoneChain chain = new LoneChain();
        final Replica replica = new Replica(0, 1, 0, new InMemoryStorage(), new Partition(
            1, 0, 0, new PartitionFunction(1), (number, spec, length) -> new InMemoryRowStore(length, 1)),
            chain);
        for (int i = 0; i < 10; i++)
        {
            chain.drive(replica);
        }

        assertThat(replica.state()).isEqualTo(Replica.State.START_EPOCH);
        assertThat(replica.log().position()).isPositive();
    }

    @Test
    void shouldHaltWhenTheRecordingDies()
    {
        rig.storage.killRecording();
        rig.chain.drive(rig.replica);

        assertThat(rig.replica.state()).isEqualTo(Replica.State.HALTED);
    }

    @Test
    void shouldReachTheSameStateWhenRestartedAfterEveryStep()
    {
        final PartitionRig steady = new PartitionRig();
        steady.createTables();
        rig.createTables();
        rig.storage.recordAll();
        final SplittableRandom random = new SplittableRandom(42);
        final long[] next = {1, 1, 1};

        for (int step = 0; step < 400; step++)
        {
            final int slot = random.nextInt(3);
            final long sequence = next[slot]++;
            final long[] keys = {random.nextInt(40), random.nextInt(40)};
            final float[] values = {
                (float)random.nextDouble(), -(float)random.nextDouble(), 1f, (float)random.nextDouble()};
            steady.pushFloats(slot, sequence, 0, keys, values);
            assertThat(rig.pushFloats(slot, sequence, 0, keys, values)).isEqualTo(Outcome.APPENDED);
            rig.storage.recordAll();
            if (0 == step % 37)
            {
                rig.takeSnapshot();
            }
            rig.crashAndRestart();
            assertThat(rig.partition.stateHash()).as("after step %d", step).isEqualTo(steady.partition.stateHash());
        }
        assertThat(rig.partition.epoch()).isEqualTo(401);
    }

    @Test
    void shouldLoseOnlyWhatWasNotRecordedWhenItCrashes()
    {
        rig.createTables();
        rig.pushCount(0, 1, 7, 1f);
        rig.storage.recordAll();
        rig.pushCount(0, 2, 7, 1f);
        rig.crashAndRestart();

        assertThat(rig.partition.lastSequence(0)).isEqualTo(1);
        assertThat(rig.pushCount(0, 2, 7, 1f)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.audit(0)).containsExactly(2, 3, 5);
    }

    @Test
    void shouldNeverTakeOfficeWhenARecordIsBroken()
    {
        rig.createTables();
        rig.pushCount(0, 1, 7, 1f);
        rig.pushCount(0, 2, 7, 1f);
        rig.storage.recordAll();
        rig.storage.corruptRecord(3);
        rig.crashAndRestart();

        assertThat(rig.replica.state()).isEqualTo(Replica.State.AWAIT_ROLE);
        assertThat(rig.replica.damage()).contains("checksum differs");
    }

    private List<String> refusals(final int slot)
    {
        final List<String> all = new ArrayList<>();
        rig.partition.progress().forEachRefusal(slot, (sequence, code) -> all.add(sequence + ":" + code));
        return all;
    }
}
