// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Logs and snapshots written by released versions must give the same state for ever. To add files for a new version of
 * a schema, run the tests with {@code -Dgradstream.golden.write=DIRECTORY} and keep the old ones.
 */
class GoldenLogTest
{
    private static final String WRITE = "gradstream.golden.write";
    private static final long STATE_HASH_V0 = -8726733036713787524L;
    private static final long STATE_HASH_V1 = -3595471228978653913L;
    private static final long STATE_HASH_V2 = 2402003901801303956L;
    private static final long STATE_HASH_V3 = 1220998333577527174L;
    private static final long STATE_HASH_V4 = -3999905943769028851L;
    private static final long STATE_HASH_V5 = -8143093643201551715L;
    private static final TableSpec RATED =
        TableSpec.sparse(2, "rated", 1, "sgd/1 rate=1 schedule=step:every=2:factor=0.5:warmup=2");
    private static final long STATE_HASH_V6 = 1586338338740818365L;
    private static final long STATE_HASH_V7 = -5932730615197330919L;
    /** More than a frame holds. */
    private static final int REFUSALS_V6 = 60;
    private static final int MAX_FRAME_LENGTH_V6 = 320;
    private static final int LOST_V1 = 5000 + 41;
    private static final int PUSHES = 120;

    @BeforeAll
    static void writeWhenAsked() throws IOException
    {
        final String directory = System.getProperty(WRITE);
        if (null != directory)
        {
            final PartitionRig rig = write();
            Files.write(Path.of(directory, "log-v7.bin"), rig.storage.exportLog());
            Files.write(Path.of(directory, "snapshot-v7.bin"), rig.storage.exportNewestSnapshot());
            System.err.println("golden state hash: " + rig.partition.stateHash() + "L");
        }
    }

