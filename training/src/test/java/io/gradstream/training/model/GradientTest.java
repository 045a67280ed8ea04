// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import com.sun.management.ThreadMXBean;
import io.gradstream.training.DivergedException;
import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;
import io.gradstream.training.Model;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/**
 * What all models promise: the gradient is that of the loss, nothing is allocated, wrong calls are refused.
 */
class GradientTest
{
    private static final int CLASSES = 4;
    private static final double DECAY = 0.25;
    private static final int[] BATCH = { 5, 0, 17, 5, 30, 2, 39 };

    /** Features occur in several examples, values are not 1, and one example has no entries. */
    private static Examples examples(final int labels)
    {
        final Random random = new Random(5);
        final Examples.Builder examples = new Examples.Builder();
        for (int example = 0; example < 40; example++)
        {
            for (int feature = random.nextInt(3); feature < 12 && example != 2; feature += 1 + random.nextInt(4))
            {
                examples.entry(feature, (float)random.nextGaussian());
            }
            examples.endExampleOf(labels > 0 ? random.nextInt(labels) : (float)random.nextGaussian());
        }
        return examples.build();
    }

    private static Examples ratings()
    {
        final Random random = new Random(6);
        final Examples.Builder examples = new Examples.Builder();
        for (int example = 0; example < 40; example++)
        {
            examples.entry(random.nextInt(5), 1f).entry(5 + random.nextInt(4), 1f).endExampleOf(1 + random.nextInt(5));
        }
        return examples.build();
    }

    private static List<Model> models()
    {
        return models(0.0);
    }

    private static List<Model> models(final double decay)
    {
        return List.of(
            new LinearModel(examples(2), Loss.LOGISTIC),
            new LinearModel(examples(0), Loss.SQUARED),
            new SoftmaxRegression(examples(CLASSES), CLASSES),
            new FactorisationMachine(examples(2), Loss.LOGISTIC, 3, decay, 0.1),
            new FactorisationMachine(examples(0), Loss.SQUARED, 3, decay, 0.1),
            new MatrixFactorisation(ratings(), 3.5, 3, decay, 0.1));
    }

