// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.perf.measure.Summary;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class PeersTest
{
    private static final String GOODPUT = Work.push(64 * 1024, 8).goodput();
    private static final String LATENCY = Work.push(4 * 1024, 1).latency();

    private final Peers peers = new Peers();

    @Test
    void shouldPutTheHighestGoodputBesideOurs()
    {
        peers.add(GOODPUT, "slow", 400);
        peers.add(GOODPUT, "fast", 500);
        peers.add(GOODPUT, "other", 450);
        peers.add(Work.push(1024 * 1024, 8).goodput(), "large", 9_000);

        final List<TargetLine> lines = peers.join(List.of(line("T3", GOODPUT, 610, Bound.atLeast(0.75))));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).bestPeer()).isEqualTo(500);
        assertThat(lines.get(0).isMet()).isFalse();
        assertThat(lines.get(0).note()).isEqualTo("best peer: fast");
        assertThat(lines.get(1).ratio()).isEqualTo(1.22);
        assertThat(lines.get(1).bound()).isEqualTo(Bound.atLeast(1.2));
        assertThat(peers.most(GOODPUT)).isEqualTo(500);
    }

    @Test
    void shouldPutTheLowestLatencyBesideOurs()
    {
        peers.add(LATENCY, "fast", 10);
        peers.add(LATENCY, "slow", 20);

        final List<TargetLine> lines = peers.join(List.of(line("T1", LATENCY, 12, Bound.atMost(1.3))));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).bestPeer()).isEqualTo(10);
        assertThat(lines.get(1).isMet()).isFalse();
        assertThat(lines.get(1).measure()).isEqualTo("push 4 KiB, depth 1, p50, beside fast");
    }

    @Test
    void shouldSayThatNoPeerWasMeasuredOnlyWhereATargetAsksForOne()
    {
        final TargetLine pull = line("T4", Work.pull(64 * 1024, 8).goodput(), 1, Bound.atLeast(0.75));

        final List<TargetLine> lines = peers.join(List.of(line("T3", GOODPUT, 610, Bound.atLeast(0.75)), pull));

        assertThat(lines.get(0).note()).isEqualTo("no peer was measured");
        assertThat(lines.get(0).bestPeer()).isNaN();
        assertThat(lines.get(1)).isEqualTo(pull);
        assertThat(peers.most(GOODPUT)).isNaN();
    }

    private static TargetLine line(final String id, final String measure, final double ours, final Bound bound)
    {
        return new TargetLine(id, measure, "MB/s", new Summary(ours, ours, ours), 1_000, Double.NaN, bound, "");
    }
}
