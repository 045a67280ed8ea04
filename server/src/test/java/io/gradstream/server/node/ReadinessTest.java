// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.gradstream.codecs.Chain;
import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;

class ReadinessTest
{
    private static final int NODE = 1;

    @Test
    void shouldNotCountAJoinerThatFollowsButIsNotInSyncYet()
    {
        assertThat(Readiness.isSettled(NODE, new Chain(2, 5, List.of(0), NODE, 2), true)).isFalse();
    }

    @Test
    void shouldCountAMemberOnceItHasItsRole()
    {
        final Chain chain = new Chain(2, 6, List.of(0, NODE), Chain.NONE, 2);
        assertThat(Readiness.isSettled(NODE, chain, true)).isTrue();
        assertThat(Readiness.isSettled(NODE, chain, false)).isFalse();
    }

    @Test
    void shouldCountAHeadWhoseChainIsShort()
    {
        final Chain chain = new Chain(2, 7, List.of(NODE), 0, 2);
        assertThat(Readiness.isSettled(NODE, chain, true)).isTrue();
        assertThat(Readiness.isSettled(NODE, chain, false)).isFalse();
    }

    @Test
    void shouldNotMissACopyThatTheChainDoesWithout()
    {
        assertThat(Readiness.isSettled(NODE, new Chain(2, 8, List.of(0, 2), Chain.NONE, 2), false)).isTrue();
    }

    @Test
    void shouldWaitWhileNobodyHasOpenedThePartition()
    {
        assertThat(Readiness.isSettled(NODE, new Chain(0, 0, List.of(), Chain.NONE, 0), false)).isFalse();
        assertThat(Readiness.isSettled(NODE, new Chain(1, 3, List.of(), Chain.NONE, 2), false)).isFalse();
    }

    @Test
    void shouldSayThatItWaitsForTheCoordinator()
    {
        final Readiness readiness = new Readiness(NODE);
        readiness.onTick(List.of(), null, "asking for the leader", 0);
        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.waitingFor()).contains("coordinator").contains("asking for the leader");
    }

    @Test
    void shouldBeReadyWithoutAnyPlaceOnceTheCoordinatorKnowsIt()
    {
        final Readiness readiness = new Readiness(NODE);
        readiness.onTick(List.of(), new BitSet(), "connected", 0);
        assertThat(readiness.isReady()).isTrue();
        readiness.onEnd();
        assertThat(readiness.isReady()).isFalse();
    }
}
