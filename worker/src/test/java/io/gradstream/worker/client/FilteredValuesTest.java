// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.filter.PushFilter;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static void push(final RowsRig rig, final Table table, final long key, final float... gradient)
    {
        table.push(new long[]{key}, gradient);
        rig.poll();
    }
}
