// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.snapshot.SnapshotThrottle;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much of a table one duty cycle looks at.
 */
class SnapshotScanTest
{
    private static final int ROWS = 100_000;
    private static final int MAX_CYCLES = 100;
    private static final TableSpec SPEC = TableSpec.sparse(3, "rows", 1, "add/1");

    private int looks;
    private final PartitionState state = new PartitionState(
        0, new PartitionFunction(1), (number, spec, rowLength) -> new CountedStore(rowLength));
    private final SnapshotTaker taker = new SnapshotTaker(1, state);

    @Test
    void shouldNotLookAtALongRunOfChangedRowsInOneDutyCycle()
    {
        final RowTable table = state.addTable(SPEC);
        // the snapshot stands for a position before that of the rows' last update
        table.update(section(), taker.scan(), 10);
        taker.start(new InMemoryStorage().openSnapshotSink(0));

        looks = 0;
        for (int i = 0; i < MAX_CYCLES && looks < ROWS; i++)
        {
            final int before = looks;
            taker.doWork(SnapshotThrottle.UNLIMITED);
            assertThat(looks - before).isLessThanOrEqualTo(RowScan.SCAN_BYTES / RowScan.SKIPPED_BYTES);
        }
        assertThat(looks).isEqualTo(ROWS);
    }

    private static Sections section()
    {
        final int bodyLength = Long.BYTES + ROWS * Float.BYTES;
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(Sections.lengthOf(1, bodyLength)));
        final int entry = Sections.GROUP_HEADER_LENGTH;
        buffer.putShort(0, (short)Sections.ENTRY_LENGTH, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(2, (short)1, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry, SPEC.tableId(), ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry + 4, ROWS, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry + 8, ROWS * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(entry + 12, (byte)KeyForm.RANGE);
        buffer.putByte(entry + 13, (byte)Sections.RAW);
        buffer.putInt(entry + Sections.ENTRY_LENGTH, bodyLength, ByteOrder.LITTLE_ENDIAN);
        final Sections sections = new Sections().wrap(buffer, 0, buffer.capacity());
        assertThat(sections.isMalformed()).isFalse();
        assertThat(sections.next()).isTrue();

        return sections;
    }

    private final class CountedStore implements RowStore
    {
        private final RowStore rows;

        CountedStore(final int rowLength)
        {
            rows = new InMemoryRowStore(rowLength, ROWS);
        }

        @Override
        public int size()
        {
            return rows.size();
        }

        @Override
        public int capacity()
        {
            return rows.capacity();
        }

        @Override
        public int find(final long key)
        {
            return rows.find(key);
        }

        @Override
        public void find(final long[] keys, final int count, final int[] numbers)
        {
            rows.find(keys, count, numbers);
        }

        @Override
        public void addresses(final int[] numbers, final int count, final long[] addresses)
        {
            rows.addresses(numbers, count, addresses);
        }

        @Override
        public int create(final long key)
        {
            return rows.create(key);
        }

        @Override
        public long key(final int row)
        {
            return rows.key(row);
        }

        @Override
        public void wrap(final int row, final UnsafeBuffer view)
        {
            looks++;
            rows.wrap(row, view);
        }

        @Override
        public void close()
        {
            rows.close();
        }
    }
}
