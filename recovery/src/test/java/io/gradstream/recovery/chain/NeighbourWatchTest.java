// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NeighbourWatchTest
{
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final long START = 1_000_000_000L;

    private final NeighbourWatch watch = new NeighbourWatch(TIMING, START);

    @Test
    void shouldRememberTheNewestHeartbeatOfTheNewestLife()
    {
        assertThat(watch.peerSentNs()).isZero();
        watch.onHeartbeat(new PeerHeartbeat(7, 99, 0, 0, 0), START + 20);
        watch.onHeartbeat(new PeerHeartbeat(7, 98, 0, 0, 0), START + 25);
        assertThat(watch.peerSentNs()).isEqualTo(99);

        watch.onHeartbeat(new PeerHeartbeat(8, 1, 0, 0, 0), START + 30);
        watch.onHeartbeat(new PeerHeartbeat(7, 100, 0, 0, 0), START + 40);
        assertThat(watch.peerSentNs()).isEqualTo(1);
    }

    @Test
    void shouldSuspectOnlyAfterTheSuspicionTimeAndNotForItsOwnAbsence()
    {
        watch.onHeartbeat(new PeerHeartbeat(7, 1, 0, 0, 0), START);
        assertThat(watch.isSuspect(START + TIMING.suspicionNs() - 1)).isFalse();
        assertThat(watch.isSuspect(START + TIMING.suspicionNs())).isTrue();

        watch.onSelfAway(TIMING.suspicionNs(), START + TIMING.suspicionNs());
        assertThat(watch.isSuspect(START + TIMING.suspicionNs())).isFalse();
    }

    @Test
    void shouldFindItDeafWhenItsHeartbeatsGoOnAndSayThatItHasHeardNothingNewer()
    {
        hear(START + 10, START + 8);
        hear(START + 57, START + 8);
        assertThat(watch.isDeaf(50, START + 57)).isFalse();

        hear(START + 58, START + 8);
        assertThat(watch.isDeaf(50, START + 57)).isFalse();
        assertThat(watch.isDeaf(50, START + 58)).isTrue();
        hear(START + 59, START + 57);
        assertThat(watch.isDeaf(50, START + 59)).isFalse();
    }

    @Test
    void shouldNotCallItDeafForTheTimeThatWhatIsSaidTakes()
    {
        for (int i = 0; i < 10; i++)
        {
            final long heardNs = START + i * 20;
            watch.onHeartbeat(new PeerHeartbeat(7, i + 1, heardNs, 20, 0), heardNs + 200);
            assertThat(watch.isDeaf(50, heardNs + 219)).isFalse();
        }
    }

    @Test
    void shouldNotCallItDeafForWhatWasNotSaidWhileThisNodeWasAway()
    {
        hear(START + 10, START + 8);
        watch.onSelfAway(990, START + 1000);
        hear(START + 1000, START + 8);

        assertThat(watch.isDeaf(50, START + 1049)).isFalse();
        assertThat(watch.isDeaf(50, START + 1050)).isTrue();
    }

    @Test
    void shouldGiveItTimeToConnectWhenItHasNeverHeardThisLifeOfThisNode()
    {
        final long patienceNs = NeighbourWatch.CONNECT_PATIENCE * TIMING.suspicionNs();
        hear(START + 2, START + 1_000_000);
        hear(START + 1, START - 1);

        assertThat(watch.isDeaf(1, START + 2 + patienceNs - 3)).isFalse();
        assertThat(watch.isDeaf(1, START + 2 + patienceNs)).isTrue();
    }

    @Test
    void shouldSayForHowLongItHasNotHeardTheNeighbour()
    {
        assertThat(watch.silentNs(START + 5)).isEqualTo(5);
        hear(START + 10, START + 8);
        assertThat(watch.silentNs(START + 15)).isEqualTo(5);

        watch.onNeighbour(START + 10 + TIMING.suspicionNs());
        assertThat(watch.silentNs(START + 13 + TIMING.suspicionNs())).isEqualTo(3);
    }

    @Test
    void shouldGiveANewLifeTimeToConnectAlthoughTheLinkToTheEarlierOneHadFailed()
    {
        final long metNs = START + 2 * TIMING.suspicionNs();
        hear(START + 10, START + 8);
        watch.onLinkSuspicion(START + TIMING.suspicionNs());
        watch.onNeighbour(metNs);
        assertThat(watch.silentNs(metNs)).isEqualTo(2 * TIMING.suspicionNs() - 10);

        watch.onHeartbeat(new PeerHeartbeat(8, 1, 0, 0, 0), metNs);
        watch.onNeighbour(metNs + TIMING.suspicionNs());
        assertThat(watch.silentNs(metNs + TIMING.suspicionNs())).isZero();
    }

    @Test
    void shouldNotCountItsOwnAbsenceForTheLinkNorAgainstIt()
    {
        hear(START + 10, START + 8);
        assertThat(watch.brokenNs(START + 30)).isEqualTo(20);
        watch.onSelfAway(15, START + 30);
        assertThat(watch.brokenNs(START + 30)).isEqualTo(5);

        hear(START + 40, START + 38);
        watch.onSelfAway(10, START + 40);
        assertThat(watch.brokenNs(START + 40)).isZero();
        assertThat(watch.brokenNs(START + 47)).isEqualTo(7);
    }

    private void hear(final long nowNs, final long heardNs)
    {
        watch.onHeartbeat(new PeerHeartbeat(7, nowNs, heardNs, nowNs - heardNs, 0), nowNs);
    }
}
