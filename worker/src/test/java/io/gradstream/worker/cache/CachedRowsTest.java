// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.cache;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which cached rows may answer a pull, what they hold, and which make room. */
class CachedRowsTest
{
    private static final int STALENESS = 2;
    private static final long ROOM = 1 << 20;
    private static final int DIM = 2;
    private static final int ROW_BYTES = DIM * Float.BYTES + CachedRows.ROW_OVERHEAD;

    private final ProcessCache cache = new ProcessCache(2);
    private final float[] out = new float[DIM];

    CachedRowsTest()
    {
        cache.consistency(new Consistency(2, STALENESS));
    }

    @Test
    void shouldAnswerWhileTheServerWouldHaveAnswered()
    {
        final CachedRows rows = rows("add/1");
        put(rows, 7, 5, rows.onAsked());
        assertThat(take(rows, 7, 5)).isEqualTo(5);
        assertThat(take(rows, 7, 5 + STALENESS)).isEqualTo(5);
        assertThat(out).containsExactly(7, 8);
        assertThat(take(rows, 7, 5 + STALENESS + 1)).isEqualTo(CachedRows.UNKNOWN);
        assertThat(take(rows, 8, 0)).isEqualTo(CachedRows.UNKNOWN);
        assertThat(cache.cachedRows()).isEqualTo(2);

        assertThat(take(rows, 7, Consistency.FINISHED)).isEqualTo(CachedRows.UNKNOWN);
        put(rows, 7, Consistency.FINISHED, rows.onAsked());
        assertThat(take(rows, 7, Consistency.FINISHED)).isEqualTo(Consistency.FINISHED);
    }

    @Test
    void shouldAnswerWithNothingOlderThanABarrier()
    {
        final CachedRows rows = rows("add/1");
        put(rows, 7, 5, rows.onAsked());
        cache.leastClock(5);
        assertThat(take(rows, 7, 6)).isEqualTo(5);
        cache.leastClock(6);
        cache.leastClock(4);
        assertThat(take(rows, 7, 6)).isEqualTo(CachedRows.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"add/1, 1", "sgd/1 rate=0.5, -0.5", "sgd/2 rate=0.25, -0.25", "sgd/1 rate=0.5 clip=1, NaN",
        "sgd/2 rate=0.5 momentum=0.9, NaN", "sgd/1 rate=1 schedule=cosine:steps=9, NaN", "assign/1, NaN",
        "add/1 refuse-non-finite, NaN", "adagrad/1 rate=0.1, NaN", "ftrl/1 alpha=1 beta=1 l1=0 l2=0, NaN"})
    void shouldKnowWhichFunctionsAddAMultipleOfTheGradient(final String function, final float step)
    {
        assertThat(CachedRows.stepOf(function)).isEqualTo(Float.valueOf(step));
    }

