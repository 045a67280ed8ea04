// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.load.LoadReport.SizeResult;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.TargetLine;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class LoadTargetsTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldHaveALineOfEachTargetAndSizeWhenAllWasMeasured()
    {
        final List<TargetLine> lines = LoadTargets.of(settings(false), List.of(
            result(4 << 10, Measure.all(true)), result(64 << 10, Measure.all(true)),
            result(1 << 20, Measure.all(true))));

        assertThat(lines).extracting(TargetLine::id)
            .containsExactly("T1", "T2", "T3", "T3", "T4", "T4", "T14", "T14");
        assertThat(lines).extracting(TargetLine::measure).containsExactly(
            "push 4 KiB, depth 1, p50", "pull 4 KiB, depth 1, p50",
            "push 64 KiB, depth 8, goodput", "push 1 MiB, depth 8, goodput",
            "pull 64 KiB, depth 8, goodput", "pull 1 MiB, depth 8, goodput",
            "chain: push 4 KiB until replicated, p50", "chain: push 64 KiB, depth 8, goodput");
        assertThat(lines).extracting(TargetLine::bound).containsExactly(
            Bound.atMost(1.3), Bound.atMost(1.3), Bound.atLeast(0.75), Bound.atLeast(0.75), Bound.atLeast(0.75),
            Bound.atLeast(0.75), Bound.atMost(3), Bound.atLeast(0.5));
        assertRatio(lines.get(0), Measure.PUSH_APPLIED, Measure.RAW_ECHO);
        assertRatio(lines.get(2), Measure.PUSH_DEPTH_8, Measure.RAW_STREAM);
        assertRatio(lines.get(4), Measure.PULL_DEPTH_8, Measure.RAW_STREAM);
        assertRatio(lines.get(6), Measure.CHAIN_REPLICATED, Measure.RAW_ECHO_BESIDE_CHAIN);
        assertRatio(lines.get(7), Measure.CHAIN_DEPTH_8, Measure.PUSH_DEPTH_8_BESIDE_CHAIN);
    }

    @Test
    void shouldHaveOnlyTheTargetOfOneDriverWhenItIsShared()
    {
        final List<TargetLine> lines = LoadTargets.of(settings(true), List.of(
            result(4 << 10, Measure.all(true)), result(64 << 10, Measure.all(true))));

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).id()).isEqualTo("T7");
        assertThat(lines.get(0).bound()).isEqualTo(Bound.atMost(1.5));
        assertRatio(lines.get(0), Measure.PUSH_APPLIED, Measure.RAW_ECHO);
    }

    @Test
    void shouldHaveNoLineOfWhatWasNotMeasured()
    {
        assertThat(LoadTargets.of(settings(false), List.of(result(4 << 10, Set.of(Measure.PUSH_APPLIED)),
            result(8 << 10, Measure.all(true))))).isEmpty();
    }

    /** As p50 and transfers a second of each measure are in proportion to its number. */
    private static void assertRatio(final TargetLine line, final Measure ours, final Measure baseline)
    {
        assertThat(line.ratio())
            .isCloseTo((ours.ordinal() + 1.0) / (baseline.ordinal() + 1), Offset.offset(1e-9));
    }

    private static LoadSettings settings(final boolean isSharing)
    {
        return new LoadSettings(List.of(4096), Measure.all(true), 1, SECOND_NS, 0, 0, 1 << 20,
            new LoadSettings.Cluster(null, 1, 1, DriverProfile.DEV, 8192, isSharing, Path.of(".")));
    }

    private static SizeResult result(final int size, final Set<Measure> measures)
    {
        final Map<Measure, Series> series = new EnumMap<>(Measure.class);
        for (final Measure measure : measures)
        {
            final int number = measure.ordinal() + 1;
            series.put(measure, Series.of(measure,
                List.of(new Sample(100L * number, 1_000, SECOND_NS, 10_000.0 * number, 20_000.0 * number))));
        }

        return new SizeResult(size, 100, series, Map.of(), Map.of());
    }
}
