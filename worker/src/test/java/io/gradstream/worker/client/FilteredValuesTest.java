// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradientSum;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.OperationTimeoutException;
import io.gradstream.worker.Table;
import io.gradstream.worker.filter.InfiniteGradientException;
import io.gradstream.worker.filter.PushFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A client with filters, where rows and gradients are rounded, out of range, or more than there is room for. */
class FilteredValuesTest
{
    private static final TableSpec SPEC = TableSpec.dense(1, "weights", 1_000_000, 1, "sgd/1 rate=1.0");
    private static final TableSpec FTRL = TableSpec.dense(1, "weights", 1_000, 2, "ftrl/1 alpha=1 beta=1 l1=0.5 l2=0");

    /** Another handle of the same table may have its rows rounded: what is then 0 need not be. */
    @Test
    void shouldNotTakeARoundedRowForOneAtZero()
    {
        final RowsRig l1 = new RowsRig(FTRL, 1, Consistency.EVENTUAL);
        final Table weights = l1.client.createTable(FTRL).pushFilter(PushFilter.kkt(0.5));
        final Table rounded = l1.client.knownTable(FTRL).pullEncoding(ValueEncoding.FLOAT16);
        weights.pullAndAwait(new long[]{1, 2, 3}, 3, new float[6]);
        l1.row(1)[0] = 1e-8f;
        l1.row(2)[0] = 1e6f;
        final float[] rows = new float[6];
        rounded.pullAndAwait(new long[]{1, 2, 3}, 3, rows);
        assertThat(rows).containsExactly(0, 0, Float.POSITIVE_INFINITY, 0, 0, 0);
        push(l1, weights, 1, 0.125f, 0);
        push(l1, weights, 2, 0.125f, 0);

        assertThat(l1.said).containsExactly("1=[0.125, 0.0]", "2=[0.125, 0.0]");
        assertThat(l1.client.stats().filtered().rowsAtZero()).isZero();
    }

    @Test
    void shouldTakeTheLeastWeightsForZerosInBfloat16()
    {
        final RowsRig l1 = new RowsRig(FTRL, 1, Consistency.EVENTUAL);
        final Table weights =
            l1.client.createTable(FTRL).pullEncoding(ValueEncoding.BFLOAT16).pushFilter(PushFilter.kkt(0.5));
        l1.row(1)[0] = 4.5e-41f;
        l1.row(2)[0] = 4.7e-41f;
        weights.pullAndAwait(new long[]{1, 2}, 2, new float[4]);
        push(l1, weights, 1, 0.125f, 0);
        push(l1, weights, 2, 0.125f, 0);

        assertThat(l1.said).containsExactly("2=[0.125, 0.0]");
    }

    /** All old rows at once may be more than a spool ever holds. */
    @Test
    void shouldPushOneRowAtOnceWhereManyAreOld()
    {
        final int rows = 50_000;
        final RowsRig small = new RowsRig(SPEC, 1, Consistency.EVENTUAL, new ClientContext().maxPartLength(32856));
        final Table table = small.client.createTable(SPEC).pushFilter(PushFilter.significant(0.5, 2));
        small.row(0)[0] = 100;
        table.pullAndAwait(new long[]{0}, 1, new float[1]);
        final long[] keys = LongStream.range(0, rows).toArray();
        final float[] gradients = new float[rows];
        Arrays.fill(gradients, 1);
        table.push(keys, 0, rows, gradients);
        assertThat(small.client.stats().rowsHeldNow()).isEqualTo(rows);
        small.client.clock();
        small.client.clock();
        assertThat(table.tryPush(keys, 0, 1, new float[]{500})).isNotEqualTo(GradstreamClient.NOT_NOW);
        small.poll();
        assertThat(small.said).containsExactly("clock 1", "clock 2", "0=501.0");
        assertThat(small.client.stats().rowsHeldNow()).isEqualTo(rows - 1);
        small.client.clock();
        small.client.awaitAll();
        assertThat(small.client.stats().rowsHeldNow()).isZero();
        assertThat(small.rowsPushed).isEqualTo(rows);
    }

    /** Two gradients that may each be pushed, but whose sum may not. */
    @ParameterizedTest
    @CsvSource({"FLOAT16, 40000, 40000", "FLOAT16, -30000, -50000", "RAW, 3e38, 2e38"})
    void shouldHoldANewGradientWhereTheSumHasNoEncoding(
        final ValueEncoding encoding, final float before, final float next)
    {
        final RowsRig rig = new RowsRig(SPEC, 1, Consistency.EVENTUAL);
        final Table table =
            rig.client.createTable(SPEC).pushEncoding(encoding).pushFilter(PushFilter.significant(1000, 2));
        rig.row(3)[0] = 1e36f;
        table.pullAndAwait(new long[]{3}, 1, new float[1]);
        push(rig, table, 3, before);
        assertThat(rig.said).isEmpty();
        rig.client.clock();
        push(rig, table, 3, next);
        assertThat(rig.said).containsExactly("clock 1", "3=" + encoding.rounded(before));
        assertThat(rig.client.stats().rowsHeldNow()).isEqualTo(1);
        assertThat(rig.client.stats().filtered().rowsHeld()).isEqualTo(2);
        assertThat(rig.client.stats().filtered().heldBytesSaved()).as("of the one that is held")
            .isEqualTo(encoding.elementLength());
        rig.client.clock();
        rig.client.clock();
        rig.poll();
        assertThat(rig.said).as("its age counts from its own iteration").endsWith("clock 3");
        rig.client.clock();
        rig.poll();
        assertThat(rig.said).endsWith("3=" + encoding.rounded(next), "clock 4");
    }

