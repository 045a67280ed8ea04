// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class LinearModelTest
{
    private static final Examples EXAMPLES =
        new ClickLog(ClickLog.Spec.defaults(1).withExamples(500).withFeatures(1 << 13)).train(0, 1);

    @Test
    void shouldGiveGradientByHandWhenBatchIsSmall()
    {
        final Examples examples = new Examples.Builder()
            .entry(2, 1.0f).entry(9, 2.0f).endExample(1)
            .endExample(1)
            .entry(9, 4.0f).endExample(0)
            .build();
        final LinearModel model = new LinearModel(examples, Loss.LOGISTIC);
        final float[] gradient = new float[2];

        assertThat(model.select(new int[]{ 7, 2, 0, 7 }, 1, 2)).isEqualTo(2);
        assertThat(Arrays.copyOf(model.keys(), model.keyCount())).containsExactly(2, 9);
        assertThat(model.gradient(new float[2], gradient)).isCloseTo(Math.log(2), within(1e-12));
        assertThat(gradient).containsExactly(-0.25f, 0.5f);

        assertThat(model.select(new int[]{ 1 }, 0, 1)).isZero();
        assertThat(model.gradient(new float[0], new float[0])).isCloseTo(Math.log(2), within(1e-12));
    }

    @Test
    void shouldMatchDifferenceQuotientWhenWeightsAreRandom()
    {
        final LinearModel model = new LinearModel(EXAMPLES, Loss.LOGISTIC);
        final int[] batch = { 5, 9, 480, 33, 2, 77, 400 };
        final int keyCount = model.select(batch, 0, batch.length);
        final SeededRandom random = new SeededRandom(4);
        final float[] weights = new float[keyCount];
        for (int i = 0; i < keyCount; i++)
        {
            weights[i] = (float)random.nextGaussian();
        }

        final float[] gradient = new float[keyCount];
        final float[] scratch = new float[keyCount];
        model.gradient(weights, gradient);
        for (int i = 0; i < keyCount; i++)
        {
            final float step = 1.0f / 1024;
            final float weight = weights[i];
            weights[i] = weight + step;
            final double above = model.gradient(weights, scratch);
            final float widthAbove = weights[i] - weight;
            weights[i] = weight - step;
            final double below = model.gradient(weights, scratch);
            final double width = (double)widthAbove + (weight - weights[i]);
            weights[i] = weight;
            assertThat((above - below) / width).isCloseTo(gradient[i], within(1e-5));
        }
    }

    @Test
    void shouldFindDistinctAscendingKeysWhenBatchesDifferInSize()
    {
        final LinearModel model = new LinearModel(EXAMPLES, Loss.LOGISTIC);
        for (final int length : new int[]{ 1, 500, 3, 64 })
        {
            final int[] batch = new int[length];
            final TreeSet<Long> expected = new TreeSet<>();
            for (int i = 0; i < length; i++)
            {
                batch[i] = EXAMPLES.size() - 1 - i;
                for (int e = EXAMPLES.firstEntry(batch[i]); e < EXAMPLES.endEntry(batch[i]); e++)
                {
                    expected.add((long)EXAMPLES.feature(e));
                }
            }

            final int keyCount = model.select(batch, 0, length);
            assertThat(Arrays.stream(model.keys(), 0, keyCount).boxed()).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void shouldSortWhenFeaturesUseAllBits()
    {
        final Examples examples = new Examples.Builder()
            .entry(1 << 30, 1.0f).entry(Examples.MAX_FEATURE, 1.0f).endExample(1)
            .entry(0, 1.0f).entry(1 << 22, 1.0f).endExample(0)
            .build();
        final LinearModel model = new LinearModel(examples, Loss.LOGISTIC);
        final int keyCount = model.select(new int[]{ 0, 1 }, 0, 2);
        assertThat(Arrays.copyOf(model.keys(), keyCount))
            .containsExactly(0L, 1 << 22, 1 << 30, Examples.MAX_FEATURE);
    }

    @Test
    void shouldNotAllocateWhenLargestBatchWasSeen()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        Assumptions.assumeTrue(threads.isThreadAllocatedMemorySupported(), "SKIPPED: needs allocation counts");
        final BatchSchedule schedule = new BatchSchedule(1, 0, EXAMPLES.size(), 64);
        final LinearModel model = new LinearModel(EXAMPLES, Loss.LOGISTIC);
        final float[] weights = new float[EXAMPLES.featureCount()];
        final float[] gradient = new float[EXAMPLES.featureCount()];
        takeBatches(schedule, model, weights, gradient);

        final int passes = 50;
        int allocatingPasses = 0;
        for (int pass = 0; pass < passes; pass++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            takeBatches(schedule, model, weights, gradient);
            allocatingPasses += threads.getCurrentThreadAllocatedBytes() == before ? 0 : 1;
        }

        // a JVM that is compiling allocates some hundred bytes on this thread, in one pass or two
        assertThat(allocatingPasses).isLessThan(5);
    }

    private static void takeBatches(
        final BatchSchedule schedule, final LinearModel model, final float[] weights, final float[] gradient)
    {
        for (int batch = 0; batch < schedule.batchCount(); batch++)
        {
            model.select(schedule.order(), schedule.batchOffset(batch), schedule.batchLength(batch));
            model.gradient(weights, gradient);
        }
    }

    @Test
    void shouldStayFiniteWhenScoresAreHuge()
    {
        final Examples examples = new Examples.Builder().entry(0, 1e30f).endExample(0).build();
        final LinearModel model = new LinearModel(examples, Loss.LOGISTIC);
        model.select(new int[]{ 0 }, 0, 1);
        assertThat(model.gradient(new float[]{ 1e8f }, new float[1])).isCloseTo(Logistic.MAX_SCORE, within(1e-9));
        assertThat(Logistic.loss(-1e9, 0)).isPositive().isLessThan(1e-15);
    }

    @Test
    void shouldRefuseWhenCallsOrArgumentsAreWrong()
    {
        final LinearModel model = new LinearModel(EXAMPLES, Loss.LOGISTIC);
        assertThatThrownBy(() -> model.gradient(new float[9], new float[9])).hasMessageContaining("call select first");
        assertThatThrownBy(() -> model.select(new int[2], 1, 2)).hasMessageContaining("invalid batch");
        assertThatThrownBy(() -> model.select(new int[2], 0, 0)).hasMessageContaining("invalid batch");

        final int keyCount = model.select(new int[]{ 0 }, 0, 1);
        assertThatThrownBy(() -> model.gradient(new float[keyCount - 1], new float[keyCount]))
            .isInstanceOf(IllegalArgumentException.class);
        final float[] weights = new float[keyCount];
        weights[0] = Float.NaN;
        assertThatThrownBy(() -> model.gradient(weights, new float[keyCount]))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("score is not a number");
    }
}
