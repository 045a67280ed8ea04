// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradientSum;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.OperationTimeoutException;
import io.gradstream.worker.Table;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.filter.PushFilter;
import io.gradstream.worker.session.SpoolPolicy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A client with filters, in a simulated world: which rows reach the server, and when. */
class PushFiltersTest
{
    private static final TableSpec SPEC = TableSpec.dense(1, "weights", 1_000_000, 1, "sgd/1 rate=1.0");
    private static final TableSpec FTRL = TableSpec.dense(1, "weights", 1_000, 2, "ftrl/1 alpha=1 beta=1 l1=0.5 l2=0");
    private static final long KEY = 3;

    private final RowsRig rig = new RowsRig(SPEC, 1, Consistency.EVENTUAL);
    private final Table table = rig.client.createTable(SPEC);

    @Test
    void shouldHoldARowBackUntilTheSumOfItsGradientsIsSignificant()
    {
        table.pushFilter(PushFilter.significant(0.125, 100));
        pull(rig, table, KEY, 8);
        final long ticket = push(0.5f);
        assertThat(rig.client.isDone(ticket)).isTrue();
        push(0.25f);
        assertThat(rig.said).as("0.75 of 8").isEmpty();
        assertThat(rig.client.stats().rowsHeldNow()).isEqualTo(1);
        push(0.5f);

        assertThat(rig.said).containsExactly("3=1.25");
        assertThat(rig.client.stats().rowsHeldNow()).isZero();
        assertThat(rig.client.stats().filtered().rowsHeld()).isEqualTo(2);
        assertThat(rig.client.stats().filtered().heldBytesSaved()).isEqualTo(8);
        push(0.5f);
        assertThat(rig.said).hasSize(1);
        push(-0.5f);
        push(-1.0f);
        assertThat(rig.said).as("held back are 0 and -1").hasSize(1);
        push(-0.5f);
        assertThat(rig.said).containsExactly("3=1.25", "3=-1.5");
    }

    @Test
    void shouldMeasureARowThatItHasNotPulledByTheMeanOfThoseThatItHas()
    {
        table.pushFilter(PushFilter.significant(0.5, 100));
        push(0.001f);
        assertThat(rig.said).as("without a mean").containsExactly("3=0.001");
        pull(rig, table, 100, 2);
        pull(rig, table, 101, 6);
        push(2);
        assertThat(rig.said).as("2 of 4").hasSize(1);
        push(0.5f);
        assertThat(rig.said).containsExactly("3=0.001", "3=2.5");
    }

    @Test
    void shouldPushWhatIsOldBeforeItsIterationEnds()
    {
        table.pushFilter(PushFilter.significant(0.5, 2));
        pull(rig, table, KEY, 100);
        pull(rig, table, 4, 100);
        push(1);
        rig.client.clock();
        table.push(new long[]{KEY, 4}, new float[]{2, 5});
        rig.client.clock();
        rig.poll();
        assertThat(rig.said).containsExactly("clock 1", "clock 2");
        rig.client.clock();
        rig.poll();
        assertThat(rig.said).containsExactly("clock 1", "clock 2", "3=3.0", "clock 3");
        rig.client.clock();
        rig.poll();
        assertThat(rig.said).endsWith("clock 3", "4=5.0", "clock 4");
        assertThat(rig.client.stats().filtered().rowsHeld()).isEqualTo(3);
        assertThat(rig.client.stats().filtered().heldBytesSaved()).as("of one of them").isEqualTo(4);
    }

    @Test
    void shouldPushWhatIsOldTogetherWithTheNextGradients()
    {
        table.pushFilter(PushFilter.significant(0.5, 2));
        for (long key = 3; key < 6; key++)
        {
            pull(rig, table, key, 100);
        }
        table.push(new long[]{3, 4}, new float[]{1, 2});
        rig.client.clock();
        table.push(new long[]{5}, new float[]{4});
        rig.client.clock();
        final long sent = rig.client.pushesSent();
        table.push(new long[]{4, 5}, new float[]{8, 16});
        table.push(new long[]{4}, new float[]{32});
        rig.client.clock();
        rig.poll();

        assertThat(rig.said).as("3 alone, 4 with its new gradient")
            .containsExactly("clock 1", "clock 2", "4=10.0", "3=1.0", "clock 3");
        assertThat(rig.client.pushesSent() - sent).as("a push and a clock").isEqualTo(2);
        assertThat(rig.client.stats().rowsHeldNow()).isEqualTo(2);
        assertThat(rig.client.stats().filtered().rowsHeld()).isEqualTo(5);
        assertThat(rig.client.stats().filtered().heldBytesSaved()).isEqualTo(16);
        rig.client.clock();
        rig.poll();
        assertThat(rig.said).endsWith("clock 3", "5=20.0", "clock 4");
    }

