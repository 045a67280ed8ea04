// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static io.gradstream.console.Histories.BEGAN_MS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page asks for.
 */
class HistoryJsonTest
{
    @Test
    void shouldEscapeWhatCouldEndAStringOrAnElement()
    {
        final RunHistory history = new RunHistory("</script>\"\\\n\u2028&", 7, 0);

        assertThat(HistoryJson.of(history.since(0), BEGAN_MS)).startsWith(
            "{\"title\":\"\\u003c/script\\u003e\\\"\\\\\\n\\u2028\\u0026\",\"startMs\":7,\"ended\":false,");
    }

    @Test
    void shouldWriteNullForWhatIsNoNumber()
    {
        final RunHistory history = Histories.empty();
        history.onSample(Histories.sample(1, Double.NaN));

        assertThat(HistoryJson.of(history.since(0), BEGAN_MS))
            .contains("\"progress\":[[1800000000500,10,1000,640,1280.0,null,250.0,900.0,null]]", "\"cluster\":null");
    }

    @Test
    void shouldWriteNullForWhatIsBeyondTheRangeOfAFloat()
    {
        final RunHistory history = Histories.empty();
        history.onMetric(new MetricSample(1, 2, "loss", 1e39, false));
        history.onMetric(new MetricSample(1, 2, "loss", -1e300, false));
        history.onMetric(new MetricSample(1, 2, "loss", 3e38, true));

        assertThat(HistoryJson.of(history.since(0), BEGAN_MS))
            .contains("\"metrics\":[[1,2,\"loss\",null,false],[1,2,\"loss\",null,false],[1,2,\"loss\",3.0E38,true]]")
            .doesNotContain("Infinity");
    }

    @Test
    void shouldSayHowLongNobodyHasSeenTheCluster()
    {
        final RunHistory history = new RunHistory("", BEGAN_MS, 100);
        final long limitMs = BEGAN_MS + RunHistory.MIN_STALE_MS;

        assertThat(HistoryJson.of(history.since(0), limitMs + 1)).as("there is none").contains("\"unseenMs\":0,");
        history.onCluster(Histories.cluster(0, 0, false, 4_096));
        assertThat(HistoryJson.of(history.since(0), limitMs)).contains("\"unseenMs\":0,");
        assertThat(HistoryJson.of(history.since(0), limitMs + 1)).contains("\"unseenMs\":3001,");
    }

    @Test
    void shouldShowThosePartitionsFirstThatSomebodyShouldLookAt()
    {
        final List<ClusterState.Partition> partitions = new ArrayList<>();
        for (int id = 0; id < 2 * HistoryJson.MAX_PARTITIONS; id++)
        {
            partitions.add(Histories.partition(id, 400 != id, List.of()));
        }
        final RunHistory history = Histories.empty();
        history.onCluster(Histories.cluster(0, List.of(), partitions));

        final String json = HistoryJson.of(history.since(0), BEGAN_MS);
        assertThat(json).contains("\"notServed\":1", "{\"id\":400,", "{\"id\":254,")
            .doesNotContain("{\"id\":255,");
    }
}
