// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A history stays within its limits whatever it is told, and gives news only once.
 */
class RunHistoryTest
{
    private final RunHistory history = Histories.empty();

    @Test
    void shouldStayWithinItsLimits()
    {
        for (int i = 0; i < 20_000; i++)
        {
            history.onSample(Histories.sample(i, 0.5));
            history.onCluster(Histories.cluster(i, 0, false, i));
            history.onMetric(new MetricSample(i, i, "metric " + i % 50, 0.5, false));
            history.onEvent(new ProgressEvent(i, ProgressEvent.Kind.KILL, "x".repeat(10_000)));
        }

        final HistoryView view = history.since(0);
        final int limit = RunHistory.MAX_RECENT + RunHistory.MAX_OLDER;
        assertThat(view.progress()).hasSizeBetween(RunHistory.MAX_RECENT, limit);
        assertThat(view.loads()).hasSizeBetween(RunHistory.MAX_RECENT, limit);
        assertThat(view.metrics()).hasSizeLessThanOrEqualTo(
            2 * RunHistory.MAX_METRICS * RunHistory.MAX_METRIC_SAMPLES);
        assertThat(view.metrics().stream().map((point) -> point.value().name()).distinct())
            .hasSize(RunHistory.MAX_METRICS);
        assertThat(view.marks()).hasSizeLessThanOrEqualTo(2 * RunHistory.MAX_MARKS)
            .allMatch((point) -> point.value().text().length() == RunHistory.MAX_TEXT_LENGTH);
        assertThat(view.counts()).containsEntry(Mark.Kind.KILL, 20_000L).containsEntry(Mark.Kind.FAILOVER, 0L);
    }

    @Test
    void shouldGiveNewsOnce()
    {
        history.onSample(Histories.sample(1, 0.7));
        final long seen = history.since(0).sequence();
        history.onSample(Histories.sample(2, 0.6));
        history.onMark(new Mark(0, Mark.Kind.FAILOVER, "server 1 leads partition 0"));

        final HistoryView news = history.since(seen);
        assertThat(news.progress()).singleElement().matches((point) -> 0.6 == point.value().loss());
        assertThat(news.marks()).hasSize(1);
        assertThat(history.since(news.sequence()).progress()).isEmpty();
        assertThat(history.since(news.sequence()).newest().loss()).isEqualTo(0.6);
    }

    @Test
    void shouldTellTheEndAsNews()
    {
        final long seen = history.since(0).sequence();
        history.end();

        assertThat(history.since(seen).isEnded()).isTrue();
        assertThat(history.since(seen).sequence()).isGreaterThan(seen);
    }

    @Test
    void shouldKeepHowManyAreServedHowFastLogsGrowAndTheLargestLag()
    {
        history.onCluster(Histories.cluster(0, List.of(), List.of()));
        history.onCluster(Histories.cluster(1, 0, false, 1_500));

        assertThat(history.since(0).loads().stream().map(SampleSeries.Point::value)).containsExactly(
            new ClusterState.Load(Histories.BEGAN_MS, 0, Double.NaN, 0),
            new ClusterState.Load(Histories.BEGAN_MS + 500, 2, 3, 96));
    }
}
