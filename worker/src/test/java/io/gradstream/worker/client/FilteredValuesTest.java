// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.Table;
import io.gradstream.worker.filter.PushFilter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A client with filters, where rows and gradients are rounded, out of range, or more than there is room for. */
class FilteredValuesTest
{
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

    private static void push(final RowsRig rig, final Table table, final long key, final float... gradient)
    {
        table.push(new long[]{key}, gradient);
        rig.poll();
    }
}
