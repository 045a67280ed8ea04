// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Texts of {@code /proc} as a machine of two processors had them, and what is made of them. */
class MachineLoadTest
{
    private static final String BEGIN = """
        cpu  4438888 1253295 872380 2359801 7634 0 39728 33185 0 0
        cpu0 2122882 631276 412917 1230131 1944 0 17703 15624 0 0
        intr 141017762 0 0 0
        ctxt 512
        """;
    private static final String INIT = "1 (process_api) S 0 0 0 0 -1 4194560 91335 340505009 0 24536 968 1400 " +
        "5610149 867687 10 -10 12 0 14 39964672 2717 18446744073709551615 1 1 0 0 0 0 0 4096 1256 0 0 0 17 0 0 0 0 0 0";
    private static final String KERNEL = "71 (kdamond.0) I 2 0 0 0 -1 2129984 0 0 0 0 0 41464 0 0 20 0 1 0 127 0 0 " +
        "18446744073709551615 0 0 0 0 0 0 0 2147483647 0 1 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0";

    private static final long OBSERVER = 100;
    private static final long SERVER = 101;
    private static final long SERVERS_CHILD = 102;
    private static final long COMPILER = 200;
    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    private final MachineTimes begin = times(BEGIN, List.of(
        process(OBSERVER, 1, 500, 10), process(SERVER, OBSERVER, 300, 0), process(SERVERS_CHILD, SERVER, 5, 0),
        process(COMPILER, 1, 4_000, 70)));

