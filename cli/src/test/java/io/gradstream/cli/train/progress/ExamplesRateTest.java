// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExamplesRateTest
{
    private final ExamplesRate rate = new ExamplesRate(1000);

    @Test
    void shouldBeThatSinceTheBeginningInAShortRun()
    {
        rate.onBegan(5000);

        assertThat(rate.of(0, 5000)).isZero();
        assertThat(rate.of(400, 5100)).isEqualTo(4000);
        assertThat(rate.of(3000, 5600)).isEqualTo(5000);
    }

    @Test
    void shouldBeThatOfTheLastIntervalThatWasLongEnough()
    {
        rate.onBegan(5000);

        assertThat(rate.of(2000, 6000)).isEqualTo(2000);
        assertThat(rate.of(2001, 6100)).isEqualTo(2000);
        assertThat(rate.of(5000, 7000)).isEqualTo(3000);
        assertThat(rate.of(5000, 8000)).isZero();
    }
}
