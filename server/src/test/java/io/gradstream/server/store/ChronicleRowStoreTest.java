// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.store;

import com.sun.management.ThreadMXBean;
import io.gradstream.codecs.TableSpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChronicleRowStoreTest
{
    private static final int ROW_LENGTH = 20;
    private static final int CAPACITY = 20_000;

    private final ChronicleRowStore store = new ChronicleRowStore(
        3, TableSpec.sparse(0, "weights", 1, "ftrl/1 alpha=1 beta=1 l1=1 l2=1"), ROW_LENGTH, CAPACITY);
    private final UnsafeBuffer row = new UnsafeBuffer(0, 0);

    @AfterEach
    void close()
    {
        store.close();
    }

    @Test
    void shouldKeepEachRowWhereChronicleMapHasIt()
    {
        final SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < CAPACITY; i++)
        {
            final long key = ((long)i << 20) ^ random.nextInt(1 << 20);
            assertThat(store.find(key)).isEqualTo(-1);
            assertThat(store.create(key)).isEqualTo(i);
            store.wrap(i, row);
            assertThat(row.getLong(0)).isZero();
            assertThat(row.getLong(8)).isZero();
            row.putLong(0, key);
            row.putInt(16, i);
        }

        assertThat(store.size()).isEqualTo(CAPACITY);
        for (int i = 0; i < CAPACITY; i++)
        {
            store.wrap(i, row);
            assertThat(row.addressOffset()).isEqualTo(store.lookUp(store.key(i)));
            assertThat(row.getLong(0)).isEqualTo(store.key(i));
            assertThat(row.getInt(16)).isEqualTo(i);
            assertThat(store.find(store.key(i))).isEqualTo(i);
        }
        assertThatIllegalStateException().isThrownBy(() -> store.create(-1)).withMessageContaining("no room");
    }

    @Test
    void shouldFindManyRowsAtOnceAsOneByOne()
    {
        final long[] keys = {1L << 50, 3, 17, -5, 1L << 51, 17};
        store.create(17);
        store.create(1L << 50);
        final int[] rows = new int[keys.length];
        store.find(keys, keys.length, rows);
        assertThat(rows).containsExactly(1, -1, 0, -1, -1, 0);

        final long[] addresses = new long[keys.length];
        store.addresses(rows, keys.length, addresses);
        assertThat(addresses).containsExactly(
            store.lookUp(1L << 50), 0, store.lookUp(17), 0, 0, store.lookUp(17));
        assertThatThrownBy(() -> store.addresses(new int[]{2}, 1, addresses))
            .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldKeepLongRowsApart()
    {
        final int rows = 700;
        final int length = 4_104;
        try (ChronicleRowStore dense = new ChronicleRowStore(
            0, TableSpec.dense(1, "dense", rows, 1_024, "sgd/1 rate=1"), length, rows))
        {
            for (int i = 0; i < rows; i++)
            {
                dense.wrap(dense.create(i), row);
                row.setMemory(0, length, (byte)(i + 1));
            }
            for (int i = 0; i < rows; i++)
            {
                dense.wrap(i, row);
                assertThat(row.addressOffset()).isEqualTo(dense.lookUp(i));
                final byte[] expected = new byte[length];
                Arrays.fill(expected, (byte)(i + 1));
                final byte[] actual = new byte[length];
                row.getBytes(0, actual);
                assertThat(actual).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldLeaveLittleGarbageForEachNewRow()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        final int length = 1_032;
        try (ChronicleRowStore dense = new ChronicleRowStore(
            0, TableSpec.dense(1, "dense", CAPACITY, 256, "sgd/1 rate=1"), length, CAPACITY))
        {
            for (int i = 0; i < CAPACITY / 2; i++)
            {
                dense.create(i);
            }
            final long before = threads.getThreadAllocatedBytes(thread);
            for (int i = CAPACITY / 2; i < CAPACITY; i++)
            {
                dense.create(i);
            }

            // a boxed key, and something for pages and for code that is not compiled yet
            assertThat((threads.getThreadAllocatedBytes(thread) - before) / (CAPACITY / 2)).isLessThan(100);
        }
    }

    @Test
    void shouldNotHandOutRowsThereAreNot()
    {
        store.create(7);
        store.wrap(0, row);
        assertThat(row.capacity()).isEqualTo(ROW_LENGTH);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> store.wrap(1, row));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> store.wrap(-1, row));
    }

    @Test
    void shouldFindMadeAtBuildTimeWhatChronicleWouldCompile()
    {
        assertThat(getClass().getResource("/net/openhft/chronicle/hash/VanillaGlobalMutableState$$Native.class"))
            .as("written by src/build/NativeValues.java; without it each start runs javac").isNotNull();
        assertThat(ModuleLayer.boot().findModule("jdk.compiler").map((module) ->
            module.isExported("com.sun.tools.javac.file", getClass().getModule())).orElse(false))
            .as("Chronicle could compile at run time").isFalse();
    }

    @Test
    void shouldRunWithoutTheAnalyticsThatCallHome()
    {
        assertThatExceptionOfType(ClassNotFoundException.class)
            .isThrownBy(() -> Class.forName("net.openhft.chronicle.analytics.Analytics"));
    }
}
