// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A series keeps the newest, a share of the rest, and never more than its limit.
 */
class SampleSeriesTest
{
    private static final int RECENT = 16;
    private static final int OLDER = 8;

    @Test
    void shouldKeepAllWhileThereIsRoom()
    {
        final SampleSeries<Integer> series = filled(RECENT);

        assertThat(values(series, 0)).hasSize(RECENT).startsWith(1, 2, 3).endsWith(RECENT);
    }

    @Test
    void shouldNeverHoldMoreThanItsLimitHoweverLongItTakes()
    {
        final SampleSeries<Integer> series = new SampleSeries<>(RECENT, OLDER);
        for (int i = 1; i <= 1_000_000; i++)
        {
            series.add(i, i);
            assertThat(series.size()).isLessThan(RECENT + OLDER);
        }
    }

    @Test
    void shouldKeepTheNewestAndEvenlySpreadOlderOnes()
    {
        final SampleSeries<Integer> series = filled(10_000);

        final List<Integer> values = values(series, 0);
        final List<Integer> older = values.subList(0, values.size() - RECENT);
        assertThat(values.subList(values.size() - RECENT, values.size()))
            .startsWith(10_000 - RECENT + 1).endsWith(10_000).hasSize(RECENT);
        assertThat(older).hasSizeBetween(OLDER / 2, OLDER).startsWith(1);
        final int stride = older.get(1) - older.get(0);
        for (int i = 1; i < older.size(); i++)
        {
            assertThat(older.get(i) - older.get(i - 1)).isEqualTo(stride);
        }
        assertThat(older.get(older.size() - 1)).as("none are missing before the newest")
            .isGreaterThanOrEqualTo(10_000 - RECENT - stride);
    }

    @Test
    void shouldGiveWhatCameBehindASequence()
    {
        final SampleSeries<Integer> series = filled(40);

        assertThat(values(series, 38)).containsExactly(39, 40);
        assertThat(values(series, 40)).isEmpty();
    }

    private static SampleSeries<Integer> filled(final int count)
    {
        final SampleSeries<Integer> series = new SampleSeries<>(RECENT, OLDER);
        for (int i = 1; i <= count; i++)
        {
            series.add(i, i);
        }

        return series;
    }

    private static List<Integer> values(final SampleSeries<Integer> series, final long since)
    {
        return series.since(since).stream().map(SampleSeries.Point::value).toList();
    }
}