    @Test
    void shouldReplayTheLogOfVersion0() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v0.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V0);
        assertThat(rig.partition.epoch()).isEqualTo(3);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion0() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v0.bin"));
        storage.importSnapshot(resource("snapshot-v0.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V0);
    }

    @Test
    void shouldReplayTheLogOfVersion1() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v1.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V1);
        assertThat(rig.partition.progress().jumpedSequences(3)).isEqualTo(LOST_V1);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion1() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v1.bin"));
        storage.importSnapshot(resource("snapshot-v1.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V1);
        assertThat(rig.partition.progress().jumpedSequences(3)).isEqualTo(LOST_V1);
    }

    @Test
    void shouldReplayTheLogOfVersion2() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v2.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion2(rig);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion2() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v2.bin"));
        storage.importSnapshot(resource("snapshot-v2.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion2(rig);
    }

    @Test
    void shouldReplayTheLogOfVersion3() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v3.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion3(rig);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion3() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v3.bin"));
        storage.importSnapshot(resource("snapshot-v3.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion3(rig);
    }

    @Test
    void shouldReplayTheLogOfVersion4() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v4.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion4(rig);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion4() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v4.bin"));
        storage.importSnapshot(resource("snapshot-v4.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion4(rig);
    }

    @Test
    void shouldReplayTheLogOfVersion5() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v5.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion5(rig);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion5() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v5.bin"));
        storage.importSnapshot(resource("snapshot-v5.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion5(rig);
    }

    @Test
    void shouldReplayTheLogOfVersion6() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v6.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion6(rig);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion6() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v6.bin"));
        storage.importSnapshot(resource("snapshot-v6.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion6(rig);
    }

    @Test
    void shouldReplayTheLogOfVersion7() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v7.bin"));
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion7(rig);
    }

    @Test
    void shouldLoadTheSnapshotOfVersion7() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v7.bin"));
        storage.importSnapshot(resource("snapshot-v7.bin"));
        storage.corruptRecord(5);
        final PartitionRig rig = new PartitionRig(storage);

        assertThat(rig.replica.haltReason()).isNull();
        assertIsAsWrittenByVersion7(rig);
    }

    @Test
    void shouldStillWriteTheBytesOfVersion7() throws IOException
    {
        final PartitionRig rig = write();
        assertThat(rig.storage.exportLog()).isEqualTo(resource("log-v7.bin"));
        assertThat(rig.storage.exportNewestSnapshot()).isEqualTo(resource("snapshot-v7.bin"));
    }

    @Test
    void shouldTakeAVersionsOldLogAndGoOnInTheNewOne() throws IOException
    {
        final InMemoryStorage storage = new InMemoryStorage();
        storage.importLog(resource("log-v1.bin"));
        final PartitionRig rig = new PartitionRig(storage);
        final long[] before = rig.audit(0);
        final long next = rig.partition.lastSequence(0) + 1;

        assertThat(rig.contentSum(0)).isZero();
        assertThat(rig.partition.onHello(0, 5, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        rig.part.set(0, 5, rig.partition.epoch(), next, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.storage.recordAll();
        rig.crashAndRestart();

        assertThat(rig.audit(0)).isEqualTo(before);
        assertThat(rig.partition.onHello(0, 4, SlotRole.SOLE)).isEqualTo(Refusal.FENCED);
    }

    private static void assertIsAsWrittenByVersion2(final PartitionRig rig)
    {
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V2);
        assertThat(rig.partition.progress().jumpedSequences(3)).isEqualTo(LOST_V1);
        assertThat(rig.contentSum(0)).isNotZero();
        // the fourth slot's holder has sent nothing yet, the first one's nothing since it took the slot over
        assertThat(rig.partition.onHello(4, 8, SlotRole.SOLE)).isEqualTo(Refusal.FENCED);
        assertThat(rig.partition.onHello(0, 1, SlotRole.SOLE)).isEqualTo(Refusal.FENCED);
        assertThat(rig.partition.slot(0).lastIncarnation).isEqualTo(1);
    }

    private static void assertIsAsWrittenByVersion3(final PartitionRig rig)
    {
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V3);
        assertIsPushedAsByVersion3(rig);
    }

    private static void assertIsAsWrittenByVersion4(final PartitionRig rig)
    {
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V4);
        assertIsPushedAsByVersion4(rig);
    }

    private static void assertIsAsWrittenByVersion5(final PartitionRig rig)
    {
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V5);
        assertIsPushedAsByVersion4(rig);
        assertThat(rig.value(RATED.tableId(), 3)).isEqualTo(0.5f + 1 + 1 + 1 + 0.5f);
    }

    private static void assertIsAsWrittenByVersion6(final PartitionRig rig)
    {
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V6);
        assertIsPushedAsByVersion6(rig);
    }

    private static void assertIsAsWrittenByVersion7(final PartitionRig rig)
    {
        assertThat(rig.partition.stateHash()).isEqualTo(STATE_HASH_V7);
        assertIsPushedAsByVersion6(rig);
        assertThat(rig.partition.slot(9).clock).isEqualTo(Consistency.FINISHED);
        assertThat(rig.partition.slot(9).ended).isEqualTo(2);
    }

    private static void assertIsPushedAsByVersion6(final PartitionRig rig)
    {
        assertIsPushedAsByVersion4(rig);
        final List<Long> refused = new ArrayList<>();
        rig.partition.progress().forEachRefusal(8, (sequence, code) ->
        {
            assertThat(code).isEqualTo(Refusal.NOT_FINITE.code());
            refused.add(sequence);
        });
        assertThat(refused).containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, REFUSALS_V6).boxed().toList());
        // the schedule went on where the bound changed
        assertThat(rig.value(RATED.tableId(), 3)).isEqualTo(0.5f + 1 + 1 + 1 + 0.5f);
    }

    private static void assertIsPushedAsByVersion4(final PartitionRig rig)
    {
        assertIsPushedAsByVersion3(rig);
        assertThat(rig.partition.onHello(6, 19, SlotRole.backedUp(2))).isEqualTo(Refusal.FENCED);
        assertThat(rig.partition.onHello(6, 21, SlotRole.backup(2))).isEqualTo(Refusal.FENCED);
        assertThat(rig.partition.onHello(6, 22, SlotRole.backup(3))).isEqualTo(Refusal.ROLE_MISMATCH);
        assertThat(rig.partition.slot(6).backup).isEqualTo(22);
    }

    private static void assertIsPushedAsByVersion3(final PartitionRig rig)
    {
        assertThat(rig.partition.consistency()).isEqualTo(new Consistency(4, 3));
        assertThat(rig.count(62)).isEqualTo(0.75f);
        assertThat(rig.count(90)).isEqualTo(3);
        assertThat(rig.partition.lastSequence(1)).isEqualTo(PUSHES - PUSHES / 3 + 3);
        assertThat(rig.count(70_000)).isEqualTo(0.25f);
        assertThat(rig.count(0xFFFF_FFFFL + 7)).isEqualTo(0.25f);
        assertThat(rig.count(Long.MAX_VALUE)).isEqualTo(0.75f);
    }

    private static PartitionRig write()
    {
        // a log as no mode leaves it, kept although it has a jump: it holds each kind of record
        final PartitionRig rig = new PartitionRig(new InMemoryStorage(), RecoveryMode.CHECKPOINT, true);
        rig.createTables();
        rig.partition.onCreateTable(RATED, rig.partition.epoch());
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 1; i <= PUSHES; i++)
        {
            if (0 == i % 3)
            {
                rig.pushCount(0, i / 3, random.nextInt(50), i);
            }
            else
            {
                rig.pushFloats(1, i - i / 3, 0, new long[]{random.nextInt(50)},
                    new float[]{random.nextInt(100) / 64f, 1 - random.nextInt(100) / 64f});
            }
            if (PUSHES / 2 == i)
            {
                for (int step = 1; step <= 3; step++)
                {
                    rig.pushFloats(7, step, RATED.tableId(), new long[]{3}, new float[]{-1});
                }
                rig.storage.recordAll();
                rig.crashAndRestart();
                rig.partition.onOldestKept(3, 7, 5001, 12);
                rig.partition.onHello(4, 9, SlotRole.SOLE);
                rig.partition.onHello(6, 20, SlotRole.backedUp(2));
                rig.partition.onHello(6, 21, SlotRole.backup(2));
                rig.partition.onConsistency(new Consistency(4, 3));
                for (int refused = 1; refused <= REFUSALS_V6; refused++)
                {
                    rig.pushFloats(8, refused, 1, new long[]{3}, new float[]{Float.NaN});
                }
                finish(rig, 9, 2);
                rig.storage.maxFrameLength(MAX_FRAME_LENGTH_V6);
                rig.takeSnapshot();
            }
        }
        rig.partition.onConsistency(Consistency.EVENTUAL);
        rig.pushFloats(7, 4, RATED.tableId(), new long[]{3}, new float[]{-1});
        rig.pushFloats(7, 5, RATED.tableId(), new long[]{3}, new float[]{-1});
        rig.pushFloats(2, 1, 1, new long[]{3}, new float[]{Float.NaN});
        rig.partition.onOldestKept(3, 8, 5042, 13);
        sumClock(rig);
        rig.partition.onHello(0, 2, SlotRole.SOLE);
        rig.partition.onHello(6, 22, SlotRole.backup(2));
        pushEachForm(rig);
        rig.storage.recordAll();

        return rig;
    }

    private static void finish(final PartitionRig rig, final int slot, final long ended)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), 1, 0, ended);
        rig.partition.onClockDone(rig.part);
        rig.part.set(slot, 1, rig.partition.epoch(), 2, 0, Consistency.FINISHED);
        rig.partition.onClockDone(rig.part);
    }

    private static void sumClock(final PartitionRig rig)
    {
        rig.partition.onConsistency(new Consistency(2, 0));
        for (int slot = 1; slot >= 0; slot--)
        {
            final long next = rig.partition.nextSequence(slot);
            rig.pushFloats(slot, next, 1, new long[]{90, 91}, new float[]{1 + slot, 0.5f});
            rig.pushFloats(slot, next + 1, 1, new long[]{9}, new float[]{Float.NaN});
            rig.part.set(slot, 1, rig.partition.epoch(), next + 2, 0, 1);
            rig.partition.onClockDone(rig.part);
        }
        rig.partition.doClockWork(0);
        rig.partition.onConsistency(new Consistency(4, 3));
    }

    private static void pushEachForm(final PartitionRig rig)
    {
        final float[] values = {0.25f, 0.5f, 0.75f};
        rig.pushFloats(5, 1, 1, Sections.RAW, KeyForm.RANGE, new long[]{60, 61, 62}, values);
        rig.pushFloats(5, 2, 1, Sections.RAW, KeyForm.OFFSETS_16, new long[]{70_000, 4_465, 4_466}, values);
        rig.pushFloats(5, 3, 1, Sections.RAW, KeyForm.OFFSETS_32, new long[]{0xFFFF_FFFFL + 7, 7, 1L << 31}, values);
        rig.pushFloats(5, 4, 1, Sections.RAW, KeyForm.KEYS, new long[]{1L << 40, 8, Long.MAX_VALUE}, values);
    }

    private static byte[] resource(final String name) throws IOException
    {
        try (InputStream in = GoldenLogTest.class.getResourceAsStream("/golden/" + name))
        {
            return in.readAllBytes();
        }
    }
}
