// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderWatchTest
{
    private final LeaderWatch watch = new LeaderWatch();

    @BeforeEach
    void connect()
    {
        watch.timeoutNs(400);
        watch.onConnected(1000);
    }

    @Test
    void shouldFindALeaderSilentWhenNotHeardForLongerThanTheTimeout()
    {
        for (long nowNs = 1100; nowNs <= 1400; nowNs += 100)
        {
            watch.onPoll(100);
            assertThat(watch.isSilent(nowNs)).isFalse();
        }
        assertThat(watch.isSilent(1401)).isTrue();

        watch.onHeard(1401);
        assertThat(watch.isSilent(1401)).isFalse();
    }

    @Test
    void shouldNotCountItsOwnPauseAgainstTheLeader()
    {
        watch.onPoll(5000);
        assertThat(watch.isSilent(6000)).isFalse();
        assertThat(watch.isSilent(6301)).isTrue();
    }

    @Test
    void shouldStillFindALeaderSilentWhenPolledSeldom()
    {
        for (long nowNs = 2000; nowNs <= 5000; nowNs += 1000)
        {
            watch.onPoll(1000);
            assertThat(watch.isSilent(nowNs)).isFalse();
        }
        assertThat(watch.isSilent(5001)).isTrue();
    }

    @Test
    void shouldCallFourTimesWithinTheTimeout()
    {
        assertThat(watch.isCallDue(1099)).isFalse();
        assertThat(watch.isCallDue(1100)).isTrue();
        watch.onCalled(1100);
        assertThat(watch.isCallDue(1199)).isFalse();
        assertThat(watch.isCallDue(1200)).isTrue();
    }

    @Test
    void shouldKeepAliveAtOnceAndThenEachInterval()
    {
        assertThat(watch.isKeepAliveDue(1000)).isTrue();
        watch.onKeptAlive(1000);
        assertThat(watch.isKeepAliveDue(999 + LeaderWatch.KEEP_ALIVE_INTERVAL_NS)).isFalse();
        assertThat(watch.isKeepAliveDue(1000 + LeaderWatch.KEEP_ALIVE_INTERVAL_NS)).isTrue();
    }

    @Test
    void shouldAllowTwoTimeoutsForAnElection()
    {
        watch.allowElection(2000);
        assertThat(watch.isOverdue(2799)).isFalse();
        assertThat(watch.isOverdue(2800)).isTrue();
        watch.onPoll(300);
        assertThat(watch.isOverdue(2999)).isFalse();
    }

    @Test
    void shouldFallBackToADefaultWhenTheClusterNamesNoTimeout()
    {
        watch.timeoutNs(Long.MIN_VALUE);
        assertThat(watch.timeoutNs()).isEqualTo(LeaderWatch.DEFAULT_TIMEOUT_NS);
    }
}
