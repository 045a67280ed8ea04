// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that are read many at a time, beside reading them one by one.
 */
class ReadRowsTest
{
    private static final int KEYS = 3_000;
    private static final int MARGIN = 24;

    private final PartitionState state = new PartitionState(0, new PartitionFunction(1),
        (number, spec, rowLength) -> new InMemoryRowStore(rowLength, KEYS));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 40})
    void shouldReadRowsAsOneByOneWhetherTheyExistOrNot(final int dim)
    {
        final TableSpec zeros = TableSpec.sparse(3, "zeros", dim, "add/1");
        final TableSpec normal = new TableSpec(
            4, "normal", dim, zeros.elementType(), 0, TableSpec.NORMAL, 7, 0.5f, "add/1");
        check(state.addTable(zeros));
        check(state.addTable(normal));
    }

    private static void check(final RowTable table)
    {
        final SplittableRandom random = new SplittableRandom(3);
        final int length = table.spec().valuesLength();
        final long[] keys = random.longs(KEYS, 0, KEYS).toArray();
        final UnsafeBuffer row = new UnsafeBuffer(0, 0);
        for (int i = 0; i < KEYS; i += 2)
        {
            table.store().wrap(table.findOrCreate(keys[i]), row);
            row.putInt(RowTable.VERSION_LENGTH + length - Float.BYTES, i + 1);
        }
        final int from = 5;
        final int count = KEYS - 2 * from;
        final UnsafeBuffer read = new UnsafeBuffer(new byte[count * length + 2 * MARGIN]);
        read.setMemory(0, read.capacity(), (byte)-1);
        table.read((first, keyCount, to) -> System.arraycopy(keys, first, to, 0, keyCount), from, count, read, MARGIN);

        final UnsafeBuffer expected = new UnsafeBuffer(new byte[read.capacity()]);
        expected.setMemory(0, expected.capacity(), (byte)-1);
        for (int i = 0; i < count; i++)
        {
            table.read(keys[from + i], expected, MARGIN + i * length);
        }
        assertThat(read.compareTo(expected)).isZero();
    }
}
