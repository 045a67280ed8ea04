// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import io.gradstream.codecs.Chain;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class LeadershipClaimTest
{
    private static final int NODE = 1;
    private static final long WAIT_NS = 100;

    private final LeadershipClaim claim = new LeadershipClaim();

    @Test
    void shouldNotWaitForAHeadThatHasStopped()
    {
        claim.onChain(chain(1, NODE), NODE, 100);
        assertThat(claim.isMade(true, WAIT_NS, 100)).isTrue();

        claim.onChain(chain(2, Chain.NONE), NODE, 100);
        assertThat(claim.isMade(true, WAIT_NS, 100)).as("no transferee any more").isFalse();
    }

    @Test
    void shouldClaimWhenItHasGrantedNoLeaseForLongEnough()
    {
        claim.onChain(chain(5, NODE), NODE, 1000);
        assertThat(claim.isOpen()).isTrue();
        assertThat(claim.isMade(false, WAIT_NS, 1099)).isFalse();
        assertThat(claim.isMade(false, WAIT_NS, 1100)).isTrue();
    }

    @Test
    void shouldClaimUntilTheCoordinatorHasDecided()
    {
        claim.onChain(chain(5, NODE), NODE, 0);
        assertThat(claim.isMade(false, WAIT_NS, Long.MAX_VALUE / 2)).isTrue();
        claim.onChain(new Chain(2, 6, List.of(NODE), Chain.NONE, 2), NODE, WAIT_NS + 1);
        assertThat(claim.isOpen()).isFalse();
        assertThat(claim.isMade(false, WAIT_NS, Long.MAX_VALUE / 2)).isFalse();
    }

    @Test
    void shouldBeginAnewUnderAnotherChain()
    {
        claim.onChain(chain(5, NODE), NODE, 0);
        claim.onChain(chain(6, NODE), NODE, 90);
        assertThat(claim.isMade(false, WAIT_NS, 189)).isFalse();
        claim.onChain(chain(6, NODE), NODE, 150);
        assertThat(claim.isMade(false, WAIT_NS, 190)).isTrue();
    }

    @Test
    void shouldNotClaimForAnotherNorAsHeadOrJoiner()
    {
        claim.onChain(chain(5, 0), NODE, 0);
        assertThat(claim.isOpen()).isFalse();
        claim.onChain(chain(6, NODE), 2, 0);
        assertThat(claim.isOpen()).isFalse();
        claim.onChain(new Chain(1, 7, List.of(0), NODE, 2, NODE), NODE, 0);
        assertThat(claim.isOpen()).isFalse();
        claim.onChain(new Chain(1, 8, List.of(NODE, 0), Chain.NONE, 2, NODE), NODE, 0);
        assertThat(claim.isOpen()).isFalse();
    }

    @Test
    void shouldWaitForALeaseOfEachBeforeItButNotLongerThanForTheSilent()
    {
        assertThat(LeadershipClaim.waitNs(
            ChainTiming.ofMs(80, 400, 800), new Chain(1, 1, List.of(0, 1), Chain.NONE, 1, 1)))
            .isEqualTo(560_000_000);
        // it may have been one of three before a place of it moved, and the member that has left need not know
        assertThat(LeadershipClaim.waitNs(ChainTiming.ofMs(80, 400, 2000), chain(1, NODE))).isEqualTo(960_000_000);
        assertThat(LeadershipClaim.waitNs(
            ChainTiming.ofMs(80, 400, 800), new Chain(1, 1, List.of(0, 1, 2), Chain.NONE, 3, 2)))
            .isEqualTo(800_000_000);
        // behind it there may be one by whose lease the head still goes
        assertThat(LeadershipClaim.waitNs(
            ChainTiming.ofMs(80, 400, 2000), new Chain(1, 1, List.of(0, 1, 2), Chain.NONE, 3, 1)))
            .isEqualTo(960_000_000);
    }

    private static Chain chain(final long version, final int transferee)
    {
        return new Chain(1, version, List.of(0, 1), Chain.NONE, 2, transferee);
    }
}
