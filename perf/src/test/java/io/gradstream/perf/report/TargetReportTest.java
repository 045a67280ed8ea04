// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Summary;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class TargetReportTest
{
    private static final Machine MACHINE = new Machine("2 processors", "17.0.15", "abc1234");
    private static final TargetLine MET = TargetLine.target("T1", "push 4 KiB, depth 1, p50", "us",
        Summary.of(11, 15, 12), 10, Bound.atMost(1.3), "");
    private static final TargetLine MISSED = new TargetLine("T3", "push 64 KiB, depth 8, goodput", "MB/s",
        new Summary(500, 400, 510), 1_000, 2_410, Bound.atLeast(0.75), "best peer: a \"b\" | c",
        CpuCost.of(CpuCost.Unit.GIGABYTE, 1.25, 1.96), new MachineLoad(0.04, 0.01));

    private static final TargetLine FIGURE =
        TargetLine.figure("raw echo, p50", "us", new Summary(10, 9, 12), Double.NaN, "1000 a second");

    private final TargetReport report =
        new TargetReport("load", Map.of("windows", 5), MACHINE,
            List.of(MET, MISSED, TargetLine.failed("T9", "freshness", "no server"), FIGURE));

    @Test
    void shouldShowEachLineInATable()
    {
        assertThat(report.table())
            .contains("perf load --windows=5\n2 processors; JDK 17.0.15; commit abc1234\n" +
                "machine at worst: others 4.0 %, steal 1.0 %\n")
            .containsPattern(
                "T1 +push 4 KiB, depth 1, p50 +us +12\\.0 +11\\.0\\.\\.15\\.0 +10\\.0 +- +1\\.200 +25 % - +<= 1\\.3 " +
                "+yes\n")
            .containsPattern("T3 .* +500\\.0 +400\\.0\\.\\.510\\.0 +1000 +2410 +0\\.500 +20 % 1\\.25 \\+ 1\\.96 s/GB " +
                "+>= 0\\.75 +no  best peer")
            .containsPattern("T9 +freshness +- +- +- +- +- +- +- +- +no  failed: no server\n")
            .containsPattern("raw echo, p50 +us +10\\.0 +9\\.00\\.\\.12\\.0 +- +- +- +20 % - +- +1000 a second\n");
    }

    @Test
    void shouldSayNullInJsonWhereThereIsNoFigure()
    {
        assertThat(report.json())
            .startsWith("{\"measurement\":\"load\",\"settings\":{\"windows\":5},\"machine\":\"2 processors\"," +
                "\"jdk\":\"17.0.15\",\"commit\":\"abc1234\",\"isMeasured\":false,\"maxBusyShare\":0.0500," +
                "\"targets\":[" +
                "{\"id\":\"T1\",\"measure\":\"push 4 KiB, depth 1, p50\",\"unit\":\"us\",\"ours\":12.0000," +
                "\"min\":11.0000,\"max\":15.0000," +
                "\"baseline\":10.0000,\"bestPeer\":null,\"ratio\":1.2000,\"spread\":0.2500,\"target\":\"<= 1.3\"," +
                "\"met\":true,\"isMeasured\":true,\"machineBusyShare\":null,\"stealShare\":null,\"note\":\"\"," +
                "\"windows\":[11.0000,15.0000,12.0000]},")
            .contains("\"bestPeer\":2410.0000", "\"id\":\"T9\",\"measure\":\"freshness\",\"unit\":\"\",\"ours\":null",
                "\"met\":false,\"isMeasured\":false,\"machineBusyShare\":null,\"stealShare\":null," +
                "\"note\":\"failed: no server\",\"windows\":[]}",
                "\"met\":null,\"isMeasured\":true,\"machineBusyShare\":null,\"stealShare\":null," +
                "\"note\":\"1000 a second\",\"windows\":[]}]}",
                "\"machineBusyShare\":0.0400,\"stealShare\":0.0100,",
                "\"cpuSecondsPerGb\":3.2100,\"workerCpuSecondsPerGb\":1.2500,\"serverCpuSecondsPerGb\":1.9600}")
            .doesNotContain("\n");
    }

    @Test
    void shouldQuoteCellsOfCsvWhereNeeded()
    {
        assertThat(report.csv().split("\n")).containsExactly(
            "target,measure,unit,ours,min,max,baseline,bestPeer,ratio,spread,cpu,bound,met,machineBusyShare," +
                "stealShare,note",
            "T1,\"push 4 KiB, depth 1, p50\",us,12.0,11.0,15.0,10.0,,1.2,0.25,,<= 1.3,yes,,,",
            "T3,\"push 64 KiB, depth 8, goodput\",MB/s,500.0,400.0,510.0,1000.0,2410.0,0.5,0.2," +
                "1.25 + 1.96 s/GB,>= 0.75,no,0.04,0.01," +
            "\"best peer: a \"\"b\"\" | c\"",
            "T9,freshness,,,,,,,,,,-,no,,,failed: no server",
            ",\"raw echo, p50\",us,10.0,9.0,12.0,,,,0.2,,-,,,,1000 a second");
    }

    @Test
    void shouldEscapeBarsInMarkdown()
    {
        assertThat(report.markdown().split("\n"))
            .contains(
                "| target | measure | unit | ours | min | max | baseline | bestPeer | ratio | spread | cpu | bound |" +
                " met | machineBusyShare | stealShare | note |",
                "| T1 | push 4 KiB, depth 1, p50 | us | 12.0 | 11.0 | 15.0 | 10.0 | - | 1.20 | 0.25 | - | <= 1.3 |" +
                " yes | - | - |  |")
            .anySatisfy((line) -> assertThat(line).endsWith(
                "| 1.25 + 1.96 s/GB | >= 0.75 | no | 0.04 | 0.01 | best peer: a \"b\" \\| c |"));
    }

    @Test
    void shouldCallNoFigureMeasuredWhenTheMachineWasBusy()
    {
        final TargetReport busy = new TargetReport("load", Map.of(), MACHINE,
            List.of(MET.under(new MachineLoad(0.43, 0.01)), MISSED, FIGURE.under(new MachineLoad(0.43, 0.01)),
                TargetLine.failed("T9", "freshness", "no server").under(new MachineLoad(0.43, 0.01))));

        assertThat(busy.table())
            .containsPattern("T1 .* <= 1\\.3 +not measured  busy: others 43\\.0 %, steal 1\\.0 %\n")
            .containsPattern("T3 .* >= 0\\.75 +no  best peer")
            .containsPattern("raw echo.* busy: others 43\\.0 %, steal 1\\.0 %  1000 a second\n")
            .containsPattern("T9 .* no  failed: no server\n");
        assertThat(busy.json()).contains("\"isMeasured\":false,\"maxBusyShare\"",
            "\"met\":null,\"isMeasured\":false,\"machineBusyShare\":0.4300,\"stealShare\":0.0100,\"note\":\"\"");
        assertThat(busy.csv()).contains(",<= 1.3,not measured,0.43,0.01,\n");
        assertThat(busy.markdown()).contains("| <= 1.3 | not measured | 0.43 | 0.01 |", busy.advice() + ".\n");
        assertThat(busy.advice()).isEqualTo("2 of 4 figures are not measured, as the machine was busy: at worst " +
            "others 43.0 %, steal 1.0 %, where 5 % each are allowed; stop what else runs here, and measure again");
    }

    @Test
    void shouldAdviseAnotherMachineWhenOnlyItsHostWasBusy()
    {
        final TargetReport stolen =
            new TargetReport("load", Map.of(), MACHINE, List.of(MET.under(new MachineLoad(0.01, 0.2))));

        assertThat(stolen.advice()).endsWith("take a machine whose host has less to do, and measure again");
        assertThat(report.advice()).isEmpty();
    }

    @Test
    void shouldJudgeAFigureWhenTheLoadIsUnknown()
    {
        final TargetReport unknown = new TargetReport("load", Map.of(), MACHINE, List.of(MET));

        assertThat(unknown.table()).contains("machine at worst: others unknown, steal unknown\n")
            .containsPattern("T1 .* yes\n");
        assertThat(unknown.json()).contains("\"isMeasured\":true,\"maxBusyShare\"", "\"met\":true");
        assertThat(unknown.advice()).isEmpty();
    }
}
