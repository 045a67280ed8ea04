// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.CpuCost;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TrainingLinesTest
{
    @Test
    void shouldCompareWithThePlainThreadByMedians()
    {
        final List<TargetLine> lines = TrainingLines.of(64, new EnumMap<>(Map.of(
            TrainingSetup.PLAIN, List.of(rate(1_000), rate(1_100), rate(9_000)),
            TrainingSetup.ONE_SHARED, List.of(rate(550), rate(500), rate(600)))));

        assertThat(lines).extracting(TargetLine::measure).containsExactly(
            "batch 64: one plain thread", "batch 64: one plain thread, CPU for a million",
            "batch 64: 1 server, 1 worker, replay, one driver",
            "batch 64: 1 server, 1 worker, replay, one driver, CPU for a million");
        assertThat(lines.get(0).baseline()).isNaN();
        assertThat(lines.get(2).ratio()).isEqualTo(0.5);
        assertThat(lines.get(3).ours()).isEqualTo(Summary.of(2, 2, 2));
        assertThat(lines).as("of another batch").noneMatch(TargetLine::hasTarget);
    }

    @Test
    void shouldSayWhatBothSidesCostBesideARate()
    {
        final List<TargetLine> lines =
            TrainingLines.of(64, new EnumMap<>(Map.of(TrainingSetup.ONE_SHARED, List.of(rate(550)))));

        assertThat(lines.get(0).cost()).isEqualTo(new CpuCost(CpuCost.Unit.MILLION_EXAMPLES, 2, 1.5, 0.5));
        assertThat(lines.get(0).cost().text()).isEqualTo("1.50 + 0.50 s/Mex");
        assertThat(lines.get(1).cost()).isEqualTo(CpuCost.NONE);
    }

    @Test
    void shouldNotCallARateMeasuredWhenTheMachineWasBusyDuringItsBaseline()
    {
        final List<TargetLine> lines = TrainingLines.of(512, new EnumMap<>(Map.of(
            TrainingSetup.PLAIN, List.of(rate(1_000), new TrainingRate(900, 2, 0, Double.NaN, new MachineLoad(0.2, 0))),
            TrainingSetup.ONE_SHARED, List.of(rate(550)))));

        assertThat(lines).extracting(TargetLine::isMeasured).containsExactly(false, false, false, true);
    }

    @Test
    void shouldBoundEachSetupWithOneDriver()
    {
        final List<TargetLine> targets = targets(Map.of(
            TrainingSetup.PLAIN, List.of(rate(1_000)), TrainingSetup.ONE_INTERNAL, List.of(rate(900)),
            TrainingSetup.ONE_SHARED, List.of(rate(550)), TrainingSetup.TWO_SHARED, List.of(rate(390))));

        assertThat(targets).extracting(TargetLine::id).containsExactly("T15", "T15");
        assertThat(targets).extracting(TargetLine::ratio).containsExactly(0.55, 0.39);
        assertThat(targets).extracting(TargetLine::isMet).containsExactly(true, false);
        assertThat(targets(Map.of(TrainingSetup.ONE_SHARED, List.of(rate(550))))).as("without baseline").isEmpty();
    }

    @Test
    void shouldCompareFactorsWithFactors()
    {
        final List<TargetLine> targets = targets(Map.of(
            TrainingSetup.FACTORS_PLAIN, List.of(rate(9_000)), TrainingSetup.FACTORS_SHARED, List.of(rate(3_000)),
            TrainingSetup.PLAIN, List.of(rate(1_000)), TrainingSetup.ONE_SHARED, List.of(rate(550))));

        assertThat(targets).extracting(TargetLine::measure).containsExactly(
            "batch 512: 1 server, 1 worker, replay, one driver",
            "batch 512: matrix factorisation rank 16, 1 server, 1 worker, replay, one driver");
        assertThat(targets).extracting(TargetLine::ratio).containsExactly(0.55, 1.0 / 3);
    }

    @Test
    void shouldAddUpWhatWorkersSay()
    {
        final ClusterLoop loop = new ClusterLoop(training(), TrainingSetup.TWO_SHARED, 64);
        loop.onLine(0, progress(100));
        loop.onLine(1, progress(30));
        loop.onLine(0, progress(120));
        loop.onLine(1, new StatusLine(StatusLine.OUTAGE));

        assertThat(loop.total()).isEqualTo(150);
        assertThatThrownBy(() -> loop.onLine(1, new StatusLine(StatusLine.RESULT).with("examples", 1_000)))
            .hasMessageContaining("more --examples");
    }

    @Test
    void shouldTrainInOneThread()
    {
        final TrainingRate rate = training(
            "--window-seconds=1", "--warmup-seconds=0", "--examples=2000", "--features=1024").trainPlain(64);

        assertThat(rate.examplesPerSecond()).isPositive();
        assertThat(rate.cpuSeconds()).isPositive();
    }

    private static TrainingRun training(final String... options)
    {
        return Measurement.of(new TrainingRun(), options);
    }

    private static List<TargetLine> targets(final Map<TrainingSetup, List<TrainingRate>> results)
    {
        return TrainingLines.of(TrainingLines.TARGET_BATCH, new EnumMap<>(results)).stream()
            .filter(TargetLine::hasTarget).toList();
    }

    private static TrainingRate rate(final double examplesPerSecond)
    {
        return new TrainingRate(examplesPerSecond, 2, 0.5, Double.NaN, MachineLoad.UNKNOWN);
    }

    private static StatusLine progress(final long examples)
    {
        return new StatusLine(StatusLine.PROGRESS).with("examples", examples);
    }
}
