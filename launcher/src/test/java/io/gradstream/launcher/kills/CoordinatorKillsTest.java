// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.Arrays;
import java.util.List;

import io.gradstream.launcher.kills.KillSchedule.Action;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoordinatorKillsTest
{
    private static final long START_MS = 1_000_000;

    private long downMs;
    private long term = 4;
    private long termBeganMs = START_MS - 500;
    private boolean areServersWhole = true;
    private boolean areCoordinatorsWhole = true;

    @Test
    void shouldDoNothingWhenNoKillIsAskedFor()
    {
        final CoordinatorKills kills = begun();

        assertThat(poll(kills, START_MS + 10, 1)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
    }

    @Test
    void shouldNotKillBeforeTrainingBegan()
    {
        final CoordinatorKills kills = schedule("0s");

        assertThat(poll(kills, START_MS, 0)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isFalse();
    }

    @Test
    void shouldKillWhenTheTimeHasCome()
    {
        final CoordinatorKills kills = begun("3s");

        assertThat(poll(kills, START_MS + 2_999, 0.9)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 3_000, 0)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldKillWhenTheShareIsDoneOrWorkersAreHeldBeforeIt()
    {
        assertThat(poll(begun("40%"), START_MS, 0.39)).isEqualTo(Action.NONE);
        assertThat(poll(begun("40%"), START_MS, 0.4)).isEqualTo(Action.KILL);
        assertThat(begun("100%").poll(moment(START_MS, 0.9, true), true)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldBeDueButWaitWhenServersOrCoordinatorsAreNotWhole()
    {
        final CoordinatorKills kills = begun("1s");
        areServersWhole = false;

        assertThat(poll(kills, START_MS + 1_000, 0)).isEqualTo(Action.NONE);
        assertThat(kills.isDue(moment(START_MS + 1_000, 0, false))).isTrue();
        areServersWhole = true;
        areCoordinatorsWhole = false;
        assertThat(poll(kills, START_MS + 1_001, 0)).isEqualTo(Action.NONE);
        areCoordinatorsWhole = true;
        assertThat(poll(kills, START_MS + 1_002, 0)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldFailWhenWholenessIsWaitedForTooLong()
    {
        final CoordinatorKills kills = begun("1s");
        areServersWhole = false;
        final long dueMs = START_MS + 1_000;

        assertThat(poll(kills, dueMs, 0)).isEqualTo(Action.NONE);
        assertThat(poll(kills, dueMs + CoordinatorKills.MAX_AWAY_MS, 0)).isEqualTo(Action.NONE);
        assertThat(poll(kills, dueMs + CoordinatorKills.MAX_AWAY_MS + 1, 0)).isEqualTo(Action.FAIL_NOT_WHOLE);
    }

    @Test
    void shouldMeasureTheGapToTheNextTermWhileTheKilledOneIsDown()
    {
        downMs = 5_000;
        final CoordinatorKills kills = begun("0s");
        kill(kills, START_MS);

        assertThat(poll(kills, START_MS + 1_000, 0)).isEqualTo(Action.NONE);
        assertThat(kills.gapsMs()).isEmpty();
        elect(START_MS + 1_700);
        assertThat(poll(kills, START_MS + 1_710, 0)).isEqualTo(Action.NONE);
        assertThat(kills.gapsMs()).containsExactly(1_700L);
        assertThat(poll(kills, START_MS + 5_000, 0)).isEqualTo(Action.RESTART);
    }

    @Test
    void shouldBeDoneWhenThereIsALeaderAndTheKilledOneIsBack()
    {
        final CoordinatorKills kills = begun("0s");
        kill(kills, START_MS);
        assertThat(poll(kills, START_MS, 0)).isEqualTo(Action.RESTART);
        kills.onRestarted();

        elect(START_MS + 900);
        assertThat(poll(kills, START_MS + 900, 0)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isFalse();
        areCoordinatorsWhole = true;
        assertThat(poll(kills, START_MS + 2_000, 0)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
    }

    @Test
    void shouldNotBeDoneWhenTheKilledOneIsBackButNobodyLeads()
    {
        final CoordinatorKills kills = begun("0s");
        kill(kills, START_MS);
        kills.onRestarted();
        areCoordinatorsWhole = true;

        assertThat(poll(kills, START_MS + 2_000, 0)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isFalse();
    }

    @Test
    void shouldFailWhenNobodyLeadsInTime()
    {
        downMs = 300;
        final CoordinatorKills kills = begun("0s");
        kill(kills, START_MS);
        kills.onRestarted();
        final long limitMs = START_MS + downMs + CoordinatorKills.MAX_AWAY_MS;

        assertThat(poll(kills, limitMs, 0)).isEqualTo(Action.NONE);
        assertThat(poll(kills, limitMs + 1, 0)).isEqualTo(Action.FAIL_AWAY);
    }

    @Test
    void shouldKillTheNextOnlyWhenTheLastIsOver()
    {
        final CoordinatorKills kills = begun("0s", "1s");
        kill(kills, START_MS);
        kills.onRestarted();
        elect(START_MS + 800);

        assertThat(poll(kills, START_MS + 2_000, 0)).isEqualTo(Action.NONE);
        areCoordinatorsWhole = true;
        kill(kills, START_MS + 3_000);
        kills.onRestarted();
        elect(START_MS + 3_600);
        areCoordinatorsWhole = true;
        assertThat(poll(kills, START_MS + 4_000, 0)).isEqualTo(Action.NONE);
        assertThat(kills.gapsMs()).containsExactly(800L, 600L);
        assertThat(kills.isDone()).isTrue();
    }

    @Test
    void shouldKillAgainWhenTheKillOfServersTogetherDidNotCount()
    {
        final CoordinatorKills kills = begun("0s");
        kill(kills, START_MS);
        kills.onRestarted();
        elect(START_MS + 800);
        areCoordinatorsWhole = true;
        kills.onRepeated();

        assertThat(kills.isDone()).isFalse();
        assertThat(poll(kills, START_MS + 1_000, 0)).isEqualTo(Action.KILL);
    }

    private void kill(final CoordinatorKills kills, final long nowMs)
    {
        assertThat(poll(kills, nowMs, 0)).isEqualTo(Action.KILL);
        kills.onKilled(nowMs);
        areCoordinatorsWhole = false;
    }

    private void elect(final long nowMs)
    {
        term++;
        termBeganMs = nowMs;
    }

    @Test
    void shouldNotAwaitAnElectionAfterAStandstill()
    {
        final CoordinatorKills kills = begun();
        kills.add(new KillOrder(KillOrder.Target.COORDINATOR, KillOrder.NEXT, new KillTime(0, 0), true, 1_000));
        assertThat(poll(kills, START_MS, 0)).isEqualTo(Action.KILL);
        kills.onKilled(START_MS);
        assertThat(poll(kills, START_MS + 1_000, 0)).isEqualTo(Action.RESTART);
        kills.onRestarted();

        areCoordinatorsWhole = false;
        assertThat(poll(kills, START_MS + 1_100, 0)).isEqualTo(Action.NONE);
        assertThat(kills.isAway()).isTrue();
        areCoordinatorsWhole = true;
        assertThat(poll(kills, START_MS + 1_200, 0)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
        assertThat(kills.gapsMs()).isEmpty();
    }

    private Action poll(final CoordinatorKills kills, final long nowMs, final double shareDone)
    {
        return kills.poll(moment(nowMs, shareDone, false), areServersWhole && areCoordinatorsWhole);
    }

    private Moment moment(final long nowMs, final double shareDone, final boolean isAllHeld)
    {
        return new Moment(
            nowMs, shareDone, isAllHeld, List.of(), List.of(), 1, areServersWhole, areCoordinatorsWhole, true, term,
            termBeganMs);
    }

    private CoordinatorKills begun(final String... whens)
    {
        final CoordinatorKills kills = schedule(whens);
        kills.onTrainingBegan(START_MS);
        return kills;
    }

    private CoordinatorKills schedule(final String... whens)
    {
        return new CoordinatorKills(
            Arrays.stream(whens).map((when) -> KillOrder.parse("coordinator@" + when)).toList(), downMs);
    }
}
