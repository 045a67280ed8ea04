// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RemainingTimeTest
{
    @ParameterizedTest
    @CsvSource({
        "0, 0, ''", "5000, 0.005, ''", "5000, 0.5, ETA 5s", "5000, 1, ''", "10000, 0.1, ETA 1m 30s",
        "61000, 0.5, ETA 1m 01s", "36000, 0.01, ETA 59m 24s", "72000, 0.01, ETA 1h 58m", "1, 0.99, ETA 1s"})
    void shouldSayWhatIsLeftInTheLargestUnits(final long elapsedMs, final double share, final String expected)
    {
        assertThat(RemainingTime.text(elapsedMs, share)).isEqualTo(expected);
    }
}