    private static float[] rows(final Model model)
    {
        final Random random = new Random(7);
        final float[] rows = new float[model.keyCount() * model.dim()];
        for (int i = 0; i < rows.length; i++)
        {
            rows[i] = (float)random.nextGaussian() / 2;
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("models")
    void shouldMatchDifferenceQuotient(final Model model)
    {
        model.select(BATCH, 0, BATCH.length);
        final float[] rows = rows(model);
        final float[] gradient = new float[rows.length];
        final float[] scratch = new float[rows.length];
        model.gradient(rows, gradient);
        assertThat(gradient).doesNotContain(Float.NaN);
        for (int i = 0; i < rows.length; i++)
        {
            final float value = rows[i];
            final float step = 1.0f / 2048;
            rows[i] = value + step;
            final double right = rows[i];
            final double above = model.gradient(rows, scratch);
            rows[i] = value - step;
            final double width = right - rows[i];
            final double below = model.gradient(rows, scratch);
            rows[i] = value;
            assertThat((above - below) / width).as("%s[%d]", model.getClass().getSimpleName(), i)
                .isCloseTo(gradient[i], within(1e-5 * Math.max(1.0, Math.abs(gradient[i]))));
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void shouldScoreAloneAsInBatch(final Model model)
    {
        model.select(BATCH, 0, BATCH.length);
        final long[] keys = Arrays.copyOf(model.keys(), model.keyCount());
        final float[] rows = rows(model);
        final double[] scores = new double[BATCH.length * model.scoreCount()];
        model.scores(rows, scores);
        for (int i = 0; i < BATCH.length; i++)
        {
            model.select(BATCH, i, 1);
            final float[] own = new float[model.keyCount() * model.dim()];
            for (int k = 0; k < model.keyCount(); k++)
            {
                final int place = Arrays.binarySearch(keys, model.keys()[k]);
                System.arraycopy(rows, place * model.dim(), own, k * model.dim(), model.dim());
            }
            final double[] alone = new double[model.scoreCount()];
            model.scores(own, alone);
            assertThat(alone).containsExactly(
                Arrays.copyOfRange(scores, i * alone.length, (i + 1) * alone.length));
        }
    }

    @Test
    void shouldAddDecayOfEachOccurrence()
    {
        for (int i = 3; i < 6; i++)
        {
            final Model plain = models(0.0).get(i);
            final Model decayed = models(DECAY).get(i);
            plain.select(new int[]{ 1 }, 0, 1);
            decayed.select(new int[]{ 1 }, 0, 1);
            final float[] rows = rows(plain);
            final float[] expected = new float[rows.length];
            final float[] gradient = new float[rows.length];
            assertThat(decayed.gradient(rows, gradient)).isEqualTo(plain.gradient(rows, expected));
            for (int k = 0; k < rows.length; k++)
            {
                assertThat(gradient[k]).isCloseTo((float)(expected[k] + DECAY * rows[k]), within(1e-6f));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void shouldNotAllocateWhenLargestBatchWasSeen(final Model model)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        Assumptions.assumeTrue(threads.isThreadAllocatedMemorySupported(), "SKIPPED: needs allocation counts");
        model.select(BATCH, 0, BATCH.length);
        final float[] rows = rows(model);
        final float[] gradient = new float[rows.length];
        final double[] scores = new double[BATCH.length * model.scoreCount()];
        int allocating = 0;
        for (int i = 0; i < 200; i++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            model.select(BATCH, 0, BATCH.length);
            model.gradient(rows, gradient);
            model.scores(rows, scores);
            allocating += i < 20 || threads.getCurrentThreadAllocatedBytes() == before ? 0 : 1;
        }
        // a JVM that is compiling allocates some hundred bytes on this thread now and then
        assertThat(allocating).isLessThan(20);
    }

    @ParameterizedTest
    @MethodSource("models")
    void shouldRefuseWhenCallsOrArgumentsAreWrong(final Model model)
    {
        assertThatThrownBy(() -> model.gradient(new float[99], new float[99])).hasMessageContaining("call select");
        assertThatThrownBy(() -> model.scores(new float[99], new double[99])).hasMessageContaining("call select");
        assertThatThrownBy(() -> model.select(BATCH, 5, 3)).hasMessageContaining("invalid batch");

        model.select(BATCH, 0, 2);
        final float[] rows = rows(model);
        assertThatThrownBy(() -> model.gradient(rows, new float[rows.length - 1])).hasMessageContaining("gradient=");
        assertThatThrownBy(() -> model.gradient(new float[rows.length - 1], rows)).hasMessageContaining("rows=");
        assertThatThrownBy(() -> model.scores(rows, new double[2 * model.scoreCount() - 1]))
            .hasMessageContaining("scores=");
        rows[0] = Float.NaN;
        assertThatThrownBy(() -> model.gradient(rows, rows.clone()))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("score is not a number");
    }

    @Test
    void shouldSayThatTrainingHasDivergedWhereAGradientIsNotFinite()
    {
        final Examples examples = new Examples.Builder().entry(0, 1f).entry(7, 4e5f).endExampleOf(1f).build();
        final LinearModel model = new LinearModel(examples, Loss.SQUARED);
        model.select(new int[]{ 0 }, 0, 1);

        assertThatThrownBy(() -> model.gradient(new float[]{ 0f, 1e32f }, new float[2]))
            .isInstanceOf(DivergedException.class).hasMessage("the gradient of feature 7 is Infinity");
        assertThatThrownBy(() -> model.gradient(new float[]{ 0f, Float.NaN }, new float[2]))
            .isInstanceOf(DivergedException.class).hasMessageContaining("score is not a number");
    }

    @Test
    void shouldRefuseWhenLabelsOrArgumentsDoNotFit()
    {
        assertThatThrownBy(() -> new LinearModel(examples(3), Loss.LOGISTIC)).hasMessageContaining("must be 0 or 1");
        assertThatThrownBy(() -> new SoftmaxRegression(examples(CLASSES), CLASSES - 1))
            .hasMessageContaining("must be whole numbers 0..2");
        assertThatThrownBy(() -> new SoftmaxRegression(examples(1), 1)).hasMessageContaining("at least 2");
        assertThatThrownBy(() -> new FactorisationMachine(examples(0), Loss.LOGISTIC, 3, 0.0, 0.1))
            .hasMessageContaining("must be 0 or 1");
        assertThatThrownBy(() -> new FactorisationMachine(examples(0), Loss.SQUARED, 0, 0.0, 0.1))
            .hasMessageContaining("factors=0");
        assertThatThrownBy(() -> new FactorisationMachine(examples(0), Loss.SQUARED, 1, -1, 0.1))
            .hasMessageContaining("decay=-1");
        assertThatThrownBy(() -> new FactorisationMachine(examples(0), Loss.SQUARED, 1, 0, 0))
            .hasMessageContaining("initialDeviation=0");
        assertThatThrownBy(() -> new MatrixFactorisation(examples(0), 0, 1, 0, 0.1))
            .hasMessageContaining("must be a rating");
    }
}