    @Test
    void shouldPushAllThatIsHeldBackInTheEnd()
    {
        table.pushFilter(PushFilter.significant(0.5));
        pull(rig, table, KEY, 100);
        push(1);
        rig.client.awaitAll();
        assertThat(rig.said).containsExactly("3=1.0");
        push(2);
        rig.client.pushHeld();
        rig.poll();
        assertThat(rig.said).containsExactly("3=1.0", "3=2.0");
        push(4);
        rig.client.finish();
        rig.client.awaitAll();
        assertThat(rig.said).containsExactly("3=1.0", "3=2.0", "3=4.0", "finish");
        assertThat(rig.row(KEY)[0]).isEqualTo(107);
    }

    @Test
    void shouldPushAllThatIsHeldBackBeforeAModelIsLoaded()
    {
        table.pushFilter(PushFilter.significant(0.5));
        pull(rig, table, KEY, 100);
        push(1);
        assertThatThrownBy(() -> rig.client.models().load(Path.of("none"), true, 1)).isInstanceOf(IOException.class);
        rig.poll();

        assertThat(rig.said).containsExactly("3=1.0");
    }

    @Test
    void shouldSkipTheSameWhereAnotherProcessGoesOn()
    {
        final long[] keys = new long[50];
        Arrays.setAll(keys, (i) -> i);
        final float[] gradients = new float[50];
        table.pushFilter(PushFilter.randomSkip(0.5));
        for (int clock = 0; clock < 8; clock++)
        {
            rig.client.await(table.push(keys, gradients));
            rig.client.await(rig.client.clock());
        }
        final RowsRig next = new RowsRig(SPEC, 1, Consistency.EVENTUAL, new ClientContext().initialClock(4));
        final Table weights = next.client.createTable(SPEC).pushFilter(PushFilter.randomSkip(0.5));
        for (int clock = 4; clock < 8; clock++)
        {
            next.client.await(weights.push(keys, gradients));
            next.client.await(next.client.clock());
        }

        assertThat(next.said.subList(next.said.indexOf("clock 4"), next.said.size()))
            .isEqualTo(rig.said.subList(rig.said.indexOf("clock 4"), rig.said.size()));
        assertThat(next.rowsPushed).isBetween(60, 140);
    }

    @Test
    void shouldHoldNothingBackOverAnIterationWithABoundOf0()
    {
        final RowsRig sequential = new RowsRig(SPEC, 1, new Consistency(1, 0));
        final Table weights = sequential.client.createTable(SPEC).pushFilter(PushFilter.significant(0.5, 100));
        pull(sequential, weights, KEY, 100);
        weights.push(new long[]{KEY}, new float[]{1});
        weights.push(new long[]{KEY}, new float[]{2});
        sequential.client.clock();
        sequential.poll();

        assertThat(sequential.said).containsExactly("3=3.0", "clock 1");
    }

    @Test
    void shouldEndAnIterationOfWhichAllIsLeftOut()
    {
        table.pushFilter(PushFilter.randomSkip(0.99));
        int pushes = 0;
        for (int clock = 1; clock <= 20; clock++)
        {
            final long ticket = push(1);
            rig.client.await(ticket);
            pushes = rig.rowsPushed;
            rig.client.await(rig.client.clock());
        }

        assertThat(rig.said).hasSize(20 + pushes);
        assertThat(pushes).isLessThan(5);
        assertThat(rig.client.clocksDone()).isEqualTo(20);
        assertThat(rig.client.pushesSent()).isEqualTo(20 + pushes);
        assertThat(rig.client.stats().filtered().rowsSkipped()).isEqualTo(20 - pushes);
        assertThat(rig.client.stats().filtered().skippedBytesSaved()).isEqualTo(4 * (20 - pushes));
        rig.client.awaitAll();
    }

