/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
        assertThat(BaseRate.of(ModelSpec.logistic(), labelled(0, 0), labelled(0)).loss()).isZero();
    }
}
