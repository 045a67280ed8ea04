// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.CpuCost;
import io.gradstream.perf.report.TargetLine;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class LoadLinesTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final CpuCost COST = CpuCost.of(CpuCost.Unit.GIGABYTE, 1, 2);
    private static final MachineLoad BUSY = new MachineLoad(0.3, 0);
    private static final MachineLoad QUIET = new MachineLoad(0.01, 0.02);

    @Test
    void shouldBoundOnlyTheSizesThatATargetAsksFor()
    {
        assertThat(targets(4 << 10, false)).extracting(TargetLine::measure).containsExactly(
            "push 4 KiB, depth 1, p50", "pull 4 KiB, depth 1, p50", "chain: push 4 KiB until replicated, p50");
        assertThat(targets(4 << 10, false)).extracting(TargetLine::id).containsExactly("T1", "T2", "T14");
        assertThat(targets(4 << 10, false)).extracting(TargetLine::bound)
            .containsExactly(Bound.atMost(1.3), Bound.atMost(1.3), Bound.atMost(3));
        assertThat(targets(64 << 10, false)).extracting(TargetLine::measure).containsExactly(
            "push 64 KiB, depth 8, goodput", "pull 64 KiB, depth 8, goodput", "chain: push 64 KiB, depth 8, goodput");
        assertThat(targets(64 << 10, false)).extracting(TargetLine::bound)
            .containsExactly(Bound.atLeast(0.75), Bound.atLeast(0.75), Bound.atLeast(0.5));
        assertThat(targets(1 << 20, false)).extracting(TargetLine::id).containsExactly("T3", "T4");
        assertThat(targets(8 << 10, false)).isEmpty();
    }

    @Test
    void shouldDivideByWhatWasMeasuredBesideIt()
    {
        final List<TargetLine> small = targets(4 << 10, false);
        final List<TargetLine> large = targets(64 << 10, false);

        assertRatio(small.get(0), Measure.PUSH_APPLIED, Measure.RAW_ECHO);
        assertRatio(small.get(1), Measure.PULL, Measure.RAW_ECHO);
        assertRatio(small.get(2), Measure.CHAIN_REPLICATED, Measure.RAW_ECHO_BESIDE_CHAIN);
        assertRatio(large.get(0), Measure.PUSH_DEPTH_8, Measure.RAW_STREAM);
        assertRatio(large.get(1), Measure.PULL_DEPTH_8, Measure.RAW_STREAM);
        assertRatio(large.get(2), Measure.CHAIN_DEPTH_8, Measure.PUSH_DEPTH_8_BESIDE_CHAIN);
    }

    @Test
    void shouldHaveOnlyTheTargetOfOneDriverWhenItIsShared()
    {
        assertThat(targets(64 << 10, true)).isEmpty();
        final List<TargetLine> lines = targets(4 << 10, true);

        assertThat(lines).extracting(TargetLine::measure).containsExactly("one driver: push 4 KiB, depth 1, p50");
        assertThat(lines).extracting(TargetLine::id).containsExactly("T7");
        assertThat(lines).extracting(TargetLine::bound).containsExactly(Bound.atMost(1.5));
        assertRatio(lines.get(0), Measure.PUSH_APPLIED, Measure.RAW_ECHO);
    }

    @Test
    void shouldHaveAFigureOfAMeasureWithoutItsBaseline()
    {
        final List<TargetLine> lines =
            LoadLines.of(result(4 << 10, Set.of(Measure.PUSH_APPLIED, Measure.RAW_STREAM)), false);

        assertThat(lines).noneMatch(TargetLine::hasTarget).allMatch((line) -> Double.isNaN(line.baseline()));
        assertThat(lines).extracting(TargetLine::measure).containsExactly(
            "raw one way 4 KiB, goodput", "push 4 KiB, depth 1, p50", "push 4 KiB, depth 1, goodput",
            "push 4 KiB, depth 1, p99");
    }

    @Test
    void shouldTellOfTheRateAndOfBusyCores()
    {
        final List<TargetLine> lines = LoadLines.of(result(4 << 10, Measure.all(true)), false);

        assertThat(lines).filteredOn((line) -> line.measure().equals("pull 4 KiB, at rate, p50"))
            .extracting(TargetLine::note).containsExactly("100 a second");
        assertThat(lines).filteredOn((line) -> line.measure().equals("chain: push 4 KiB, depth 8, goodput"))
            .singleElement().extracting(TargetLine::note).asString()
            .startsWith("cores: worker 0.50, servers 1.00 0.25 of ");
        assertThat(lines).filteredOn((line) -> line.measure().equals(
            "chain: push 4 KiB, depth 8, goodput / raw one way 4 KiB")).hasSize(1);
    }

    @Test
    void shouldSayWhatARateCosts()
    {
        final List<TargetLine> lines =
            LoadLines.of(result(4 << 10, Set.of(Measure.PUSH_APPLIED, Measure.PULL)), false);

        assertThat(lines).filteredOn((line) -> line.cost().isKnown()).singleElement().satisfies((line) ->
        {
            assertThat(line.measure()).isEqualTo("push 4 KiB, depth 1, goodput");
            assertThat(line.cost()).isEqualTo(COST);
        });
    }

    @Test
    void shouldHaveTheWorstLoadOfAMeasureAndItsBaseline()
    {
        final List<TargetLine> lines =
            LoadLines.of(result(4 << 10, Set.of(Measure.RAW_ECHO, Measure.PULL)), false);

        assertThat(lines).filteredOn((line) -> line.measure().equals("pull 4 KiB, depth 1, p50"))
            .extracting(TargetLine::machine).containsExactly(new MachineLoad(0.3, 0.02));
        assertThat(LoadLines.of(result(4 << 10, Set.of(Measure.PULL)), false))
            .extracting(TargetLine::machine).containsOnly(QUIET);
    }

    @Test
    void shouldAddUpProcessorTimeOfAllWindowsForAGigabyte()
    {
        final List<Sample> windows = List.of(
            new Sample(1_000, 1_000_000, SECOND_NS, 1, 1), new Sample(500, 1_000_000, SECOND_NS / 2, 1, 1));

        assertThat(CostMeter.cost(windows,
            List.of(new CpuLoad(0.5, List.of(1.0, 0.25)), new CpuLoad(1, List.of(0.5, 0.75)))))
            .isEqualTo(CpuCost.of(CpuCost.Unit.GIGABYTE, 1 / 1.5, 1.875 / 1.5));
        final List<CpuLoad> workerAlone = List.of(new CpuLoad(0.5, List.of()), new CpuLoad(1, List.of()));
        assertThat(CostMeter.cost(windows, workerAlone).text()).as("servers of somebody else")
            .isEqualTo("0.67 + ? s/GB");
    }

    private static List<TargetLine> targets(final int size, final boolean isSharing)
    {
        return LoadLines.of(result(size, Measure.all(true)), isSharing).stream().filter(TargetLine::hasTarget).toList();
    }

    /** As p50 and transfers a second of each measure are in proportion to its number. */
    private static void assertRatio(final TargetLine line, final Measure ours, final Measure baseline)
    {
        assertThat(line.ratio())
            .isCloseTo((ours.ordinal() + 1.0) / (baseline.ordinal() + 1), Offset.offset(1e-9));
    }

    private static SizeResult result(final int size, final Set<Measure> measures)
    {
        final Map<Measure, Series> series = new EnumMap<>(Measure.class);
        for (final Measure measure : measures)
        {
            final int number = measure.ordinal() + 1;
            final double latencyNs = Measure.RAW_STREAM == measure ? Double.NaN : 10_000.0 * number;
            series.put(measure, Series.of(
                List.of(new Sample(100L * number, 1_000, SECOND_NS, latencyNs, 2 * latencyNs))));
        }

        return new SizeResult(size, 100, series,
            Map.of(Measure.CHAIN_DEPTH_8, new CpuLoad(0.5, List.of(1.0, 0.25))), Map.of(),
            Map.of(Measure.PUSH_APPLIED, COST), Map.of(Measure.RAW_ECHO, BUSY, Measure.PULL, QUIET));
    }
}