    @Test
    void shouldPushTheGradientInTheMeanOfManySkips()
    {
        final TableSpec wide = TableSpec.dense(1, "weights", 1_000_000, 2, "sgd/1 rate=1.0");
        final RowsRig draws = new RowsRig(wide, 2, Consistency.EVENTUAL);
        final Table weights = draws.client.createTable(wide).pushFilter(PushFilter.randomSkip(0.5));
        final int clocks = 400;
        final long[] keys = {draws.keyOf(0, 0), draws.keyOf(1, 1), draws.keyOf(0, 2), draws.keyOf(1, 3)};
        for (int clock = 0; clock < clocks; clock++)
        {
            draws.client.await(weights.push(keys, new float[]{1, -2, 1, -2, 1, -2, 1, -2}));
            draws.client.await(draws.client.clock());
        }
        draws.poll();

        float sum = 0;
        for (final long key : keys)
        {
            // five standard deviations of 400 draws of 0 or 2
            assertThat(draws.row(key)[0]).isBetween(clocks - 100f, clocks + 100f);
            assertThat(draws.row(key)[1]).isEqualTo(-2 * draws.row(key)[0]);
            sum += draws.row(key)[0];
        }
        assertThat(sum / clocks / keys.length).isBetween(0.875f, 1.125f);
        assertThat(draws.rowsPushed).isEqualTo((int)sum / 2);
    }

    @Test
    void shouldSkipTheSameRowsWhateverThePartitions()
    {
        final RowsRig two = new RowsRig(SPEC, 2, Consistency.EVENTUAL);
        final Table other = two.client.createTable(SPEC).pushFilter(PushFilter.randomSkip(0.5));
        table.pushFilter(PushFilter.randomSkip(0.5));
        final long[] keys = new long[100];
        Arrays.setAll(keys, (i) -> two.keyOf(i % 2, i));
        final float[] gradients = new float[100];
        Arrays.fill(gradients, 1);
        for (int push = 0; push < 4; push++)
        {
            table.push(keys, gradients);
            other.push(keys, gradients);
            rig.poll();
            two.poll();
            assertThat(two.said).containsExactlyInAnyOrderElementsOf(rig.said);
        }
        assertThat(rig.rowsPushed).isBetween(140, 260);
        assertThat(Map.copyOf(rig.rows).keySet()).as("each push skips others").hasSizeGreaterThan(85);
    }

    @Test
    void shouldKeepWhatFindsNoRoom()
    {
        final RowsRig full = new RowsRig(SPEC, 2, Consistency.EVENTUAL);
        final Table weights = full.client.createTable(SPEC);
        final long here = full.keyOf(0, 0);
        final long there = full.keyOf(1, 0);
        full.row(here)[0] = 100;
        full.row(there)[0] = 100;
        weights.pushFilter(PushFilter.significant(0.5));
        weights.pullAndAwait(new long[]{here, there}, 2, new float[2]);
        full.isTaking[1] = false;
        final Table plain = full.client.knownTable(SPEC);
        for (int i = 0; i < RowsRig.MAX_IN_FLIGHT; i++)
        {
            plain.push(new long[]{there + 1}, new float[]{1});
        }
        weights.push(new long[]{there, here}, new float[]{1, 2});
        assertThat(full.client.stats().rowsHeldNow()).isEqualTo(2);
        assertThatThrownBy(full.client::pushHeld).isInstanceOf(OperationTimeoutException.class);
        assertThat(full.client.stats().rowsHeldNow()).as("the other was pushed").isEqualTo(1);

        final GradientSum sum = new GradientSum(1, 10);
        sum.add(new long[]{there, here}, 0, 2, new float[]{60, 70});
        assertThatThrownBy(() -> sum.push(weights)).isInstanceOf(OperationTimeoutException.class);
        assertThat(Arrays.copyOf(sum.keys(), sum.rows())).containsExactly(there);
        assertThat(full.client.stats().rowsHeldNow()).isEqualTo(1);
        assertThat(weights.tryPush(new long[]{there}, 0, 1, new float[]{80})).isEqualTo(GradstreamClient.NOT_NOW);

        full.acknowledge(1);
        full.client.await(sum.push(weights));
        full.client.awaitAll();
        assertThat(full.row(here)[0]).isEqualTo(172);
        assertThat(full.row(there)[0]).isEqualTo(161);
        assertThat(full.client.stats().rowsHeldNow()).isZero();
    }

