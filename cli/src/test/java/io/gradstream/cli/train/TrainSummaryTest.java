// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.gradstream.launcher.kills.Outage;
import io.gradstream.training.model.BaseRate;
import io.gradstream.worker.filter.FilterCounts;
import io.gradstream.worker.filter.PushFilter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TrainSummaryTest
{
    private static final List<String> FIELDS = List.of(
        "job", "data", "examples", "features", "passes", "workers", "workersAdded", "addedWorkerBatches", "servers",
        "coordinators", "partitions",
        "placesMoved", "placesTotal", "partitionsMoved", "partitionsTotal", "movePauseMs", "goodputShare", "faults",
        "mode", "profile", "driver", "model", "function",
        "elections", "electionGapMs", "failovers", "spuriousFailovers", "epochs", "degradedMs",
        "slotsReplaced", "pushesLeftOut", "pushesRefused", "nonFiniteRows", "maxUnackedBytes", "keyBytesSaved",
        "workerUtilization", "logBytesPerPush", "parametersSha256",
        "evaluations", "bestMetric", "bestValue", "bestBatches", "stoppedEarly", "saved", "saveProblem",
        "accuracy", "auc", "logloss", "rmse", "baseRateLoss", "worseThanBaseRate", "diverged",
        "pushesSent", "pushesApplied", "pushesLost", "duplicatedPushes", "corruptedPushes", "pushCountsUnknown",
        "kills", "inFlightAtFailure", "unavailableMs",
        "staleness", "maxStaleness", "stalenessMean", "stalenessWaitRatio", "cachedRows", "fetchedRows",
        "pushP50Us", "pushP99Us", "pullP50Us", "pullP99Us", "seconds", "warmupSeconds", "examplesPerSecond",
        // as they were named before
        "outstandingInOutage", "pushesAltered", "pushesDoubled", "rowsNotFinite",
        "serviceGapMs", "spoolPeakBytes", "stalenessMax", "waitRatio", "workerBusyRatio");

    @Test
    void shouldNameTheFieldsInTheirOrder()
    {
        final List<String> names = Pattern.compile("\"(\\w+)\":").matcher(new TrainSummary().json()).results()
            .map((result) -> result.group(1))
            .toList();

        assertThat(names).isEqualTo(FIELDS);
    }

    @Test
    void shouldSayWhichShareTheWorkersThatJoinedHave()
    {
        final TrainSummary summary = new TrainSummary();
        assertThat(summary.text()).doesNotContain("joined");
        summary.workersAdded = 2;
        summary.addedWorkerBatches = List.of(34L, 20L);

        assertThat(summary.text()).contains("joined      2 workers, with 34, 20 batches");
        assertThat(summary.json()).contains("\"workersAdded\":2,\"addedWorkerBatches\":[34,20]");
    }

    @Test
    void shouldSayWhatFiltersHaveLeftOut()
    {
        final TrainSummary summary = new TrainSummary();
        assertThat(summary.text()).doesNotContain("filter");
        summary.filters = List.of(PushFilter.significant(0.1), PushFilter.randomSkip(0.5), PushFilter.kkt(1));
        summary.filtered = new FilterCounts(10, 32, 20, 80, 30, 120);
        summary.rowsHeldLost = 3;

        assertThat(summary.text()).contains("filter      significant:0.1:8: 10 rows held back, 32 bytes of gradients" +
            " saved; about 3 rows were lost with workers that held them", "filter      skip:0.5: 20 rows skipped, 80" +
            " bytes of gradients saved", "filter      kkt:1.0: 30 rows at 0 left out, 120 bytes of gradients saved");
        assertThat(summary.json()).contains("\"filters\":[\"significant:0.1:8\",\"skip:0.5\",\"kkt:1.0\"]," +
            "\"rowsHeld\":10,\"heldBytesSaved\":32,\"rowsSkipped\":20,\"skippedBytesSaved\":80," +
            "\"rowsAtZero\":30,\"zeroBytesSaved\":120,\"rowsHeldLost\":3");
    }

    @Test
    void shouldWriteNumbersListsAndText()
    {
        final TrainSummary summary = new TrainSummary();
        summary.data = "a \"b\"\\c.txt";
        summary.speed = new Speed(9, 90, Double.NaN, 80, 2, 1, 15);
        summary.outages = List.of(new Outage(7, 1200, 3), new Outage(8, 900, 1));
        summary.epochs = List.of(2L, 1L);

        assertThat(summary.json())
            .contains("\"data\":\"a \\\"b\\\"\\\\c.txt\"")
            .contains("\"kills\":2,\"inFlightAtFailure\":[3,1],\"unavailableMs\":[1200,900]")
            .contains("\"outstandingInOutage\":[3,1]", "\"serviceGapMs\":[1200,900]")
            .contains("\"epochs\":[2,1]", "\"workerUtilization\":null")
            .contains("\"examplesPerSecond\":15.000000")
            .doesNotContain("\n");
    }

    @Test
    void shouldWriteNullWhenANumberIsNotFinite()
    {
        final TrainSummary summary = new TrainSummary();
        summary.speed = new Speed(1, 2, Double.NaN, 4, 5, 6, 7);

        assertThat(summary.json()).contains("\"pullP50Us\":null");
    }

    @Test
    void shouldSayAfterWhichWarmUpItMeasured()
    {
        final TrainSummary summary = new TrainSummary();
        assertThat(summary.text()).doesNotContain("warmed up");

        summary.speed = new Speed(1, 2, 3, 4, 10, 4.25, 5000);

        assertThat(summary.text()).containsPattern("latency .*\\), after 4.3 s in which the JVMs warmed up\n")
            .containsPattern("speed +5000 examples/s, after 4.3 s in which the JVMs warmed up; 10.0 s in all\n");
    }

    @Test
    void shouldTellEachKillToAPerson()
    {
        final TrainSummary summary = new TrainSummary();
        summary.outages = List.of(new Outage(7, 1200, 3));

        assertThat(summary.text()).contains("kill 1", "1200 ms", "3 pushes outstanding");
    }

    @Test
    void shouldTellInALineWhatMovedAndWhatWasKept()
    {
        final TrainSummary summary = new TrainSummary();
        assertThat(summary.text()).doesNotContain("moved", "goodput", "chaos");
        assertThat(summary.json()).contains("\"goodputShare\":null", "\"faults\":{}", "\"movePauseMs\":[]");

        summary.placesMoved = 5;
        summary.partitionsMoved = 4;
        summary.partitionsTotal = 8;
        summary.movePauseMs = List.of(12L, 40L);
        summary.goodputShare = 0.875;
        summary.faults = new TreeMap<>(Map.of("killServer", 2, "stopWorker", 1));

        assertThat(summary.text())
            .contains("moved       5 places, of 4 of 8 partitions; leads moved within 12, 40 ms")
            .contains("goodput     87.5 % of the examples/s before the first fault or move")
            .contains("chaos       2 x kill server, 1 x stop worker");
        assertThat(summary.json()).contains("\"faults\":{\"killServer\":2,\"stopWorker\":1}");
    }

    @Test
    void shouldTellOfOutagesOnlyWhereSomethingFailed()
    {
        final TrainSummary summary = new TrainSummary();
        summary.workerUtilization = 0.5;

        assertThat(summary.text()).doesNotContain("outages");

        summary.failovers = 1;

        assertThat(summary.text()).contains("outages     workers could go on for 50.0 % of them");
    }

    @Test
    void shouldTellThatWeightsAreNotFiniteIfTheyAre()
    {
        final TrainSummary summary = new TrainSummary();
        assertThat(summary.text()).doesNotContain("NOT FINITE");
        summary.nonFiniteRows = 12;

        assertThat(summary.text()).contains("NOT FINITE  12 weights are infinite or NaN");
        assertThat(summary.json()).contains("\"nonFiniteRows\":12");
    }

    @Test
    void shouldTellAMetricThatIsNotDefinedWithTheReason()
    {
        final TrainSummary summary = new TrainSummary();
        summary.metrics = Map.of("auc", Double.NaN, "log-loss", 0.25);
        summary.undefined = Map.of("auc", "all 100 labels are 1");
        summary.testExamples = 100;

        assertThat(summary.text())
            .contains("test        AUC n/a (all 100 labels are 1), logloss 0.2500 on 100 examples");
        assertThat(summary.json()).contains("\"auc\":null", "\"logloss\":0.250000");
        assertThat(TrainSummary.metrics(summary.metrics)).isEqualTo("AUC n/a, logloss 0.2500");
    }

    @Test
    void shouldTellTheLossOfTheBaseRateBesideTheModels()
    {
        final TrainSummary summary = new TrainSummary();
        summary.baseRate =
            new BaseRate("log-loss", 0.5, 0.693, "always predicting the share of label 1 in training, 0.2000");
        summary.advice = "with X: use a lower --alpha";
        summary.metrics = Map.of("log-loss", 0.4);

        assertThat(summary.text())
            .contains("base rate   logloss 0.5000, always predicting the share of label 1 in training, 0.2000")
            .doesNotContain("WORSE", "ABSURD");
        assertThat(summary.json()).contains("\"baseRateLoss\":0.500000,\"worseThanBaseRate\":false");

        summary.metrics = Map.of("log-loss", 0.75);
        assertThat(summary.text()).contains("WORSE       logloss 0.7500 is above that of the base rate: the model is" +
            " worse than none, trained with X: use a lower --alpha, or more --passes").doesNotContain("ABSURD");
        assertThat(summary.json()).contains("\"worseThanBaseRate\":true,\"diverged\":false");

        summary.metrics = Map.of("log-loss", 5.0);
        assertThat(summary.text()).doesNotContain("ABSURD");
        summary.metrics = Map.of("log-loss", 5.01);
        assertThat(summary.text()).contains("ABSURD      logloss 5.0100 is more than 10 times that of the base rate:" +
            " training has diverged with X: use a lower --alpha").doesNotContain("WORSE");
        assertThat(summary.json()).contains("\"worseThanBaseRate\":true,\"diverged\":true");
    }

    @Test
    void shouldNotCallAModelDivergedThatIsBetterThanGuessing()
    {
        final TrainSummary summary = new TrainSummary();
        summary.baseRate = new BaseRate("log-loss", 0.008, 0.693, "always predicting 0.0010");
        summary.advice = "with X: use a lower --alpha";
        summary.metrics = Map.of("log-loss", 0.09);

        assertThat(summary.text()).contains("WORSE").doesNotContain("ABSURD");
        assertThat(summary.json()).contains("\"worseThanBaseRate\":true,\"diverged\":false");
    }

    @Test
    void shouldTellABaseRateThatIsNotDefined()
    {
        final TrainSummary summary = new TrainSummary();
        summary.baseRate = new BaseRate("log-loss", Double.NaN, 0.693, "no training example has label 1");
        summary.metrics = Map.of("log-loss", 0.75);

        assertThat(summary.text()).contains("base rate   logloss n/a (no training example has label 1)")
            .doesNotContain("WORSE");
        assertThat(summary.json()).contains("\"baseRateLoss\":null,\"worseThanBaseRate\":false");
    }

    @Test
    void shouldTellInOneSentenceThatTrainingHasDiverged()
    {
        final TrainSummary summary = new TrainSummary();
        summary.baseRate = new BaseRate("rmse", 90, 0, "always predicting the mean of the training labels, 150");
        summary.metrics = Map.of("rmse", 4.2e35);
        summary.divergence = "the gradient of feature 1 is Infinity after 3 batches of slot 0";
        summary.advice = "with X: use a lower --rate, or --clip 1";

        assertThat(summary.isFinite()).isFalse();
        assertThat(summary.text()).contains("rmse 4.20e+35 on", "NOT FINITE  the gradient of feature 1 is Infinity" +
            " after 3 batches of slot 0: training has diverged with X: use a lower --rate, or --clip 1")
            .doesNotContain("ABSURD", "WORSE");
        assertThat(summary.json()).contains("\"diverged\":true");

        summary.nonFiniteRows = 12;
        summary.metrics = Map.of();
        assertThat(summary.text()).contains("NOT FINITE  12 weights are infinite or NaN, and the gradient of",
            "test        n/a (scores are not finite) on");
    }

    @Test
    void shouldTellHowLongNobodyLed()
    {
        final TrainSummary summary = new TrainSummary();
        summary.coordinators = 3;
        summary.elections = 2;
        summary.electionGapMs = List.of(1800L, 700L);

        assertThat(summary.text()).contains("coordinators: 3", "election 1", "1800 ms", "election 2", "700 ms");
        assertThat(summary.json()).contains("\"coordinators\":3", "\"elections\":2,\"electionGapMs\":[1800,700]");
    }
}
