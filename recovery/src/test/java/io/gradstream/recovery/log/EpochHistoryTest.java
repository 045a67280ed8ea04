// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EpochHistoryTest
{
    @Test
    void shouldAgreeUpToTheShorterLogWhenHistoriesAreEqual()
    {
        assertThat(history(1, 0, 2, 100).commonPosition(500, history(1, 0, 2, 100), 300)).isEqualTo(300);
        assertThat(history(1, 0, 2, 100).commonPosition(200, history(1, 0, 2, 100), 300)).isEqualTo(200);
    }

    @Test
    void shouldAgreeUpToWhereTheNextEpochBeganInEither()
    {
        assertThat(history(1, 0, 3, 100).commonPosition(500, history(1, 0), 300)).isEqualTo(100);
        assertThat(history(1, 0, 3, 100).commonPosition(500, history(1, 0, 2, 80), 300)).isEqualTo(80);
    }

    @Test
    void shouldHaveNothingInCommonWhenTheFirstEpochDiffers()
    {
        assertThat(history(1, 0).commonPosition(500, history(2, 0), 300)).isZero();
        assertThat(history(1, 0, 2, 100).commonPosition(500, history(2, 0), 300)).isZero();
        assertThat(history(1, 0).commonPosition(500, new EpochHistory(), 0)).isZero();
    }

    @Test
    void shouldAgreeWhenTheOtherHistoryLacksItsOldestEpochs()
    {
        assertThat(history(1, 0, 2, 100, 3, 200).commonPosition(500, history(2, 100, 3, 200), 300)).isEqualTo(300);
        assertThat(history(1, 0, 2, 100, 4, 200).commonPosition(500, history(2, 100, 3, 250), 300)).isEqualTo(200);
    }

    @Test
    void shouldRefuseAnEpochThatGoesBack()
    {
        final EpochHistory history = history(2, 100);

        assertThatThrownBy(() -> history.add(2, 200)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> history.add(3, 50)).isInstanceOf(IllegalStateException.class);
    }

    private static EpochHistory history(final long... pairs)
    {
        final EpochHistory history = new EpochHistory();
        for (int i = 0; i < pairs.length; i += 2)
        {
            history.add(pairs[i], pairs[i + 1]);
        }

        return history;
    }
}