    @Test
    void shouldLeaveOutRowsThatL1KeepsAtZero()
    {
        final RowsRig l1 = new RowsRig(FTRL, 1, Consistency.EVENTUAL);
        final Table weights = l1.client.createTable(FTRL).pushFilter(PushFilter.kkt(0.5));
        l1.row(2)[1] = 0.125f;
        weights.pullAndAwait(new long[]{1, 2}, 2, new float[4]);
        push(l1, weights, 1, 0.25f, -0.25f);
        assertThat(l1.said).isEmpty();
        push(l1, weights, 1, 0.25f, -0.375f);
        assertThat(l1.said).as("beyond a quarter").containsExactly("1=[0.25, -0.375]");
        push(l1, weights, 2, 0.125f, 0);
        assertThat(l1.said).as("of a row that is not 0").hasSize(2);
        push(l1, weights, 3, 0.125f, 0);
        assertThat(l1.said).as("of a row that was not pulled").hasSize(3);
        assertThat(l1.client.stats().filtered().rowsAtZero()).isEqualTo(1);
        assertThat(l1.client.stats().filtered().zeroBytesSaved()).isEqualTo(8);
        l1.client.awaitAll();
        assertThat(l1.rowsPushed).as("nothing was held back").isEqualTo(3);
    }

    @Test
    void shouldHoldBackWhatTheOtherFiltersLetThrough()
    {
        final RowsRig l1 = new RowsRig(FTRL, 1, Consistency.EVENTUAL);
        final Table weights = l1.client.createTable(FTRL)
            .pushFilter(PushFilter.significant(0.5, 1000), PushFilter.randomSkip(0.5), PushFilter.kkt(1));
        l1.row(2)[1] = 1024;
        weights.pullAndAwait(new long[]{1, 2}, 2, new float[4]);
        for (int i = 0; i < 100; i++)
        {
            weights.push(new long[]{1, 2}, new float[]{0.5f, 0.5f, 0.5f, 0.5f});
        }
        l1.client.awaitAll();
        final long skipped = l1.client.stats().filtered().rowsSkipped();

        assertThat(l1.client.stats().filtered().rowsAtZero()).isEqualTo(100);
        assertThat(skipped).isBetween(25L, 75L);
        assertThat(l1.client.stats().filtered().rowsHeld()).isEqualTo(100 - skipped);
        final float twice = 100 - skipped;
        assertThat(l1.said).containsExactly("2=" + Arrays.toString(new float[]{twice, twice}));
    }

