// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RowCacheTest
{
    private static final int DIM = 3;
    private static final TableSpec SPEC = TableSpec.sparse(0, "weights", DIM, "sgd/1 rate=1.0");

    private final float[] out = new float[2 * DIM];

    @Test
    void shouldGiveBackWhatWasPulledLast()
    {
        final RowCache.Rows rows = new RowCache(1 << 20).of(SPEC);
        for (int key = 0; key < 1000; key++)
        {
            rows.put(key, new float[]{9, 9, 9, key, 2, 3}, DIM, 100 + key);
        }
        rows.put(7, new float[]{70, 71, 72}, 0, 5000);

        assertThat(rows.get(7, out, DIM)).isEqualTo(5000);
        assertThat(out).containsExactly(0, 0, 0, 70, 71, 72);
        assertThat(rows.get(999, out, 0)).isEqualTo(1099);
        assertThat(out).containsExactly(999, 2, 3, 70, 71, 72);
    }

    @Test
    void shouldGiveUpTheRowKeptLongestWhenItsBytesAreUsed()
    {
        final RowCache.Rows rows = new RowCache(3 * (RowCache.ROW_OVERHEAD + 4L * DIM)).of(seeded());
        assertThat(rows.maxRows()).isEqualTo(3);
        for (int key = 0; key < 5; key++)
        {
            rows.put(key, new float[]{key, key, key}, 0, 10 + key);
        }

        assertThat(rows.get(0, out, 0)).isEqualTo(RowCache.UNKNOWN);
        assertThat(rows.get(1, out, 0)).isEqualTo(RowCache.UNKNOWN);
        for (int key = 2; key < 5; key++)
        {
            assertThat(rows.get(key, out, 0)).isEqualTo(10 + key);
            assertThat(out[2]).isEqualTo(key);
        }
    }

    @Test
    void shouldNotKnowARowThatWasNeverPulledEvenIfRowsBeginAsZeros()
    {
        final RowCache cache = new RowCache(1 << 20);
        out[0] = 1;

        assertThat(cache.of(SPEC).get(3, out, 0)).isEqualTo(RowCache.UNKNOWN);
        assertThat(out[0]).isEqualTo(1);
        assertThat(cache.of(seeded()).get(3, out, 0)).isEqualTo(RowCache.UNKNOWN);
    }

    @Test
    void shouldKeepLongsToo()
    {
        final TableSpec counts = new TableSpec(2, "counts", 2, ElementType.INT64, 0, 0, 0, 0, "add/1");
        final RowCache.Rows rows = new RowCache(1 << 20).of(counts);
        final long[] longs = new long[2];
        rows.put(1, new long[]{4, 5}, 0, 8);

        assertThat(rows.get(1, longs, 0)).isEqualTo(8);
        assertThat(longs).containsExactly(4, 5);
        assertThat(rows.get(2, longs, 0)).isEqualTo(RowCache.UNKNOWN);
    }

    @Test
    void shouldNeverKeepTablesOfTheSystem()
    {
        assertThat(new RowCache(1 << 20).of(TableSpec.AUDIT)).isNull();
    }

    private static TableSpec seeded()
    {
        return new TableSpec(1, "seeded", DIM, ElementType.FLOAT32, 0, 1, 42, 0.1f, "sgd/1 rate=1.0");
    }
}
