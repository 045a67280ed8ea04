// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class HoldOutTest
{
    private static final int SIZE = 10_000;

    private static Examples numbered()
    {
        final Examples.Builder builder = new Examples.Builder();
        for (int i = 0; i < SIZE; i++)
        {
            builder.entry(i, 1.0f).endExample(i & 1);
        }
        return builder.build();
    }

    @Test
    void shouldGiveEachExampleToOneOfTheTwoParts()
    {
        final Examples all = numbered();
        final HoldOut holdOut = new HoldOut(0.1, 7);
        final Examples train = holdOut.trainingPart(all);
        final Examples test = holdOut.testPart(all);
        final boolean[] seen = new boolean[SIZE];
        mark(train, seen);
        mark(test, seen);

        assertThat(train.size() + test.size()).isEqualTo(SIZE);
        assertThat(seen).doesNotContain(false);
        assertThat(test.size() / (double)SIZE).isCloseTo(0.1, within(0.02));
        assertThat(train.featureCount()).isEqualTo(SIZE);
        assertThat(test.featureCount()).isEqualTo(SIZE);
    }

    @Test
    void shouldChooseTheSameAgainAndOthersForAnotherSeed()
    {
        final Examples all = numbered();

        assertThat(features(new HoldOut(0.1, 7).testPart(all))).isEqualTo(features(new HoldOut(0.1, 7).testPart(all)));
        assertThat(features(new HoldOut(0.1, 7).testPart(all)))
            .isNotEqualTo(features(new HoldOut(0.1, 8).testPart(all)));
    }

    @Test
    void shouldRefuseAShareThatLeavesNothingToTrainOn()
    {
        assertThatThrownBy(() -> new HoldOut(1.0, 7)).hasMessageContaining("invalid share=1.0");
        assertThatThrownBy(() -> new HoldOut(0.0, 7)).hasMessageContaining("invalid share=0.0");
    }

    private static void mark(final Examples examples, final boolean[] seen)
    {
        for (final int feature : features(examples))
        {
            assertThat(seen[feature]).isFalse();
            seen[feature] = true;
        }
    }

    private static int[] features(final Examples examples)
    {
        final int[] features = new int[examples.size()];
        for (int i = 0; i < features.length; i++)
        {
            features[i] = examples.feature(examples.firstEntry(i));
        }
        return features;
    }
}