    @Test
    void shouldFilterEachKindOfPush()
    {
        table.pushFilter(PushFilter.significant(0.5));
        rig.row(KEY)[0] = 100;
        rig.row(4)[0] = 100;
        table.pullRangeAndAwait(KEY, 2, new float[2]);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[12]);
        buffer.putFloat(4, 1, ByteOrder.LITTLE_ENDIAN);
        buffer.putFloat(8, 2, ByteOrder.LITTLE_ENDIAN);
        final long[] keys = {9, KEY, 4};
        table.push(keys, 1, 2, buffer, 4);
        table.pushRange(KEY, 2, buffer, 4);
        table.pushRange(KEY, 2, new float[]{4, 4});
        table.tryPushRange(KEY, 2, new float[]{8, 8});
        table.tryPush(keys, 1, 2, new float[]{16, 16});
        table.push(new long[]{KEY, KEY}, new float[]{32, 32});
        rig.poll();
        assertThat(rig.said).as("a key that occurs twice is one row").containsExactly("3=94.0");
        rig.client.pushHeld();
        rig.poll();
        assertThat(rig.said).containsExactly("3=94.0", "4=32.0");
    }

    @Test
    void shouldShowOwnPushesInCachedRowsOnceTheyAreMade()
    {
        final RowsRig bound = new RowsRig(SPEC, 1, new Consistency(1, 2));
        final Table weights = bound.client.createTable(SPEC)
            .cacheRows(1 << 16, OwnPushes.AT_ONCE).pushFilter(PushFilter.significant(0.5));
        bound.update = (key, row, gradient) -> row[0] -= gradient[0];
        pull(bound, weights, KEY, 100);
        weights.push(new long[]{KEY}, new float[]{1});
        assertThat(pulled(bound, weights)).isEqualTo(100);
        bound.client.pushHeld();
        assertThat(pulled(bound, weights)).isEqualTo(99);
        assertThat(bound.client.stats().fetchedRows()).isEqualTo(1);
        bound.client.awaitAll();
        assertThat(bound.row(KEY)[0]).isEqualTo(99);
    }

    @Test
    void shouldRoundASumWhenItIsPushed()
    {
        table.pushEncoding(ValueEncoding.BFLOAT16).pushFilter(PushFilter.significant(0.5));
        pull(rig, table, KEY, 100);
        for (int i = 0; i < 3; i++)
        {
            push(1.001953125f);
        }
        assertThatThrownBy(() -> table.pushEncoding(ValueEncoding.RAW)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("holds back 1 rows: call pushHeld()");
        assertThatThrownBy(() -> table.pushFilter()).isInstanceOf(IllegalStateException.class);
        rig.client.pushHeld();
        rig.poll();

        assertThat(rig.said).containsExactly("3=" + ValueEncoding.BFLOAT16.rounded(3.005859375f));
        assertThat(rig.client.stats().filtered().heldBytesSaved()).as("of two of three").isEqualTo(4);
        table.pushEncoding(ValueEncoding.RAW).pushFilter();
        push(1.001953125f);
        assertThat(rig.said).endsWith("3=1.0019531");
    }

    @Test
    void shouldRefuseAWrongGradientThatWouldBeHeldBack()
    {
        table.pushFilter(PushFilter.significant(0.5));
        pull(rig, table, KEY, 100);
        push(1);
        assertThatThrownBy(() -> push(Float.NaN)).hasMessageContaining("invalid gradient NaN at row 0");
        assertThatThrownBy(() -> table.push(new long[]{-1}, new float[]{1})).hasMessageContaining("invalid key=-1");
        rig.client.finish();
        assertThatThrownBy(() -> push(1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("finished");
        rig.client.awaitAll();
        assertThat(rig.said).containsExactly("3=1.0", "finish");
    }

    @Test
    void shouldRefuseWhatWouldBeWrongInSilence()
    {
        assertThatThrownBy(() -> table.pushFilter(PushFilter.randomSkip(0.5), PushFilter.randomSkip(0.25)))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("are of one kind");
        assertThatThrownBy(() -> table.pushFilter(PushFilter.kkt(0.5)))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("table 'weights'", "ftrl/1");
        final TableSpec longs = new TableSpec(2, "counts", 1, ElementType.INT64, 8, 0, 0, 0, "add/1");
        assertThatThrownBy(() -> rig.client.createTable(longs).pushFilter(PushFilter.significant(1)))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("INT64");

        final RowsRig l1 = new RowsRig(FTRL, 1, Consistency.EVENTUAL);
        final Table weights = l1.client.createTable(FTRL).pullEncoding(ValueEncoding.FLOAT16);
        assertThatThrownBy(() -> weights.pushFilter(PushFilter.kkt(0.5)))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("contradicts pullEncoding FLOAT16");
        weights.pullEncoding(ValueEncoding.BFLOAT16).pushFilter(PushFilter.kkt(0.5));
        assertThatThrownBy(() -> weights.pullEncoding(ValueEncoding.FLOAT16))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("contradicts pullEncoding FLOAT16");

        final RowsRig dropping = new RowsRig(SPEC, 1, Consistency.EVENTUAL,
            new ClientContext().spoolPolicy(SpoolPolicy.DROP_NEWEST));
        final Table dropped = dropping.client.createTable(SPEC).pushFilter(PushFilter.randomSkip(0.5));
        assertThatThrownBy(() -> dropped.pushFilter(PushFilter.significant(0.5)))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("spoolPolicy=DROP_NEWEST");
    }

    @Test
    void shouldRefuseFiltersByWhichTheProcessesOfASlotWouldPushDifferently()
    {
        final RowsRig two = new RowsRig(FTRL, 1, new Consistency(1, 1), new ClientContext().backedUp(true));
        final Table weights = two.client.knownTable(FTRL).pushFilter(PushFilter.randomSkip(0.5));
        assertThatThrownBy(() -> weights.pushFilter(PushFilter.kkt(0.5)))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("backed up");
        assertThatThrownBy(() -> weights.pushFilter(PushFilter.significant(0.5)))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("backed up");
    }

    private static void pull(final RowsRig rig, final Table table, final long key, final float value)
    {
        rig.row(key)[0] = value;
        table.pullAndAwait(new long[]{key}, 1, new float[1]);
    }

    private static float pulled(final RowsRig rig, final Table table)
    {
        final float[] row = new float[1];
        rig.client.await(table.pull(new long[]{KEY}, 1, row));

        return row[0];
    }

    private long push(final float gradient)
    {
        final long ticket = table.push(new long[]{KEY}, new float[]{gradient});
        rig.poll();

        return ticket;
    }

    private static void push(final RowsRig rig, final Table table, final long key, final float... gradient)
    {
        table.push(new long[]{key}, gradient);
        rig.poll();
    }
}
