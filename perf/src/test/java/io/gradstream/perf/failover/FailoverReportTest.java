// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.failover.FailoverReport.Failover;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FailoverReportTest
{
    private static final FailoverSettings SETTINGS =
        new FailoverSettings(10, 8, 50, 3, true, "quiet", DriverProfile.DEV, null);
    private static final long MS = 1_000_000;

    @Test
    void shouldSayPercentilesAndPhasesWhenKillsCounted()
    {
        final List<Failover> failovers = new ArrayList<>();
        for (int i = 10; i >= 1; i--)
        {
            failovers.add(new Failover(i * 10 * MS, (i * 10 + 2) * MS, (i * 10 + 7) * MS, (i * 10 + 10) * MS));
        }

        final FailoverReport report = new FailoverReport(SETTINGS, failovers, 1, 2, 3);

        assertThat(report.json())
            .startsWith("{\"measurement\":\"failover\",\"runs\":10,\"partitions\":8,\"coordinators\":3," +
                "\"leaderKilled\":true,\"timing\":\"quiet\"")
            .contains("\"p50Ms\":60.000,\"p90Ms\":100.000,\"p99Ms\":110.000,\"maxMs\":110.000," +
                "\"lost\":1,\"doubled\":2,\"spurious\":3")
            .contains("\"phasesMs\":{\"suspected\":55.000,\"decided\":2.000,\"promoted\":5.000," +
                "\"firstAcknowledgement\":3.000}")
            .doesNotContain("\n");
        assertThat(report.table())
            .contains("10 kills of the primary of all 8 partitions and of the coordinators' leader; 3 coordinators; " +
                "timing quiet, profile dev, 400 pushes/s")
            .contains("p50 60  p90 100  p99 110  max 110")
            .contains("lost 1  doubled 2  spurious 3");
    }

    @Test
    void shouldAddUpToTheWholeWhenPhasesAreNamed()
    {
        assertThat(new Failover(200 * MS, 201 * MS, 240 * MS, 230 * MS).text())
            .isEqualTo("230 ms: suspected 200 decided 1 promoted 39 firstAcknowledgement -10");
    }

    @Test
    void shouldTakeTheNearestRankWhenAskedForAPercentile()
    {
        final double[] one = {7};
        final double[] hundred = new double[100];
        for (int i = 0; i < hundred.length; i++)
        {
            hundred[i] = i + 1;
        }

        assertThat(FailoverReport.percentile(one, 50)).isEqualTo(7);
        assertThat(FailoverReport.percentile(one, 99)).isEqualTo(7);
        assertThat(FailoverReport.percentile(hundred, 50)).isEqualTo(50);
        assertThat(FailoverReport.percentile(hundred, 99)).isEqualTo(99);
    }

    @Test
    void shouldRefuseWhenNoKillCounted()
    {
        assertThatThrownBy(() -> new FailoverReport(SETTINGS, List.of(), 0, 0, 0))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("--rate");
    }
}
