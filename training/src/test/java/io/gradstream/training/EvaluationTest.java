// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class EvaluationTest
{
    /**
     * One example for each score, which is the value of its only feature under weight 1.
     */
    private static Examples scored(final float[] scores, final int... labels)
    {
        final Examples.Builder builder = new Examples.Builder();
        for (int i = 0; i < scores.length; i++)
        {
            builder.entry(0, scores[i]).endExample(labels[i]);
        }
        return builder.build();
    }

    private static Evaluation evaluate(final float[] scores, final int... labels)
    {
        return Evaluation.of(scored(scores, labels), new float[]{ 1.0f });
    }

    @Test
    void shouldCountTiesHalfWhenScoresAreEqual()
    {
        assertThat(evaluate(new float[]{ 1, 2, 3, 4 }, 0, 0, 1, 1).auc()).isEqualTo(1.0);
        assertThat(evaluate(new float[]{ 1, 2, 3, 4 }, 1, 1, 0, 0).auc()).isEqualTo(0.0);
        assertThat(evaluate(new float[]{ 2, 2, 2 }, 1, 0, 0).auc()).isEqualTo(0.5);
        assertThat(evaluate(new float[]{ 1, 2, 2, 3 }, 0, 0, 1, 1).auc()).isEqualTo(0.875);
        assertThat(evaluate(new float[]{ 0.0f, -0.0f }, 0, 1).auc()).isEqualTo(0.5);
        assertThat(evaluate(new float[]{ 1, 2 }, 1, 1).auc()).as("there are no pairs").isNaN();
        assertThat(evaluate(new float[]{ 1, 2 }, 0, 0).auc()).isNaN();
    }

    @Test
    void shouldMatchCountingOfPairsWhenScoresAreRandom()
    {
        final SeededRandom random = new SeededRandom(9);
        final float[] scores = new float[300];
        final int[] labels = new int[300];
        for (int i = 0; i < scores.length; i++)
        {
            scores[i] = random.nextInt(50) - 25;
            labels[i] = random.nextInt(2);
        }

        double won = 0;
        double pairs = 0;
        for (int i = 0; i < scores.length; i++)
        {
            for (int j = 0; j < scores.length; j++)
            {
                if (labels[i] > labels[j])
                {
                    pairs++;
                    won += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
                }
            }
        }
        assertThat(evaluate(scores, labels).auc()).isCloseTo(won / pairs, within(1e-12));
    }

    @Test
    void shouldGiveAccuracyAndLossByHandWhenScoresAreKnown()
    {
        final Evaluation evaluation = evaluate(new float[]{ 2, -1, 0, 1 }, 1, 0, 0, 0);
        final double loss = (Math.log1p(Math.exp(-2)) + Math.log1p(Math.exp(-1)) + Math.log(2) +
            1 + Math.log1p(Math.exp(-1))) / 4;
        assertThat(evaluation.examples()).isEqualTo(4);
        assertThat(evaluation.accuracy()).isEqualTo(0.75);
        assertThat(evaluation.logLoss()).isCloseTo(loss, within(1e-12));
    }

    @Test
    void shouldWeighUnknownFeaturesZeroWhenArrayIsShort()
    {
        final Examples examples = new Examples.Builder().entry(0, 1.0f).entry(900, 5.0f).endExample(0).build();
        assertThat(Evaluation.of(examples, new float[]{ -1.0f }).accuracy()).isEqualTo(1.0);
    }

    @Test
    void shouldRefuseWhenNothingCanBeSaid()
    {
        final Examples none = new Examples.Builder().build();
        assertThatThrownBy(() -> Evaluation.of(none, new float[0])).isInstanceOf(IllegalArgumentException.class);
        final Examples one = scored(new float[]{ 1 }, 1);
        assertThatThrownBy(() -> Evaluation.of(one, new float[]{ Float.NaN }))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("example=0");
    }
}
