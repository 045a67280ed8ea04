/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli.train;

import java.util.List;
import java.util.regex.Pattern;

import io.gradstream.launcher.kills.KillSchedule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TrainSummaryTest
{
    private static final List<String> FIELDS = List.of(
        "job", "data", "examples", "features", "passes", "workers", "servers", "coordinators", "partitions",
        "mode", "profile", "driver",
        "accuracy", "auc", "logloss", "pushesSent", "pushesApplied", "pushesLost", "pushesDoubled", "pushesAltered",
        "kills",
        "outstandingInOutage", "serviceGapMs", "elections", "electionGapMs", "failovers", "spuriousFailovers", "epochs",
        "degradedMs",
        "pushesRefused", "rowsNotFinite", "spoolPeakBytes", "workerBusyRatio",
        "staleness", "stalenessMax", "stalenessMean", "waitRatio", "logBytesPerPush", "pushP50Us", "pushP99Us",
        "pullP50Us", "pullP99Us", "seconds", "examplesPerSecond", "parametersSha256",
        "model", "function", "rmse", "evaluations", "bestMetric", "bestValue", "bestBatches", "stoppedEarly", "saved",
        "saveProblem");

    @Test
    void shouldNameTheFieldsInTheirOrder()
    {
        final List<String> names = Pattern.compile("\"(\\w+)\":").matcher(new TrainSummary().json()).results()
            .map((result) -> result.group(1))
            .toList();

        assertThat(names).isEqualTo(FIELDS);
    }

    @Test
    void shouldWriteNumbersListsAndText()
    {
        final TrainSummary summary = new TrainSummary();
        summary.data = "a \"b\"\\c.txt";
        summary.examplesTrained = 30;
        summary.seconds = 2;
        summary.outages = List.of(new KillSchedule.Outage(7, 1200, 3), new KillSchedule.Outage(8, 900, 1));
        summary.epochs = List.of(2L, 1L);

        assertThat(summary.json())
            .contains("\"data\":\"a \\\"b\\\"\\\\c.txt\"")
            .contains("\"kills\":2,\"outstandingInOutage\":[3,1],\"serviceGapMs\":[1200,900]")
            .contains("\"epochs\":[2,1]", "\"workerBusyRatio\":null")
            .contains("\"examplesPerSecond\":15.000000")
            .doesNotContain("\n");
    }

    @Test
    void shouldWriteNullWhenANumberIsNotFinite()
    {
        final TrainSummary summary = new TrainSummary();
        summary.pullP50Us = Double.NaN;

        assertThat(summary.json()).contains("\"pullP50Us\":null");
    }

    @Test
    void shouldTellEachKillToAPerson()
    {
        final TrainSummary summary = new TrainSummary();
        summary.outages = List.of(new KillSchedule.Outage(7, 1200, 3));

        assertThat(summary.text()).contains("kill 1", "1200 ms", "3 pushes outstanding");
    }

    @Test
    void shouldTellOfOutagesOnlyWhereSomethingFailed()
    {
        final TrainSummary summary = new TrainSummary();
        summary.workerBusyRatio = 0.5;

        assertThat(summary.text()).doesNotContain("outages");

        summary.failovers = 1;

        assertThat(summary.text()).contains("outages     workers could go on for 50.0 % of them");
    }

    @Test
    void shouldTellThatWeightsAreNotFiniteIfTheyAre()
    {
        final TrainSummary summary = new TrainSummary();
        assertThat(summary.text()).doesNotContain("NOT FINITE");
        summary.rowsNotFinite = 12;

        assertThat(summary.text()).contains("NOT FINITE  12 weights are infinite or NaN");
        assertThat(summary.json()).contains("\"rowsNotFinite\":12");
    }

    @Test
    void shouldTellHowLongNobodyLed()
    {
        final TrainSummary summary = new TrainSummary();
        summary.coordinators = 3;
        summary.elections = 2;
        summary.electionGapsMs = List.of(1800L, 700L);

        assertThat(summary.text()).contains("coordinators: 3", "election 1", "1800 ms", "election 2", "700 ms");
        assertThat(summary.json()).contains("\"coordinators\":3", "\"elections\":2,\"electionGapMs\":[1800,700]");
    }
}