    @Test
    void shouldReadWhatTheSystemTellsOfAProcess()
    {
        assertThat(ProcessTicks.parse(INIT)).isEqualTo(new ProcessTicks(1, 0, false, 2_368, 6_477_836));
        assertThat(ProcessTicks.parse(KERNEL)).isEqualTo(new ProcessTicks(71, 2, true, 41_464, 0));
        assertThat(ProcessTicks.parse(KERNEL.replace("(kdamond.0)", "(a ) b (c)"))).as("a name with brackets")
            .isEqualTo(new ProcessTicks(71, 2, true, 41_464, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> ProcessTicks.parse("71 (x) I 2"));
    }

    @Test
    void shouldReadWhatTheSystemTellsOfItsProcessors()
    {
        assertThat(begin.all()).isEqualTo(9_004_911);
        assertThat(begin.running()).isEqualTo(6_564_563);
        assertThat(begin.stolen()).isEqualTo(33_185);
        assertThat(begin.own()).as("ended children too").isEqualTo(815);
        assertThat(begin.kernel()).isEqualTo(41_464);
        assertThat(begin.others()).containsOnlyKeys(1L, COMPILER).containsEntry(COMPILER, 4_000L);
        assertThatIllegalArgumentException().isThrownBy(() -> times("intr 1 2 3\n", List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> times("cpu  1 2 3 4\n", List.of()));
    }

    @Test
    void shouldNotCountWhatTheProcessesOfTheMeasureTook()
    {
        // 900 of 1,000 ticks are used, all by processes of the measure, of which one has ended
        final MachineLoad load = MachineLoad.between(begin, times(later(900, 100, 0), List.of(
            process(OBSERVER, 1, 800, 310), process(SERVERS_CHILD, SERVER, 5, 0), process(SERVER, OBSERVER, 600, 0),
            process(COMPILER, 1, 4_000, 70))));

        assertThat(load).isEqualTo(new MachineLoad(0, 0));
        assertThat(load.isKnown()).isTrue();
        assertThat(load.isBusy()).isFalse();
    }

    @Test
    void shouldCountOthersAlsoWhenTheyHaveEnded()
    {
        final MachineLoad load = MachineLoad.between(begin, times(later(900, 100, 0), List.of(
            process(OBSERVER, 1, 1_000, 10), process(SERVER, OBSERVER, 300, 0),
            process(SERVERS_CHILD, SERVER, 5, 0))));

        assertThat(load.othersShare()).isCloseTo(0.4, CLOSE);
        assertThat(load.isBusy()).isTrue();
        assertThat(load.text()).isEqualTo("others 40.0 %, steal 0.0 %");
    }

    @Test
    void shouldCountOthersThatAreThereWhenInterruptsAreInTheTimeOfProcesses()
    {
        // the measure's own 900 ticks have 200 of interrupts in them, which are not among the 900 that ran
        final MachineLoad load = MachineLoad.between(begin, times(later(900, 100, 0), List.of(
            process(OBSERVER, 1, 1_400, 10), process(SERVER, OBSERVER, 300, 0), process(SERVERS_CHILD, SERVER, 5, 0),
            process(COMPILER, 1, 4_150, 70), process(COMPILER + 1, COMPILER, 30, 0))));

        assertThat(load.othersShare()).isCloseTo(0.18, CLOSE);
    }

    @Test
    void shouldNotCountThreadsOfTheKernel()
    {
        final String writer = KERNEL.replace("41464", "41764");
        final MachineLoad load = MachineLoad.between(begin, MachineTimes.parse(later(300, 700, 0), List.of(
            ProcessTicks.parse(INIT), ProcessTicks.parse(writer), process(OBSERVER, 1, 800, 15)), OBSERVER));

        assertThat(load.othersShare()).isZero();
    }

    @Test
    void shouldBeBusyWhenTheHostTakesMoreThanIsAllowed()
    {
        final List<ProcessTicks> same = List.of(process(OBSERVER, 1, 815, 0));

        assertThat(MachineLoad.between(begin, times(later(0, 950, 50), same)))
            .isEqualTo(new MachineLoad(0, MachineLoad.MAX_SHARE))
            .satisfies((load) -> assertThat(load.isBusy()).isFalse());
        assertThat(MachineLoad.between(begin, times(later(0, 940, 60), same)).isBusy()).isTrue();
    }

    @Test
    void shouldNotBeBusyWhenNothingIsKnown()
    {
        assertThat(MachineLoad.UNKNOWN.isBusy()).isFalse();
        assertThat(MachineLoad.UNKNOWN.isKnown()).isFalse();
        assertThat(MachineLoad.UNKNOWN.text()).isEqualTo("others unknown, steal unknown");
        assertThat(MachineLoad.between(begin, begin)).isEqualTo(MachineLoad.UNKNOWN);
        assertThat(new MachineLoad.Meter().read()).as("too short").isEqualTo(MachineLoad.UNKNOWN);
        assertThat(new MachineLoad.Meter(() -> null, 0).read()).as("no /proc").isEqualTo(MachineLoad.UNKNOWN);
    }

    @Test
    void shouldTakeTheWorstOfTwo()
    {
        final MachineLoad busy = new MachineLoad(0.5, 0.01);

        assertThat(busy.worst(new MachineLoad(0.1, 0.02))).isEqualTo(new MachineLoad(0.5, 0.02));
        assertThat(busy.worst(MachineLoad.UNKNOWN)).isEqualTo(busy);
        assertThat(MachineLoad.UNKNOWN.worst(busy)).isEqualTo(busy);
        assertThat(busy.ofStealAlone()).isEqualTo(new MachineLoad(Double.NaN, 0.01));
        assertThat(busy.ofStealAlone().isBusy()).isFalse();
    }

    /** The machine that begins a measure, so many ticks later. */
    private static String later(final long running, final long idle, final long stolen)
    {
        return "cpu  " + (4_438_888 + running) + " 1253295 872380 " + (2_359_801 + idle) + " 7634 0 39728 " +
            (33_185 + stolen) + " 0 0\n";
    }

    private static MachineTimes times(final String stat, final List<ProcessTicks> processes)
    {
        final List<ProcessTicks> all = new ArrayList<>(processes);
        all.add(ProcessTicks.parse(INIT));
        all.add(ProcessTicks.parse(KERNEL));

        return MachineTimes.parse(stat, all, OBSERVER);
    }

    private static ProcessTicks process(final long pid, final long parent, final long ticks, final long endedTicks)
    {
        return new ProcessTicks(pid, parent, false, ticks, endedTicks);
    }
}
