// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class GoodputTest
{
    private final Goodput goodput = new Goodput();
    private long nowMs = 50_000;
    private double examples;

    @Test
    void shouldBeUndefinedWhenNothingHappened()
    {
        goOn(5_000, 1, false, true);

        assertThat(goodput.share()).isNaN();
    }

    @Test
    void shouldCompareWithTheSecondHalfOfTheTimeBeforeTheFirstFault()
    {
        goOn(3_000, 0.1, false, true);
        goOn(3_000, 1, false, true);
        goOn(1_000, 0.25, true, true);

        assertThat(goodput.share()).isCloseTo(0.25, within(0.03));
    }

    @Test
    void shouldCompareWithTenSecondsAtMost()
    {
        goOn(40_000, 0.1, false, true);
        goOn(10_000, 1, false, true);
        goOn(1_000, 0.5, true, true);

        assertThat(goodput.share()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void shouldAddUpAllFaultsAndLeaveOutTheTimeBetweenThem()
    {
        goOn(6_000, 1, false, true);
        goOn(1_000, 0.5, true, true);
        goOn(9_000, 2, false, true);
        goOn(1_000, 0.1, true, true);

        assertThat(goodput.share()).isCloseTo(0.3, within(0.02));
    }

    @Test
    void shouldLeaveOutTheTimeInWhichAWorkerHasNothingToDo()
    {
        goOn(6_000, 1, false, true);
        goOn(1_000, 0.5, true, true);
        goOn(9_000, 0, true, false);

        assertThat(goodput.share()).isCloseTo(0.5, within(0.02));
    }

    @Test
    void shouldBeUndefinedWhenTheFirstFaultComesAtOnce()
    {
        goOn(Goodput.MIN_BEFORE_MS - 5, 1, false, true);
        goOn(5_000, 1, true, true);

        assertThat(goodput.share()).isNaN();
    }

    /** Train for some time at a number of examples each millisecond. */
    private void goOn(final long durationMs, final double rate, final boolean isDisturbed, final boolean isCounted)
    {
        for (final long endMs = nowMs + durationMs; nowMs < endMs; nowMs += 5, examples += 5 * rate)
        {
            goodput.onProgress(nowMs, (long)examples, isDisturbed, isCounted);
        }
    }
}
