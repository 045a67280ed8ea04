// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class FailoverWatchTest
{
    private static final long KILLED_NS = 1_000;

    private final FailoverWatch watch = new FailoverWatch(3);

    @Test
    void shouldTakeThePartitionThatCameBackLastWhenAllAreBack()
    {
        begin(0, 1);
        suspect(0, 1_100);
        map(1_110, 1, 0);
        suspect(1, 1_200);
        map(1_230, 1, 1);
        confirm(1, 1_250);
        confirm(0, 1_260);
        watch.onServiceBack(1, 2, 3, 0, 1_300);
        assertThat(watch.isOver()).isFalse();
        watch.onServiceBack(0, 2, 3, 0, 1_290);

        assertThat(watch.isOver()).isTrue();
        assertThat(watch.end(KILLED_NS)).isEqualTo(new Failover(200, 230, 250, 300));
    }

    @Test
    void shouldNotBeOverWhenTheNewHeadHasNotConfirmed()
    {
        begin(0);
        suspect(0, 1_100);
        map(1_110, 1, 0);
        watch.onServiceBack(0, 2, 3, 0, 1_290);

        assertThat(watch.isOver()).isFalse();
    }

    @Test
    void shouldNotCountWhenAPartitionHadNothingOutstanding()
    {
        begin(0);
        suspect(0, 1_100);
        map(1_110, 1, 0);
        confirm(0, 1_260);
        watch.onServiceBack(0, 2, 0, 0, 1_290);

        assertThat(watch.isOver()).isTrue();
        assertThat(watch.end(KILLED_NS)).isNull();
    }

    @Test
    void shouldIgnoreWhatIsNotOfTheVictimWhenItIsTold()
    {
        begin(0);
        watch.onCoordinator(
            "COORDINATOR type=report node=0 incarnation=5 endpoint=a:1 leads=0/3,1/3 suspects=0/3/1", 1_050);
        watch.onCoordinator(
            "COORDINATOR type=report node=1 incarnation=5 endpoint=a:2 leads=1/3 suspects=1/3/2,0/3/2", 1_060);
        map(1_070, 0, 0);
        watch.onServiceBack(2, 2, 3, 0, 1_080);
        suspect(0, 1_100);
        map(1_110, 1, 0);
        confirm(0, 1_120);
        watch.onServiceBack(0, 2, 3, 0, 1_130);

        assertThat(watch.end(KILLED_NS)).isEqualTo(new Failover(100, 110, 120, 130));
    }

    @Test
    void shouldForgetTheLastKillWhenAnotherBegins()
    {
        begin(0);
        suspect(0, 1_100);
        map(1_110, 1, 0);
        confirm(0, 1_120);
        watch.onServiceBack(0, 2, 3, 0, 1_130);
        watch.end(KILLED_NS);
        begin(0);

        assertThat(watch.isOver()).isFalse();
    }

    private void begin(final int... partitions)
    {
        final BitSet headed = new BitSet();
        for (final int partition : partitions)
        {
            headed.set(partition);
        }
        watch.begin(0, headed);
    }

    private void suspect(final int partition, final long nowNs)
    {
        watch.onCoordinator(
            "COORDINATOR type=report node=1 incarnation=5 endpoint=a:2 suspects=" + partition + "/3/0", nowNs);
    }

    private void confirm(final int partition, final long nowNs)
    {
        watch.onCoordinator(
            "COORDINATOR type=report node=1 incarnation=5 endpoint=a:2 leads=" + partition + "/4", nowNs);
    }

    private void map(final long nowNs, final int head0, final int head1)
    {
        final ChainMap map = new ChainMap(7, List.of(4L, 5L), List.of(chain(head0), chain(head1), chain(1)));
        watch.onCoordinator("map " + map.format(), nowNs);
    }

    private static Chain chain(final int head)
    {
        return new Chain(2, 4, List.of(head), Chain.NONE, 2);
    }
}
