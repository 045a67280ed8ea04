// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.Chain;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterViewTest
{
    private static final String WHOLE = "1:2:0+1:-1:2;1:2:1+0:-1:2";
    private static final String SHORT = "2:3:1:-1:2;1:2:1+0:-1:2";

    private long nowMs = 1000;
    private final List<String> journal = new ArrayList<>();
    private final ClusterView decisions = new ClusterView(() -> nowMs, journal::add);

    @Test
    void shouldTakeOnceWhatSeveralCoordinatorsTell()
    {
        decisions.listen(journal::add);
        for (int member = 0; member < 3; member++)
        {
            assertThat(decisions.onLine("COORDINATOR at=64 type=suspect node=1 about=0")).isTrue();
            map(64, 1, WHOLE);
        }

        assertThat(journal).containsExactly(
            "COORDINATOR at=64 type=suspect node=1 about=0", "COORDINATOR at=64 type=suspect node=1 about=0",
            "map 1;7,8;" + WHOLE, "map 1;7,8;" + WHOLE);
    }

    @Test
    void shouldIgnoreWhatACoordinatorRepeatsWhenItStartsAgain()
    {
        map(64, 1, WHOLE);
        map(128, 2, SHORT);
        assertThat(decisions.map().chains().get(0)).isEqualTo(new Chain(2, 3, List.of(1), Chain.NONE, 2));
        map(64, 1, WHOLE);

        assertThat(decisions.map().version()).isEqualTo(2);
        assertThat(decisions.isWhole()).isFalse();
    }

    @Test
    void shouldBeWholeWhenEveryChainIs()
    {
        assertThat(decisions.isWhole()).isFalse();
        map(64, 1, WHOLE);

        assertThat(decisions.isWhole()).isTrue();
    }

    @Test
    void shouldMeasureTheTimeInWhichCopiesAreMissing()
    {
        nowMs = 5000;
        map(64, 1, WHOLE);
        nowMs = 6000;
        assertThat(decisions.degradedMs()).isZero();
        map(128, 2, SHORT);
        nowMs = 6100;
        assertThat(decisions.degradedMs()).isEqualTo(100);
        map(192, 3, WHOLE);
        nowMs = 7000;

        assertThat(decisions.degradedMs()).isEqualTo(100);
    }

    @Test
    void shouldCountElectionsAfterTheFirst()
    {
        assertThat(decisions.leader()).isEqualTo(ClusterView.NO_LEADER);
        decisions.onLine("LEADER term=0 member=2");
        decisions.onLine("LEADER term=0 member=2");
        assertThat(decisions.elections()).isZero();
        nowMs = 1500;
        decisions.onLine("LEADER term=1 member=0");
        decisions.onLine("LEADER term=0 member=2");

        assertThat(decisions.elections()).isEqualTo(1);
        assertThat(decisions.leader()).isZero();
        assertThat(decisions.leaderSinceMs()).isEqualTo(1500);
    }

    @Test
    void shouldLeaveOtherLinesToOthers()
    {
        assertThat(decisions.onLine("READY node=0")).isFalse();
        assertThat(decisions.onLine("COORDINATORS type=register")).isFalse();
        assertThat(decisions.onLine("")).isFalse();
    }

    private void map(final long at, final long version, final String chains)
    {
        assertThat(decisions.onLine("MAP at=" + at + " failovers=1 spurious=0 chains=" + version + ";7,8;" + chains))
            .isTrue();
        assertThat(decisions.failovers()).isEqualTo(1);
        assertThat(decisions.spuriousFailovers()).isZero();
    }
}
