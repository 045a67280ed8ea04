// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.all;

import io.gradstream.console.Chart;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Peers;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.perf.report.Work;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AllRunTest
{
    private static final String PUSH = new Work(true, 64 << 10, 8).goodput();

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
    private final Peers peers = new Peers();

    @Test
    void shouldGoOnWhenAPartFails()
    {
        final AllRun run = run(
            new Part("idle", "idling", List.of("T16"), (charts) -> List.of(line("T16", "server"))),
            new Part("broken", "what breaks", List.of("T5", "T9"), (charts) ->
            {
                throw new IOException("no disk");
            }),
            new Part("load", "pushes", List.of("T3"), (charts) -> List.of(line("T3", "push"))));

        final List<TargetLine> lines = run.run();

        assertThat(lines).extracting(TargetLine::id).containsExactly("T3", "T5", "T9", "T16");
        assertThat(lines).extracting(TargetLine::isMet).containsExactly(true, false, false, true);
        assertThat(lines.get(1).measure()).isEqualTo("what breaks");
        assertThat(lines.get(2).note()).isEqualTo("failed: no disk");
        assertThat(run.failures()).isEqualTo(1);
        assertThat(progress.toString(StandardCharsets.UTF_8))
            .contains("part 2 of 3, broken: what breaks", "broken failed: no disk");
    }

    @Test
    void shouldJoinPeers()
    {
        peers.add(PUSH, "redis", 400);

        final List<TargetLine> lines =
            run(new Part("load", "pushes", List.of("T3"), (charts) -> List.of(line("T3", PUSH)))).run();

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).bestPeer()).isEqualTo(400);
    }

    @Test
    void shouldDrawGrowthWhenItWasMeasured()
    {
        final AllRun run = run(new Part("growth", "growth", List.of("T11"),
            (charts) -> List.of(line("T11", "1 to 8 workers"), line("T11", "1 to 64 tables"))));
        run.run();

        assertThat(run.charts()).containsOnlyKeys("growth");
        final Chart chart = run.charts().get("growth");
        assertThat(chart.ticks()).extracting(Chart.Tick::label).containsExactly("1 to 8 workers", "1 to 64 tables");
        assertThat(chart.panels().get(0).series().get(0).figures()).containsExactly(0.9, 0.9);
    }

    @Test
    void shouldEndWhenInterrupted()
    {
        final AllRun run = run(new Part("load", "pushes", List.of("T3"), (charts) ->
        {
            throw new InterruptedRunException();
        }));

        assertThatThrownBy(run::run).isInstanceOf(InterruptedRunException.class);
    }

    @Test
    void shouldChooseTheNamedPartsInTheirOwnOrder()
    {
        final Part load = new Part("load", "", List.of(), (charts) -> List.of());
        final Part train = new Part("train", "", List.of(), (charts) -> List.of());

        assertThat(AllRun.chosen(null, List.of(load, train))).containsExactly(load, train);
        assertThat(AllRun.chosen(List.of("train", "load"), List.of(load, train))).containsExactly(load, train);
        assertThat(AllRun.chosen(List.of("train"), List.of(load, train))).containsExactly(train);
    }

    private AllRun run(final Part... parts)
    {
        return new AllRun(List.of(parts), peers, new PrintStream(progress, true, StandardCharsets.UTF_8));
    }

    private static TargetLine line(final String id, final String measure)
    {
        return TargetLine.target(
            id, measure, "MB/s", new Summary(900, 900, 900), 1_000, Bound.atLeast(0.75), "");
    }
}
