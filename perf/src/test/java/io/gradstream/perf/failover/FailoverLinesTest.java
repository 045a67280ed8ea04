// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FailoverLinesTest
{
    private static final long MS = 1_000_000;

    @Test
    void shouldSayPercentilesAndPhasesWhenKillsCounted()
    {
        final List<Failover> failovers = new ArrayList<>();
        for (int i = 10; i >= 1; i--)
        {
            failovers.add(new Failover(i * 10 * MS, (i * 10 + 2) * MS, (i * 10 + 7) * MS, (i * 10 + 10) * MS));
        }

        final List<TargetLine> lines = FailoverLines.of(failovers);

        assertThat(lines).extracting(TargetLine::measure).containsExactly(
            "kill to first acknowledgement of the last partition, p50",
            "kill to first acknowledgement of the last partition, p90",
            "kill to first acknowledgement of the last partition, p99",
            "kill to first acknowledgement of the last partition, max",
            "phase suspected", "phase decided", "phase promoted", "phase firstAcknowledgement");
        assertThat(lines).extracting((line) -> line.ours().median())
            .containsExactly(60.0, 100.0, 110.0, 110.0, 55.0, 2.0, 5.0, 3.0);
        assertThat(lines).allMatch((line) -> "ms".equals(line.unit()) && !line.hasTarget());
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

        assertThat(FailoverLines.percentile(one, 50)).isEqualTo(7);
        assertThat(FailoverLines.percentile(one, 99)).isEqualTo(7);
        assertThat(FailoverLines.percentile(hundred, 50)).isEqualTo(50);
        assertThat(FailoverLines.percentile(hundred, 99)).isEqualTo(99);
    }

    @Test
    void shouldRefuseWhenNoKillCounted()
    {
        assertThatThrownBy(() -> FailoverLines.of(List.of()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("--rate");
    }
}
