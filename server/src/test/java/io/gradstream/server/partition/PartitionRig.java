// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotOnlyStorage;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.table.InMemoryRowStore;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.LongStream;

/**
 * One partition over in-memory storage that can be crashed and started again.
 */
final class PartitionRig
{
    static final int CAPACITY = 200;
    static final long MAX_HELD_BYTES = 1 << 20;
    static final int MTU_LENGTH = InMemoryStorage.MAX_LENGTH + LogRecords.FRAME_ALIGNMENT;
    static final int TERM_LENGTH = 1024 * 1024;
    static final int PUSH_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;
    static final TableSpec WEIGHTS = TableSpec.sparse(0, "weights", 2, "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1");
    static final TableSpec COUNTS = TableSpec.sparse(1, "counts", 1, "add/1");

    final InMemoryStorage storage;
    private final RecoveryMode mode;
    private final boolean keepsLog;
    /** That tables may name, from the next start on. */
    UpdateFunctions functions = UpdateFunctions.BUILT_IN;
    final PushPartHeader part = new PushPartHeader();
    /** Process of whatever slot pushes. */
    long incarnation = 1;
    final Sections sections = new Sections();
    final UnsafeBuffer push = new UnsafeBuffer(ByteBuffer.allocateDirect(InMemoryStorage.MAX_LENGTH * 2));
    /** Of what is in {@link #push}, from {@link #PUSH_OFFSET} on. */
    int pushLength;
    Partition partition;
    Replica replica;
    LoneChain chain;

    PartitionRig()
    {
        this(new InMemoryStorage());
    }

    PartitionRig(final InMemoryStorage storage)
    {
        this(storage, RecoveryMode.REPLAY, true);
    }

    PartitionRig(final InMemoryStorage storage, final RecoveryMode mode, final boolean keepsLog)
    {
        this.storage = storage;
        this.mode = mode;
        this.keepsLog = keepsLog;
        start();
    }

    void start()
    {
        partition = new Partition(1, 0, 0, new PartitionFunction(1),
            (number, spec, rowLength) -> new InMemoryRowStore(rowLength, CAPACITY), mode, functions);
        partition.sumClocks(MAX_HELD_BYTES);
        // only in the coordinator's memory is every epoch there has been where no log tells of them
        chain = null == chain || keepsLog ? new LoneChain() : chain;
        replica = new Replica(0, 1, 0, replicaStorage(), partition, chain);
        int spins = 0;
        while (!replica.isPrimary() && Replica.State.HALTED != replica.state() && spins++ < 10_000)
        {
            chain.drive(replica);
            storage.recordAll();
        }
    }

    private ReplicaStorage replicaStorage()
    {
        return keepsLog ? storage : new SnapshotOnlyStorage(storage, MTU_LENGTH, TERM_LENGTH);
    }

    void crashAndRestart()
    {
        storage.crash();
        start();
    }

    void createTables()
    {
        partition.onCreateTable(WEIGHTS, partition.epoch());
        partition.onCreateTable(COUNTS, partition.epoch());
    }

    /** Push rows (key, value) of the counts table with the audit row, as one part. */
    Outcome pushCount(final int slot, final long sequence, final long key, final float value)
    {
        final PushEncoder encoder = new PushEncoder();
        final PushEncoder.SectionsEncoder entries = encoder
            .wrapAndApplyHeader(push, 0, new MessageHeaderEncoder())
            .sectionsCount(2);
        entries.next().tableId(COUNTS.tableId()).rowCount(1).valuesLength(4)
            .keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        entries.next().tableId(TableSpec.AUDIT.tableId()).rowCount(1).valuesLength(32)
            .keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        final UnsafeBuffer body = new UnsafeBuffer(new byte[8 + 4 + 8 + 32]);
        body.putLong(0, key, ByteOrder.LITTLE_ENDIAN);
        body.putFloat(8, value, ByteOrder.LITTLE_ENDIAN);
        body.putLong(12, slot, ByteOrder.LITTLE_ENDIAN);
        body.putLong(20, 1, ByteOrder.LITTLE_ENDIAN);
        body.putLong(28, sequence, ByteOrder.LITTLE_ENDIAN);
        body.putLong(36, sequence * sequence, ByteOrder.LITTLE_ENDIAN);
        body.putLong(44, contentHash(key, value, sequence), ByteOrder.LITTLE_ENDIAN);
        encoder.putBody(body, 0, body.capacity());

        return push(slot, sequence, encoder);
    }

