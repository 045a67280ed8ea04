// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RatingLogTest
{
    private static final int RATINGS = 20_000;
    private static final int USERS = 2_000;
    private static final int ITEMS = 500;

    @Test
    void shouldBeAFunctionOfItsSpec()
    {
        final int[] bits = bits(spec(7, 0.1));

        assertThat(bits).isEqualTo(bits(spec(7, 0.1))).isNotEqualTo(bits(spec(8, 0.1)));
    }

    @Test
    void shouldHaveAFewFrequentUsersAndItemsAndManyRareOnes()
    {
        final RatingLog log = new RatingLog(spec(7, 0.1));
        final int[] ofUser = new int[USERS];
        final int[] ofItem = new int[ITEMS];
        for (int i = 0; i < log.size(); i++)
        {
            ofUser[log.user(i)]++;
            ofItem[log.item(i)]++;
        }

        assertThat(ofUser[0]).isGreaterThan(20 * RATINGS / USERS);
        assertThat(ofItem[0]).isGreaterThan(10 * RATINGS / ITEMS);
        assertThat(ofUser[USERS - 1]).isBetween(0, RATINGS / USERS);
        assertThat(Arrays.stream(ofUser).filter((count) -> count > 0).count()).isGreaterThan(USERS * 9 / 10);
    }

    @Test
    void shouldRateWithVarianceNearOneAndNoiseOfItsOwn()
    {
        assertThat(variance(new RatingLog(spec(7, 0.0)))).isBetween(0.6, 1.4);
        assertThat(variance(new RatingLog(spec(7, 2.0))) - variance(new RatingLog(spec(7, 0.0)))).isBetween(3.5, 4.5);
    }

    @Test
    void shouldNameWhatIsOutOfRange()
    {
        assertThatThrownBy(() -> new RatingLog.Spec(0, 1, 1, 1, 0, 0, 1)).hasMessageContaining("invalid ratings=0");
        assertThatThrownBy(() -> new RatingLog.Spec(1, 1, 1, 257, 0, 0, 1)).hasMessageContaining("invalid rank=257");
        assertThatThrownBy(() -> new RatingLog.Spec(1, 1, 1, 1, Double.NaN, 0, 1))
            .hasMessageContaining("invalid powerLawExponent=NaN");
    }

    private static RatingLog.Spec spec(final long seed, final double noise)
    {
        return new RatingLog.Spec(RATINGS, USERS, ITEMS, 16, 0.8, noise, seed);
    }

    private static int[] bits(final RatingLog.Spec spec)
    {
        final RatingLog log = new RatingLog(spec);
        return IntStream.range(0, log.size()).flatMap((i) ->
            IntStream.of(log.user(i), log.item(i), Float.floatToRawIntBits(log.value(i)))).toArray();
    }

    private static double variance(final RatingLog log)
    {
        final double mean = IntStream.range(0, log.size()).mapToDouble(log::value).average().orElseThrow();
        return IntStream.range(0, log.size()).mapToDouble((i) -> Math.pow(log.value(i) - mean, 2)).average()
            .orElseThrow();
    }
}
