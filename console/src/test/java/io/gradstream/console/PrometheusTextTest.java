// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static io.gradstream.console.Histories.BEGAN_MS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The text at {@code /metrics}, line by line as Prometheus reads it.
 */
class PrometheusTextTest
{
    private static final Pattern SAMPLE = Pattern.compile(
        "([a-z_]+)(\\{([a-z]+=\"([^\"\\\\]|\\\\[\"\\\\n])*\",?)+})? (NaN|[+-]Inf|-?[0-9.]+(E-?[0-9]+)?)");

    @Test
    void shouldGiveEachFamilyHelpAndTypeOnceAndAllItsSamplesBehind()
    {
        final RunHistory history = Histories.empty();
        history.onSample(Histories.sample(1, Double.NaN));
        history.onMetric(new MetricSample(0, 0, "auc", 0.75, true));
        history.onMetric(new MetricSample(1, 1, "auc", 0.5, false));
        history.onCluster(Histories.cluster(1, 0, false, 4_096));
        final String text = PrometheusText.of(history.since(0), BEGAN_MS);

        final Set<String> families = new HashSet<>();
        String family = "";
        for (final String line : text.split("\n"))
        {
            if (line.startsWith("# HELP "))
            {
                family = line.split(" ")[2];
                assertThat(families.add(family)).as("a second time: " + line).isTrue();
                assertThat(family).matches("gradstream_[a-z_]+");
            }
            else if (line.startsWith("# TYPE "))
            {
                assertThat(line).matches("# TYPE " + family + " (gauge|counter)");
                assertThat(line.endsWith("counter")).as(line).isEqualTo(family.endsWith("_total"));
            }
            else
            {
                final Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(sample.group(1)).isEqualTo(family);
            }
        }
        assertThat(text).endsWith("\n").contains(
            "gradstream_training_batches_total 10\n",
            "gradstream_training_loss NaN\n",
            "gradstream_push_latency_seconds{quantile=\"0.5\"} 2.5E-4\n",
            "gradstream_model_metric{metric=\"auc\"} 0.5\n",
            "gradstream_model_metric_at_best{metric=\"auc\"} 0.75\n",
            "gradstream_partitions_served 2\n",
            "gradstream_replica_info{partition=\"1\",node=\"0\",role=\"head\",state=\"PRIMARY\"} 1\n",
            "gradstream_replica_lag_bytes{partition=\"0\",node=\"1\"} 96\n");
    }

    @Test
    void shouldRememberTheBestHoweverLongAgo()
    {
        final RunHistory history = Histories.empty();
        history.onMetric(new MetricSample(0, 0, "auc", 0.25, true));
        history.onMetric(new MetricSample(0, 1, "auc", 0.75, true));
        for (int i = 2; i < 20 * RunHistory.MAX_METRIC_SAMPLES; i++)
        {
            history.onMetric(new MetricSample(i, i, "auc", 0.5, false));
        }

        assertThat(PrometheusText.of(history.since(0), BEGAN_MS)).contains(
            "gradstream_model_metric{metric=\"auc\"} 0.5\n",
            "gradstream_model_metric_at_best{metric=\"auc\"} 0.75\n");
    }

    @Test
    void shouldSayThatNoServerIsHeardWhenNobodyHasSeenTheClusterForTooLong()
    {
        final RunHistory history = Histories.empty();
        history.onCluster(Histories.cluster(0, 0, false, 4_096));
        final long limitMs = BEGAN_MS + RunHistory.STALE_INTERVALS * Histories.INTERVAL_MS;

        assertThat(PrometheusText.of(history.since(0), limitMs)).contains(
            "gradstream_node_up{node=\"0\",endpoint=\"127.0.0.1:20010\"} 1\n");
        assertThat(PrometheusText.of(history.since(0), limitMs + 1)).contains(
            "gradstream_node_up{node=\"0\",endpoint=\"127.0.0.1:20010\"} 0\n",
            "gradstream_node_up{node=\"1\",endpoint=\"127.0.0.1:20011\"} 0\n",
            "gradstream_node_heard_seconds{node=\"0\"} 6.013\n");
    }

    @Test
    void shouldEscapeLabels()
    {
        final RunHistory history = Histories.empty();
        history.onMetric(new MetricSample(0, 0, "a\"b\\c\nd", 1, false));

        assertThat(PrometheusText.of(history.since(0), BEGAN_MS).split("\n"))
            .contains("gradstream_model_metric{metric=\"a\\\"b\\\\c\\nd\"} 1");
    }

    @Test
    void shouldSayNothingOfWhatWasNotSeen()
    {
        assertThat(List.of(PrometheusText.of(Histories.empty().since(0), BEGAN_MS).split("\n")))
            .allMatch((line) -> line.contains("gradstream_events_total"));
    }
}
