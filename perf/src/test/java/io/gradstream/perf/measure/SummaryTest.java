// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SummaryTest
{
    @Test
    void shouldTakeTheMiddleWhenWindowsAreOdd()
    {
        assertThat(Summary.of(9, 1, 5)).isEqualTo(new Summary(5, 1, 9, List.of(9.0, 1.0, 5.0)));
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleWhenWindowsAreEven()
    {
        assertThat(Summary.of(8, 1, 2, 4)).isEqualTo(new Summary(3, 1, 8, List.of(8.0, 1.0, 2.0, 4.0)));
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
        final Series series = Series.of(List.of(
            new Sample(1_000, 4_096, 1_000_000_000, 20_000, 90_000),
            new Sample(1_000, 4_096, 500_000_000, 10_000, 70_000)));

        assertThat(series.megabytesPerSecond()).isEqualTo(Summary.of(4.096, 8.192));
        assertThat(series.p50Us()).isEqualTo(Summary.of(20, 10));
        assertThat(series.p99Us()).isEqualTo(Summary.of(90, 70));
    }
}