    @Test
    void shouldShowOwnPushesAtOnceWhereTheyCanBeAdded()
    {
        final CachedRows rows = rows("sgd/1 rate=0.5");
        put(rows, 7, 5, rows.onAsked());
        push(rows, 7, 2, 4);
        push(rows, 7, 2, 0);
        take(rows, 7, 5);
        assertThat(out).containsExactly(7 - 2, 8 - 2);

        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[12]);
        buffer.putFloat(4, 2, ByteOrder.LITTLE_ENDIAN);
        rows.push(7, buffer, 4);
        take(rows, 7, 5);
        assertThat(out).containsExactly(7 - 3, 8 - 2);
    }

    @Test
    void shouldShowOwnPushesOfLongs()
    {
        cache.add(new TableSpec(3, "counts", 1, ElementType.INT64, 0, 0, 0, 0, "add/1"), ROOM, OwnPushes.AT_ONCE);
        final CachedRows rows = cache.of(3);
        final long[] row = {1L << 60};
        rows.put(0, 7, row, 0, 5, rows.onAsked());
        rows.onPush();
        rows.push(7, new long[]{0, 5}, 1);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        buffer.putLong(0, 6, ByteOrder.LITTLE_ENDIAN);
        rows.push(7, buffer, 0);
        rows.take(0, 7, 5, row, 0);
        assertThat(row[0]).isEqualTo((1L << 60) + 11);
    }

    @Test
    void shouldFetchRowsAgainThatAnotherFunctionHasChangedUnlessLaterWillDo()
    {
        final CachedRows atOnce = rows("adagrad/1 rate=0.1");
        put(atOnce, 7, 5, atOnce.onAsked());
        put(atOnce, 8, 5, 0);
        push(atOnce, 7, 1, 1);
        assertThat(take(atOnce, 7, 5)).isEqualTo(CachedRows.UNKNOWN);
        assertThat(take(atOnce, 8, 5)).isEqualTo(5);

        cache.add(TableSpec.sparse(2, "later", DIM, "adagrad/1 rate=0.1"), ROOM, OwnPushes.LATER);
        final CachedRows later = cache.of(2);
        final long askedAt = later.onAsked();
        push(later, 7, 1, 1);
        put(later, 7, 5, askedAt);
        push(later, 7, 1, 1);
        assertThat(take(later, 7, 5)).isEqualTo(5);
        assertThat(out).containsExactly(7, 8);

        later.drop(7);
        assertThat(take(later, 7, 5)).as("replaced").isEqualTo(CachedRows.UNKNOWN);
    }

    @Test
    void shouldTakeNoRowOfAnAnswerThatAnOwnPushMayHaveMissed()
    {
        final CachedRows rows = rows("add/1");
        final long first = rows.onAsked();
        push(rows, 7, 1, 1);
        final long second = rows.onAsked();
        put(rows, 7, 5, first);
        assertThat(take(rows, 7, 5)).as("pushed since the first pull was asked").isEqualTo(CachedRows.UNKNOWN);
        put(rows, 7, 5, second);
        assertThat(take(rows, 7, 5)).isEqualTo(5);
        put(rows, 7, 6, first);
        assertThat(take(rows, 7, 5)).as("of the first pull").isEqualTo(5);
        put(rows, 8, 5, first);
        assertThat(take(rows, 8, 5)).as("not pushed").isEqualTo(5);

        rows.onOver();
        rows.onOver();
        push(rows, 9, 1, 1);
        put(rows, 9, 5, rows.onAsked());
        assertThat(take(rows, 9, 5)).as("pushed before").isEqualTo(5);
    }

    @Test
    void shouldRememberPushesToRowsThatMadeRoom()
    {
        cache.add(TableSpec.sparse(1, "weights", DIM, "add/1"), 2 * ROW_BYTES, OwnPushes.AT_ONCE);
        final CachedRows rows = cache.of(1);
        assertThat(rows.maxRows()).isEqualTo(2);
        final long askedAt = rows.onAsked();
        push(rows, 7, 1, 1);
        push(rows, 8, 1, 1);
        push(rows, 9, 1, 1);
        put(rows, 7, 5, askedAt);
        assertThat(take(rows, 7, 5)).isEqualTo(CachedRows.UNKNOWN);
        put(rows, 7, 5, rows.onAsked());
        assertThat(take(rows, 7, 5)).isEqualTo(5);
    }

    @Test
    void shouldLetRowsMakeRoomThatNoPullHasUsed()
    {
        final int most = 1000;
        cache.add(TableSpec.sparse(1, "weights", DIM, "add/1"), most * (long)ROW_BYTES, OwnPushes.AT_ONCE);
        final CachedRows rows = cache.of(1);
        for (int key = 0; key < most; key++)
        {
            put(rows, key, 5, 0);
        }
        for (int key = 0; key < most; key += 2)
        {
            assertThat(take(rows, key, 5)).isEqualTo(5);
        }
        for (int key = most; key < most + most / 2; key++)
        {
            put(rows, key, 5, 0);
        }
        for (int key = 0; key < most + most / 2; key++)
        {
            final boolean isKept = key >= most || 0 == key % 2;
            assertThat(take(rows, key, 5)).as("key %d", key).isEqualTo(isKept ? 5 : CachedRows.UNKNOWN);
            assertThat(isKept ? out[0] : key).isEqualTo(key);
        }
    }

    @Test
    void shouldDropTheRowsOfAPrimaryThatWasReplaced()
    {
        cache.onEpoch(0, 3);
        final CachedRows rows = rows("add/1");
        put(rows, 7, 5, rows.onAsked());
        rows.put(1, 8, new float[]{8, 9}, 0, 5, rows.onAsked());
        cache.onEpoch(0, 3);
        assertThat(take(rows, 7, 5)).as("the same primary").isEqualTo(5);
        cache.onEpoch(0, 4);
        assertThat(take(rows, 7, 5)).isEqualTo(CachedRows.UNKNOWN);
        assertThat(rows.take(1, 8, 5, out, 0)).as("of another partition").isEqualTo(5);
    }

    @Test
    void shouldDropAllRowsWhenTheBoundOrTheSlotsChange()
    {
        final CachedRows rows = rows("add/1");
        final long askedAt = rows.onAsked();
        put(rows, 7, 5, askedAt);
        cache.consistency(new Consistency(2, STALENESS));
        assertThat(take(rows, 7, 5)).isEqualTo(5);
        cache.consistency(new Consistency(3, STALENESS));
        assertThat(take(rows, 7, 5)).isEqualTo(CachedRows.UNKNOWN);
        put(rows, 7, 5, askedAt);
        assertThat(take(rows, 7, 5)).as("asked before").isEqualTo(CachedRows.UNKNOWN);
        put(rows, 7, 5, rows.onAsked());
        assertThat(take(rows, 7, 5)).isEqualTo(5);
        assertThat(cache.isBounded()).isTrue();
        cache.consistency(new Consistency(3, 0));
        assertThat(cache.isBounded()).isFalse();
        cache.consistency(Consistency.EVENTUAL);
        assertThat(cache.isBounded()).isFalse();
    }

    @Test
    void shouldRefuseWhatCannotBeCached()
    {
        rows("add/1");
        assertThatThrownBy(() -> rows("add/1")).isInstanceOf(IllegalStateException.class)
            .hasMessage("table 'weights' is cached already");
        assertThatThrownBy(() -> cache.add(TableSpec.AUDIT, ROOM, OwnPushes.AT_ONCE))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'_audit'");
        final TableSpec other = TableSpec.sparse(4, "other", DIM, "add/1");
        assertThatThrownBy(() -> cache.add(other, ROW_BYTES - 1, OwnPushes.AT_ONCE))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("takes " + ROW_BYTES);
    }

    private CachedRows rows(final String function)
    {
        cache.add(TableSpec.sparse(1, "weights", DIM, function), ROOM, OwnPushes.AT_ONCE);
        return cache.of(1);
    }

    private static void put(final CachedRows rows, final long key, final long minClock, final long askedAt)
    {
        rows.put(0, key, new float[]{0, key, key + 1}, 1, minClock, askedAt);
    }

    private static void push(final CachedRows rows, final long key, final float first, final float second)
    {
        rows.onPush();
        rows.push(key, new float[]{0, 0, first, second}, 2);
    }

    private long take(final CachedRows rows, final long key, final long clock)
    {
        return rows.take(0, key, clock, out, 0);
    }
}
