// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class MetricTest
{
    private static Metric of(final Metric metric, final double[][] scores, final float... targets)
    {
        for (int i = 0; i < targets.length; i++)
        {
            metric.add(scores[i], 0, scores[i].length, targets[i]);
        }
        return metric;
    }

    /** Pair by pair, as it is defined. */
    private static double area(final double[] scores, final int[] labels)
    {
        double won = 0.0;
        long pairs = 0;
        for (int i = 0; i < scores.length; i++)
        {
            for (int j = 0; j < scores.length; j++)
            {
                if (1 == labels[i] && 0 == labels[j])
                {
                    pairs++;
                    won += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
                }
            }
        }
        return won / pairs;
    }

    @Test
    void shouldGiveAreaPairByPairWhenScoresTie()
    {
        final Random random = new Random(1);
        for (int levels = 2; levels < 3000; levels *= 3)
        {
            final AreaUnderCurve metric = new AreaUnderCurve();
            final double[] scores = new double[2500];
            final int[] labels = new int[scores.length];
            for (int i = 0; i < scores.length; i++)
            {
                labels[i] = random.nextInt(3) / 2;
                final int level = random.nextInt(levels) + labels[i] * random.nextInt(2) - 1;
                scores[i] = random.nextBoolean() ? level : -level;
                metric.add(scores, i, 1, labels[i]);
            }
            assertThat(metric.value()).isEqualTo(area(scores, labels));
            assertThat(metric.value()).isEqualTo(area(scores, labels));
        }
    }

    @Test
    void shouldCountZerosOfBothSignsAsTie()
    {
        assertThat(of(new AreaUnderCurve(), new double[][]{ { -0.0 }, { 0.0 } }, 1f, 0f).value()).isEqualTo(0.5);
        final Metric positives = of(new AreaUnderCurve(), new double[][]{ { 3 }, { 4 } }, 1f, 1f);
        assertThat(positives.value()).isNaN();
        assertThat(positives.undefined()).isEqualTo("all 2 labels are 1");
        assertThat(of(new AreaUnderCurve(), new double[][]{ { 3 } }, 0f).undefined()).isEqualTo("all 1 labels are 0");
        assertThat(of(new AreaUnderCurve(), new double[][]{ { 3 }, { 4 } }, 0f, 1f).undefined()).isNull();
        assertThat(new AreaUnderCurve().undefined()).isEqualTo("there are no examples");
        assertThat(new LogLoss().undefined()).isEqualTo("there are no examples");
        assertThat(of(new LogLoss(), new double[][]{ { 3 } }, 1f).undefined()).isNull();
        assertThatThrownBy(() -> new AreaUnderCurve().add(new double[2], 0, 2, 0f)).hasMessageContaining("count=2");
    }

    @Test
    void shouldGiveValuesByHand()
    {
        final double[][] binary = { { 2.0 }, { -1.0 }, { 0.0 }, { 0.5 } };
        assertThat(of(new Accuracy(), binary, 1f, 0f, 0f, 0f).value()).isEqualTo(0.75);
        assertThat(of(new LogLoss(), binary, 1f, 0f, 0f, 0f).value()).isCloseTo(
            (Math.log1p(Math.exp(-2)) + Math.log1p(Math.exp(-1)) + Math.log(2) + Math.log1p(Math.exp(0.5))) / 4,
            within(1e-12));
        assertThat(of(new RootMeanSquare(), binary, 1f, 0f, 3f, 0.5f).value())
            .isCloseTo(Math.sqrt(11.0 / 4), within(1e-12));

        final double[][] classes = { { 1, 2, 3 }, { 5, 5, 4 }, { 1000, 0, -1000 } };
        assertThat(of(new Accuracy(), classes, 2f, 1f, 0f).value()).isCloseTo(2.0 / 3, within(1e-12));
        final double first = Math.log(1 + Math.exp(-1) + Math.exp(-2));
        final double second = Math.log(2 + Math.exp(-1));
        assertThat(of(new LogLoss(), classes, 2f, 1f, 0f).value()).isCloseTo((first + second) / 3, within(1e-12));
    }

    @Test
    void shouldRefuseAScoreThatIsNoNumber()
    {
        for (final Metric metric : List.of(new Accuracy(), new LogLoss(), new RootMeanSquare(), new AreaUnderCurve()))
        {
            assertThat(metric.value()).as(metric.name()).isNaN();
            of(metric, new double[][]{ { 1 }, { 2 } }, 0f, 1f);
            assertThat(metric.count()).isEqualTo(2);
            assertThat(metric.value()).isFinite();
            assertThatThrownBy(() -> metric.add(new double[]{ Double.NaN }, 0, 1, 1f))
                .isInstanceOf(IllegalStateException.class);
        }
    }
}
