// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import io.gradstream.perf.load.Measure;
import io.gradstream.perf.load.Series;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SummaryTest
{
    @Test
    void shouldTakeTheMiddleWhenWindowsAreOdd()
    {
        assertThat(Summary.of(9, 1, 5)).isEqualTo(new Summary(5, 1, 9));
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleWhenWindowsAreEven()
    {
        assertThat(Summary.of(8, 1, 2, 4)).isEqualTo(new Summary(3, 1, 8));
    }

    @Test
    void shouldRefuseWhenThereIsNoWindow()
    {
        assertThatThrownBy(Summary::of).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("windows=0");
    }

    @Test
    void shouldTellBytesPerSecondAndMicrosecondsWhenWindowsAreJoined()
    {
        // 1,000 transfers of 4,096 bytes in one second, then in half a second
        final Series series = Series.of(Measure.PULL, List.of(
            new Sample(1_000, 4_096, 1_000_000_000, 20_000, 90_000),
            new Sample(1_000, 4_096, 500_000_000, 10_000, 70_000)));

        assertThat(series.megabytesPerSecond()).isEqualTo(new Summary(6.144, 4.096, 8.192));
        assertThat(series.transfersPerSecond()).isEqualTo(new Summary(1_500, 1_000, 2_000));
        assertThat(series.p50Us()).isEqualTo(new Summary(15, 10, 20));
        assertThat(series.p99Us()).isEqualTo(new Summary(80, 70, 90));
    }
}
