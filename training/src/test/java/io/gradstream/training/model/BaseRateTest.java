// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import io.gradstream.training.Examples;
import io.gradstream.training.metric.LogLoss;
import io.gradstream.training.metric.RootMeanSquare;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class BaseRateTest
{
    private static Examples labelled(final float... labels)
    {
        final Examples.Builder examples = new Examples.Builder();
        for (final float label : labels)
        {
            examples.entry(0, 1f).endExampleOf(label);
        }
        return examples.build();
    }

    @Test
    void shouldBeTheLossOfAlwaysPredictingTheShareOfLabelOne()
    {
        final BaseRate base = BaseRate.of(ModelSpec.logistic(), labelled(1, 0, 0, 0), labelled(1, 0, 1));
        final LogLoss expected = new LogLoss();
        for (final float label : new float[]{ 1, 0, 1 })
        {
            expected.add(new double[]{ Math.log(0.25 / 0.75) }, 0, 1, label);
        }

        assertThat(base.loss()).isCloseTo(expected.value(), within(1e-12));
        assertThat(base.metric()).isEqualTo(expected.name());
        assertThat(base.prediction()).isEqualTo("always predicting the share of label 1 in training, 0.2500");
    }

    @Test
    void shouldBeTheLossOfAlwaysPredictingTheShareOfEachClass()
    {
        final BaseRate base = BaseRate.of(ModelSpec.softmax(3), labelled(0, 1, 1, 2), labelled(0, 1));

        assertThat(base.loss()).isCloseTo(-(Math.log(0.25) + Math.log(0.5)) / 2, within(1e-12));
    }

    @Test
    void shouldBeTheErrorOfAlwaysPredictingTheMean()
    {
        final BaseRate base = BaseRate.of(ModelSpec.linear(), labelled(1, 2, 6), labelled(1, 7));
        final RootMeanSquare expected = new RootMeanSquare();
        expected.add(new double[]{ 3 }, 0, 1, 1f);
        expected.add(new double[]{ 3 }, 0, 1, 7f);

        assertThat(base.loss()).isEqualTo(expected.value());
        assertThat(base.metric()).isEqualTo("rmse");
    }

    @Test
    void shouldSayWhyThereIsNone()
    {
        final BaseRate base = BaseRate.of(ModelSpec.logistic(), labelled(0, 0), labelled(0, 1));

        assertThat(base.loss()).isNaN();
        assertThat(base.prediction()).isEqualTo("no training example has label 1, which is in the test set");
    }

    @Test
    void shouldNotBeDefinedWhereAllLabelsAreTheSame()
    {
        final BaseRate clicks = BaseRate.of(ModelSpec.logistic(), labelled(1, 1, 1), labelled(1, 1));
        final BaseRate numbers = BaseRate.of(ModelSpec.linear(), labelled(2.5f, 2.5f), labelled(2.5f));

        assertThat(clicks.loss()).isNaN();
        assertThat(clicks.prediction()).isEqualTo("all labels are 1");
        assertThat(numbers.loss()).isNaN();
        assertThat(numbers.prediction()).isEqualTo("all labels are 2.5");
        assertThat(BaseRate.of(ModelSpec.linear(), labelled(2.5f), labelled(3.5f)).loss()).isEqualTo(1);
    }

    @Test
    void shouldTakeALossForThatOfDivergenceIfItIsAlsoAboveThatOfGuessing()
    {
        final float[] rare = new float[1000];
        rare[0] = 1;
        final BaseRate clicks = BaseRate.of(ModelSpec.logistic(), labelled(rare), labelled(rare));
        assertThat(clicks.loss()).isLessThan(0.01);
        assertThat(clicks.isAbsurd(0.6)).as("a short run on rare clicks").isFalse();
        assertThat(clicks.isAbsurd(0.7)).isTrue();

        final BaseRate classes = BaseRate.of(ModelSpec.softmax(10), labelled(0, 0, 0, 1), labelled(0, 0, 0));
        assertThat(classes.isAbsurd(2.2)).isFalse();
        assertThat(classes.isAbsurd(2.9)).isTrue();

        final BaseRate numbers = BaseRate.of(ModelSpec.linear(), labelled(0, 0.002f), labelled(0, 0.002f));
        assertThat(numbers.isAbsurd(0.0099)).isFalse();
        assertThat(numbers.isAbsurd(0.0101)).isTrue();
    }

    @Test
    void shouldCallAModelWorseThatIsWorseByMoreThanRounding()
    {
        final BaseRate base = BaseRate.of(ModelSpec.linear(), labelled(0, 2), labelled(0, 2));

        assertThat(base.isBetterThan(1.0009)).isFalse();
        assertThat(base.isBetterThan(1.0011)).isTrue();
        assertThat(base.isBetterThan(Double.NaN)).isFalse();
    }
}