    /** A row of which only the older gradients were sent was not pushed. */
    @Test
    void shouldPushAgainWhatItWouldHaveHeldOfAPushThatFailed()
    {
        final RowsRig full = new RowsRig(SPEC, 2, Consistency.EVENTUAL);
        final Table table = full.client.createTable(SPEC);
        final long here = full.keyOf(0, 0);
        final long old = full.keyOf(0, 1);
        final long there = full.keyOf(1, 0);
        full.row(here)[0] = 1e38f;
        table.pushFilter(PushFilter.significant(100, 1));
        table.pullAndAwait(new long[]{here}, 1, new float[1]);
        table.push(new long[]{here, old}, new float[]{3e38f, 5});
        full.client.clock();
        full.poll();
        full.isTaking[1] = false;
        final Table plain = full.client.knownTable(SPEC);
        for (int i = 0; i < RowsRig.MAX_IN_FLIGHT; i++)
        {
            plain.push(new long[]{there + 1}, new float[]{1});
        }
        final GradientSum sum = new GradientSum(1, 10);
        sum.add(new long[]{here, there}, 0, 2, new float[]{2e38f, Float.MAX_VALUE});
        full.row(there)[0] = Float.MIN_VALUE;
        table.pull(new long[]{there}, 1, new float[1]);
        full.poll();
        assertThatThrownBy(() -> sum.push(table)).isInstanceOf(OperationTimeoutException.class);

        assertThat(full.said).contains(here + "=3.0E38", old + "=5.0");
        assertThat(Arrays.copyOf(sum.keys(), sum.rows())).containsExactly(here, there);
        assertThat(full.client.stats().rowsHeldNow()).isZero();
        assertThat(full.client.stats().filtered().rowsHeld()).isEqualTo(2);
        assertThat(full.client.stats().filtered().heldBytesSaved()).as("both were sent alone").isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDrawAgainForTheRowsOfASumOnlyAfterTheIteration(final boolean isEnded)
    {
        final RowsRig full = new RowsRig(SPEC, 2, Consistency.EVENTUAL);
        final Table table = full.client.createTable(SPEC).pushFilter(PushFilter.randomSkip(0.5));
        final Table plain = full.client.knownTable(SPEC);
        full.isTaking[1] = false;
        for (int i = 0; i < RowsRig.MAX_IN_FLIGHT; i++)
        {
            plain.push(new long[]{full.keyOf(1, 100)}, new float[]{1});
        }
        final GradientSum sum = new GradientSum(1, 100);
        for (int i = 0; i < 50; i++)
        {
            sum.add(new long[]{full.keyOf(0, i), full.keyOf(1, i)}, 0, 2, new float[]{1, 1});
        }
        assertThatThrownBy(() -> sum.push(table)).isInstanceOf(OperationTimeoutException.class);
        final int skipped = sum.rows() - 50;
        assertThat(skipped).isBetween(10, 40);
        full.acknowledge(1);
        if (isEnded)
        {
            full.client.await(full.client.clock());
        }
        full.client.await(sum.push(table));
        full.client.awaitAll();

        final long here = full.rows.keySet().stream().filter((key) -> key < full.keyOf(0, 50) &&
            key >= full.keyOf(0, 0)).count();
        assertThat(here - (50 - skipped)).as("rows of the first draw that the second has pushed")
            .isBetween(isEnded ? 1L : 0L, isEnded ? (long)skipped : 0L);
    }

    @Test
    void shouldSayWhichFilterMakesAGradientTooGreat()
    {
        final RowsRig rig = new RowsRig(SPEC, 1, Consistency.EVENTUAL);
        final Table table =
            rig.client.createTable(SPEC).pushEncoding(ValueEncoding.FLOAT16).pushFilter(PushFilter.randomSkip(0.5));
        final long[] keys = LongStream.range(100, 150).toArray();
        final float[] gradients = new float[50];
        gradients[49] = 40_000;
        assertThatThrownBy(() ->
        {
            for (int push = 0; push < 100; push++)
            {
                table.push(keys, gradients);
            }
        }).isInstanceOf(InfiniteGradientException.class).hasMessage("table 'weights': gradient 80000.0 of key=149" +
            " element 0 is infinite as FLOAT16, after filter skip:0.5 has multiplied it by 2.0: push BFLOAT16 or RAW," +
            " or smaller gradients");

        table.pushFilter(PushFilter.significant(0.5));
        assertThatThrownBy(() -> table.push(new long[]{7, 8, 8}, new float[]{1, 40_000, 40_000}))
            .isInstanceOf(InfiniteGradientException.class).hasMessageContaining("gradient 80000.0 of key=8 element 0" +
            " is infinite as FLOAT16, after filter significant:0.5:8 has added up those of the key in one push");
        table.push(new long[]{7, 8}, new float[]{1, 40_000});
        assertThat(rig.client.stats().filtered().rowsHeld()).isZero();
    }

    /** The lists of a filter's pushes are others each time: they would only push those of pulls out of the cache. */
    @Test
    void shouldRefuseListsOfKeysThatSaveNothing()
    {
        final Table table = new RowsRig(SPEC, 1, Consistency.EVENTUAL).client.createTable(SPEC).cacheKeys(true);
        assertThatThrownBy(() -> table.pushFilter(PushFilter.randomSkip(0.5)))
            .isInstanceOf(IllegalStateException.class).hasMessageContainingAll("cacheKeys", "table 'weights'");
        table.pushFilter().cacheKeys(false).pushFilter(PushFilter.randomSkip(0.5)).cacheKeys(false);
        assertThatThrownBy(() -> table.cacheKeys(true))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("use a handle without filters for pulls");
    }

    private static void push(final RowsRig rig, final Table table, final long key, final float... gradient)
    {
        table.push(new long[]{key}, gradient);
        rig.poll();
    }
}
