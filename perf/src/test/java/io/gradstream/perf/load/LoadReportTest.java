// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.load.LoadReport.SizeResult;
import io.gradstream.perf.measure.Sample;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class LoadReportTest
{
    private static final LoadSettings SETTINGS = new LoadSettings(List.of(4096), Measure.all(true), 1,
        1_000_000_000L, 0, 0, 1 << 20,
        new LoadSettings.Cluster(null, 1, 1, DriverProfile.DEV, 8192, false, Path.of(".")));

    @Test
    void shouldPutRatiosBesideFiguresWhenAllWasMeasured()
    {
        final LoadReport report = new LoadReport(SETTINGS, List.of(result(Measure.values())));

        assertThat(report.table())
            .contains("4 KiB (fixed rate: 1000 a second)")
            .containsPattern("push until applied, depth 1 +30\\.0 \\(30\\.0\\.\\.30\\.0\\) +60\\.0")
            .containsPattern("ratio push until applied p50 / raw echo p50 +2\\.00")
            .containsPattern("T1 +push 4 KiB, depth 1, p50 +us +30\\.0 +15\\.0 +- +2\\.000 .*no\n")
            .containsPattern("ratio push MB/s, depth 8 / raw one way +0\\.50")
            .containsPattern(
                "cores busy in chain: push until replicated, depth 8 +worker 0\\.50, servers 1\\.00 0\\.25");
        assertThat(report.json())
            .startsWith("{\"measurement\":\"load\",\"windows\":1,\"windowSeconds\":1.000,")
            .contains("\"size\":4096,\"rate\":1000.000,\"rawEcho\":{\"p50Us\":{\"median\":15.000,\"min\":15.000")
            .contains("\"pushP50OverRawEcho\":2.000")
            .contains("\"jdk\":\"" + Runtime.version() + "\"", "\"targets\":[{\"id\":\"T1\",")
            .endsWith("}]}")
            .doesNotContain("\n");
    }

    @Test
    void shouldSayNullWhenLatencyWasNotTaken()
    {
        final LoadReport report = new LoadReport(SETTINGS, List.of(result(Measure.RAW_STREAM)));

        assertThat(report.table()).containsPattern("raw one way +- +- +4\\.1");
        assertThat(report.json())
            .contains("\"rawStream\":{\"p50Us\":{\"median\":null")
            .contains("\"pushGoodputOverRawStream\":null");
    }

    private static SizeResult result(final Measure... measures)
    {
        final Map<Measure, Series> series = new EnumMap<>(Measure.class);
        for (final Measure measure : measures)
        {
            final boolean isRaw = measure.name().startsWith("RAW");
            final boolean isStream = Measure.RAW_STREAM == measure;
            final double p50Ns = isStream ? Double.NaN : isRaw ? 15_000 : 30_000;
            series.put(measure, Series.of(measure, List.of(
                new Sample(1_000, 4_096, isRaw ? 1_000_000_000L : 2_000_000_000L, p50Ns, 2 * p50Ns))));
        }

        return new SizeResult(4_096, 1_000, series,
            Map.of(Measure.CHAIN_DEPTH_8, new CpuLoad(0.5, List.of(1.0, 0.25))), Map.of());
    }
}