    /** Push one section of floats with given keys. */
    Outcome pushFloats(final int slot, final long sequence, final int tableId, final long[] keys, final float[] values)
    {
        return pushFloats(slot, sequence, tableId, Sections.RAW, KeyForm.KEYS, keys, values);
    }

    /** Push one section of floats with given keys in a form, and values in an encoding. */
    Outcome pushFloats(
        final int slot,
        final long sequence,
        final int tableId,
        final int encoding,
        final int keyForm,
        final long[] keys,
        final float[] values)
    {
        final PushEncoder encoder = new PushEncoder();
        final int valuesLength = values.length * ValueEncoding.ofWire(encoding).elementLength();
        encoder.wrapAndApplyHeader(push, 0, new MessageHeaderEncoder())
            .sectionsCount(1).next().tableId(tableId).rowCount(keys.length).valuesLength(valuesLength)
            .keyForm((short)keyForm).encoding((short)encoding);
        final int keysLength = (int)KeyForm.length(keyForm, keys.length);
        final UnsafeBuffer body = new UnsafeBuffer(new byte[keysLength + valuesLength]);
        KeyForm.write(keyForm, keys, 0, keys.length, LongStream.of(keys).min().orElseThrow(), body, 0);
        ValueEncoding.ofWire(encoding).encode(values, 0, body, keysLength, values.length);
        encoder.putBody(body, 0, body.capacity());

        return push(slot, sequence, encoder);
    }

    /** Push whole rows: of each its values, then its state. */
    Outcome pushRows(final int slot, final long sequence, final TableSpec spec, final long[] keys, final float[] rows)
    {
        return pushFloats(slot, sequence, spec.tableId(), Sections.ROWS, KeyForm.KEYS, keys, rows);
    }

    Outcome push(final int slot, final long sequence, final PushEncoder encoder)
    {
        pushLength = encoder.limit() - PUSH_OFFSET;
        part.set(slot, incarnation, partition.epoch(), sequence, 0, 0);

        return partition.onPush(part, sections, push, PUSH_OFFSET, pushLength);
    }

    float count(final long key)
    {
        return value(COUNTS.tableId(), key);
    }

    /** The value of a row of one. */
    float value(final int tableId, final long key)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[4]);
        partition.rows().read(tableId, key, row, 0);
        return row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
    }

    long[] audit(final int slot)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[TableSpec.AUDIT.valuesLength()]);
        partition.rows().read(TableSpec.AUDIT.tableId(), slot, row, 0);
        return new long[]{
            row.getLong(0, ByteOrder.LITTLE_ENDIAN),
            row.getLong(8, ByteOrder.LITTLE_ENDIAN),
            row.getLong(16, ByteOrder.LITTLE_ENDIAN)};
    }

    /** Sum of the content hashes that the audit row of a slot holds. */
    long contentSum(final int slot)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[TableSpec.AUDIT.valuesLength()]);
        partition.rows().read(TableSpec.AUDIT.tableId(), slot, row, 0);
        return row.getLong(24, ByteOrder.LITTLE_ENDIAN);
    }

    /** As unlike others as that of a real part. */
    static long contentHash(final long key, final float value, final long sequence)
    {
        return PartitionFunction.mix(key * 31 + Float.floatToIntBits(value) ^ PartitionFunction.mix(sequence));
    }

    void takeSnapshot()
    {
        partition.snapshots().start(storage.openSnapshotSink(partition.cursor().position()));
        finishSnapshot();
    }

    void finishSnapshot()
    {
        int spins = 0;
        while (partition.snapshots().isUnderWay() && spins++ < 10_000)
        {
            partition.snapshots().doWork();
        }
    }

    Refusal refusal()
    {
        return partition.refusal();
    }
}
