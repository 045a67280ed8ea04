// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.perf.measure.Summary;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class TargetReportTest
{
    private static final Machine MACHINE = new Machine("2 processors", "17.0.15", "abc1234");
    private static final TargetLine MET = new TargetLine("T1", "push 4 KiB, depth 1, p50", "us",
        Summary.of(11, 15, 12), 10, Double.NaN, Bound.atMost(1.3), "");
    private static final TargetLine MISSED = new TargetLine("T3", "push 64 KiB, depth 8, goodput", "MB/s",
        new Summary(500, 400, 510), 1_000, 2_410, Bound.atLeast(0.75), "best peer: a \"b\" | c");

    private static final TargetLine FIGURE =
        TargetLine.figure("raw echo, p50", "us", new Summary(10, 9, 12), Double.NaN, "1000 a second");

    private final TargetReport report =
        new TargetReport("load", Map.of("windows", 5), MACHINE,
            List.of(MET, MISSED, TargetLine.failed("T9", "freshness", "no server"), FIGURE));

    @Test
    void shouldShowEachLineInATable()
    {
        assertThat(report.table())
            .contains("perf load --windows=5\n2 processors; JDK 17.0.15; commit abc1234\n")
            .containsPattern(
                "T1 +push 4 KiB, depth 1, p50 +us +12\\.0 +11\\.0\\.\\.15\\.0 +10\\.0 +- +1\\.200 +25 % <= 1\\.3 " +
                "+yes\n")
            .containsPattern("T3 .* +500\\.0 +400\\.0\\.\\.510\\.0 +1000 +2410 +0\\.500 +20 % >= 0\\.75 +no  best peer")
            .containsPattern("T9 +freshness +- +- +- +- +- +- +- +no  failed: no server\n")
            .containsPattern("raw echo, p50 +us +10\\.0 +9\\.00\\.\\.12\\.0 +- +- +- +20 % - +1000 a second\n");
    }

    @Test
    void shouldSayNullInJsonWhereThereIsNoFigure()
    {
        assertThat(report.json())
            .startsWith("{\"measurement\":\"load\",\"settings\":{\"windows\":5},\"machine\":\"2 processors\"," +
                "\"jdk\":\"17.0.15\",\"commit\":\"abc1234\",\"targets\":[" +
                "{\"id\":\"T1\",\"measure\":\"push 4 KiB, depth 1, p50\",\"unit\":\"us\",\"ours\":12.0000," +
                "\"min\":11.0000,\"max\":15.0000," +
                "\"baseline\":10.0000,\"bestPeer\":null,\"ratio\":1.2000,\"spread\":0.2500,\"target\":\"<= 1.3\"," +
                "\"met\":true,\"note\":\"\",\"windows\":[11.0000,15.0000,12.0000]},")
            .contains("\"bestPeer\":2410.0000", "\"id\":\"T9\",\"measure\":\"freshness\",\"unit\":\"\",\"ours\":null",
                "\"met\":false,\"note\":\"failed: no server\",\"windows\":[]}",
                "\"met\":null,\"note\":\"1000 a second\"," +
                "\"windows\":[]}]}")
            .doesNotContain("\n");
    }

    @Test
    void shouldQuoteCellsOfCsvWhereNeeded()
    {
        assertThat(report.csv().split("\n")).containsExactly(
            "target,measure,unit,ours,min,max,baseline,bestPeer,ratio,spread,bound,met,note",
            "T1,\"push 4 KiB, depth 1, p50\",us,12.0,11.0,15.0,10.0,,1.2,0.25,<= 1.3,yes,",
            "T3,\"push 64 KiB, depth 8, goodput\",MB/s,500.0,400.0,510.0,1000.0,2410.0,0.5,0.2,>= 0.75,no," +
            "\"best peer: a \"\"b\"\" | c\"",
            "T9,freshness,,,,,,,,,-,no,failed: no server",
            ",\"raw echo, p50\",us,10.0,9.0,12.0,,,,0.2,-,,1000 a second");
    }

    @Test
    void shouldEscapeBarsInMarkdown()
    {
        assertThat(report.markdown().split("\n"))
            .contains(
                "| target | measure | unit | ours | min | max | baseline | bestPeer | ratio | spread | bound | met |" +
                " note |",
                "| T1 | push 4 KiB, depth 1, p50 | us | 12.0 | 11.0 | 15.0 | 10.0 | - | 1.20 | 0.25 | <= 1.3 | yes |" +
                "  |")
            .anySatisfy((line) -> assertThat(line).endsWith("| no | best peer: a \"b\" \\| c |"));
    }
}
