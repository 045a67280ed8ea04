// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.Examples;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class DataScaleTest
{
    @Test
    void shouldFindTheFeatureOfTheLargestValuesAndTheSizeOfLabels()
    {
        final Examples examples = new Examples.Builder()
            .entry(0, 1f).entry(3, 300f).endExampleOf(1f)
            .entry(0, 1f).entry(2, 50f).entry(3, -400f).endExampleOf(7f)
            .entry(0, 1f).endExampleOf(1f).build();
        final DataScale scale = DataScale.of(examples);

        assertThat(scale.feature()).isEqualTo(3);
        assertThat(scale.featureMax()).isEqualTo(400f);
        assertThat(scale.featureRms()).as("where it occurs").isCloseTo(353.553, within(1e-3));
        assertThat(scale.shrink()).isCloseTo(35.3553, within(1e-4));
        assertThat(scale.labelRms()).isCloseTo(Math.sqrt(17), within(1e-12));
        assertThat(scale.labelDeviation()).isCloseTo(Math.sqrt(8), within(1e-12));
    }

    @Test
    void shouldNotShrinkWhatIsGood()
    {
        assertThat(DataScale.of(new Examples.Builder().entry(1, 10f).endExample(1).build()).shrink()).isEqualTo(1);
        assertThat(DataScale.of(new Examples.Builder().endExample(1).build())).isEqualTo(
            new DataScale(0, 1, 0, -1, 0));
    }
}
