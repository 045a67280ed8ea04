// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReachWatchTest
{
    private static final long LIMIT_NS = 100;

    private final ReachWatch watch = new ReachWatch(LIMIT_NS, 50, 10);

    @Test
    void shouldMissANodeThatWasNotReachedForTheLimit()
    {
        run(0, 1, true);
        run(1, 100, false);
        assertThat(watch.nodes()).containsEntry(1, true).containsEntry(2, true);
        run(100, 101, false);
        assertThat(watch.nodes()).containsEntry(1, false).containsEntry(2, true);
        run(101, 102, true);
        assertThat(watch.nodes()).containsEntry(1, true);
    }

    @Test
    void shouldSayNothingOfANodeThatMayNotHaveHadTimeToConnect()
    {
        run(0, ReachWatch.FIRST_LIMITS * LIMIT_NS, false);
        assertThat(watch.nodes()).doesNotContainKey(1).containsEntry(2, true);
        run(ReachWatch.FIRST_LIMITS * LIMIT_NS, ReachWatch.FIRST_LIMITS * LIMIT_NS + 1, false);
        assertThat(watch.nodes()).containsEntry(1, false);
    }

    @Test
    void shouldBlameNobodyForAPauseOfItsOwn()
    {
        run(0, 1, true);
        run(1, 60, false);
        run(200, 201, false);
        assertThat(watch.nodes()).containsEntry(1, true);
        run(201, 300, false);
        assertThat(watch.nodes()).containsEntry(1, true);
        run(300, 301, false);
        assertThat(watch.nodes()).containsEntry(1, false);
    }

    @Test
    void shouldReportAtIntervalsAndChangesSoon()
    {
        assertThat(watch.isDue(0)).as("nothing is known").isFalse();
        run(0, 1, true);
        assertThat(watch.isDue(0)).isTrue();
        watch.onReported(0);
        run(1, 49, true);
        assertThat(watch.isDue(49)).isFalse();
        assertThat(watch.isDue(50)).isTrue();
        run(49, 150, false);
        watch.onReported(148);
        run(150, 151, false);
        assertThat(watch.nodes()).containsEntry(1, false);
        watch.onReported(151);
        run(151, 152, true);
        assertThat(watch.isDue(160)).isFalse();
        assertThat(watch.isDue(161)).isTrue();
    }

    private void run(final long fromNs, final long toNs, final boolean isReached)
    {
        for (long nowNs = fromNs; nowNs < toNs; nowNs++)
        {
            watch.onTick(nowNs);
            watch.onNode(1, isReached, nowNs);
            watch.onNode(2, true, nowNs);
        }
    }
}
