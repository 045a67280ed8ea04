// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.driver.DriverProfile;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.training.ClickLog;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TrainingReportTest
{
    @Test
    void shouldCompareWithThePlainThreadByMedians()
    {
        final Map<Shape, List<Pace>> shapes = new EnumMap<>(Shape.class);
        shapes.put(Shape.PLAIN, List.of(pace(1_000), pace(1_100), pace(9_000)));
        shapes.put(Shape.ONE_SHARED, List.of(pace(550), pace(500), pace(600)));
        final TrainingReport report = new TrainingReport(settings(64), Map.of(64, shapes));

        assertThat(report.table()).contains("batch 64", "one plain thread", "1100 (1000..9000)", "550 (500..600)",
            "0.500", "2.00 (2.00..2.00)");
        assertThat(report.json()).doesNotContain("\n").contains("\"measurement\":\"train\"", "\"batch\":64",
            "\"oneShared\":{\"examplesPerSecond\":{\"median\":550.0000,", "\"ratio\":0.5000");
    }

    @Test
    void shouldHaveALineOfTheTargetForEachShapeWithOneDriver()
    {
        final Map<Shape, List<Pace>> shapes = new EnumMap<>(Shape.class);
        shapes.put(Shape.PLAIN, List.of(pace(1_000)));
        shapes.put(Shape.ONE_INTERNAL, List.of(pace(900)));
        shapes.put(Shape.ONE_SHARED, List.of(pace(550)));
        shapes.put(Shape.TWO_SHARED, List.of(pace(390)));

        final TrainingReport report = new TrainingReport(settings(512), Map.of(512, shapes));

        assertThat(report.targets()).extracting(TargetLine::ratio).containsExactly(0.55, 0.39);
        assertThat(report.targets()).extracting(TargetLine::isMet).containsExactly(true, false);
        assertThat(report.json()).contains("\"targets\":[{\"id\":\"T15\",");
        assertThat(report.table()).containsPattern("T15 .* 1 worker, replay, one driver +ex/s +550\\.0 +1000 ");
        assertThat(new TrainingReport(settings(64), Map.of(64, shapes)).targets()).isEmpty();
    }

    @Test
    void shouldCompareFactorsWithFactors()
    {
        final Map<Shape, List<Pace>> shapes = new EnumMap<>(Shape.class);
        shapes.put(Shape.FACTORS_PLAIN, List.of(pace(9_000)));
        shapes.put(Shape.FACTORS_SHARED, List.of(pace(3_000)));
        final TrainingReport alone = new TrainingReport(settings(512), Map.of(512, Map.copyOf(shapes)));
        shapes.put(Shape.PLAIN, List.of(pace(1_000)));
        shapes.put(Shape.ONE_SHARED, List.of(pace(550)));
        final TrainingReport both = new TrainingReport(settings(512), Map.of(512, shapes));

        assertThat(both.targets()).extracting(TargetLine::measure).containsExactly(
            "batch 512: 1 server, 1 worker, replay, one driver",
            "matrix factorisation rank 16, batch 512: 1 server, 1 worker, replay, one driver");
        assertThat(both.targets()).extracting(TargetLine::ratio).containsExactly(0.55, 1.0 / 3);
        assertThat(both.targets()).extracting(TargetLine::isMet).containsExactly(true, false);
        assertThat(both.table()).contains("sparse logistic regression, batch 512",
            "matrix factorisation rank 16, batch 512", "9000 (9000..9000)   1.000", "3000 (3000..3000)   0.333");
        assertThat(both.json()).contains("\"factorsOneShared\":{\"examplesPerSecond\":{\"median\":3000.0000,");
        assertThat(alone.targets()).hasSize(1);
        assertThat(alone.table()).doesNotContain("regression");
    }

    @Test
    void shouldAddUpWhatWorkersSay()
    {
        final ClusterLoop loop = new ClusterLoop(settings(64), Shape.TWO_SHARED, 64);
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
        final Pace pace = PlainLoop.run(settings(64),
            new ClickLog(ClickLog.Spec.defaults(1).withExamples(2_000).withFeatures(1_024)).train(0, 1), 64);

        assertThat(pace.examplesPerSecond()).isPositive();
        assertThat(pace.cpuSeconds()).isPositive();
    }

    @Test
    void shouldRefuseSettingsOutOfRange()
    {
        assertThatThrownBy(() -> settings(0)).hasMessageContaining("invalid --batch=[0]");
        assertThatThrownBy(() -> new TrainingSettings(1, List.of(64), 100, 1_024, 1, 0, DriverProfile.DEV, null))
            .hasMessageContaining("invalid --window=0");
        assertThatThrownBy(() ->
            new TrainingSettings(1, List.of(64), 100, 1_024, 1, 1, DriverProfile.DEV, Path.of("kept")))
            .hasMessageContaining("invalid --dir=kept");
    }

    private static TrainingSettings settings(final int batch)
    {
        return new TrainingSettings(3, List.of(batch), 2_000, 1_024, 0, 1, DriverProfile.DEV, null);
    }

    private static Pace pace(final double examplesPerSecond)
    {
        return new Pace(examplesPerSecond, 2);
    }

    private static StatusLine progress(final long examples)
    {
        return new StatusLine(StatusLine.PROGRESS).with("examples", examples);
    }
}
