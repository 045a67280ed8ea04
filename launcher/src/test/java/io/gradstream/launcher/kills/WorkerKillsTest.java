// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.Arrays;
import java.util.List;

import io.gradstream.launcher.kills.KillSchedule.Action;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkerKillsTest
{
    private static final long START_MS = 1_000_000;

    private boolean areServersWhole = true;
    private int workers = 3;

    @Test
    void shouldTakeWorkersInTurnsUnlessOneIsNamed()
    {
        final WorkerKills kills = begun(0, "worker@0s", "worker:0@0s", "worker@0s", "worker@0s");

        assertThat(killAndRestart(kills, START_MS)).isZero();
        assertThat(killAndRestart(kills, START_MS + 10)).isZero();
        assertThat(killAndRestart(kills, START_MS + 20)).isEqualTo(2);
        assertThat(killAndRestart(kills, START_MS + 30)).isZero();
        assertThat(poll(kills, START_MS + 40)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
    }

    @Test
    void shouldTakeAWorkerThatWasAddedIntoTheTurns()
    {
        final WorkerKills kills = begun(0, "worker@0s", "worker@0s", "worker:1@0s");
        workers = 1;
        assertThat(killAndRestart(kills, START_MS)).isZero();

        workers = 2;
        assertThat(killAndRestart(kills, START_MS + 10)).isEqualTo(1);
        assertThat(killAndRestart(kills, START_MS + 20)).isEqualTo(1);
    }

    @Test
    void shouldRefuseToKillAWorkerThatWasNotAddedYet()
    {
        final WorkerKills kills = begun(0, "worker:3@0s");

        assertThatThrownBy(() -> poll(kills, START_MS)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("worker 3 cannot be killed").hasMessageContaining("after it is added");
    }

    @Test
    void shouldNotBeOverBeforeTheNextProcessHasBegun()
    {
        final WorkerKills kills = begun(500, "worker:1@0s", "worker:2@0s");
        assertThat(poll(kills, START_MS)).isEqualTo(Action.KILL);
        kills.onKilled(START_MS);

        kills.onBegun(1);
        assertThat(poll(kills, START_MS + 499)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 500)).isEqualTo(Action.RESTART);
        kills.onRestarted();
        kills.onBegun(0);
        assertThat(poll(kills, START_MS + 600)).isEqualTo(Action.NONE);
        assertThat(kills.isAway()).isTrue();
        kills.onBegun(1);
        assertThat(poll(kills, START_MS + 700)).isEqualTo(Action.KILL);
        assertThat(kills.victim()).isEqualTo(2);
    }

    @Test
    void shouldWaitWhileServersAreNotWhole()
    {
        final WorkerKills kills = begun(0, "worker@0s");
        areServersWhole = false;

        assertThat(poll(kills, START_MS)).isEqualTo(Action.NONE);
        areServersWhole = true;
        assertThat(poll(kills, START_MS + 1)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldNotCountTheTimeOfOtherKillsAsItsOwnWait()
    {
        final WorkerKills kills = begun(0, "worker@0s");
        areServersWhole = false;
        final long lateMs = START_MS + 2 * KillSchedule.MAX_AWAY_MS;

        assertThat(poll(kills, START_MS)).isEqualTo(Action.NONE);
        kills.waitForOthers();
        assertThat(poll(kills, lateMs)).isEqualTo(Action.NONE);
        assertThat(poll(kills, lateMs + KillSchedule.MAX_AWAY_MS + 1)).isEqualTo(Action.FAIL_NOT_WHOLE);
    }

    @Test
    void shouldFailIfTheNextProcessDoesNotBeginInTime()
    {
        final WorkerKills kills = begun(0, "worker@0s");
        assertThat(poll(kills, START_MS)).isEqualTo(Action.KILL);
        kills.onKilled(START_MS);
        kills.onRestarted();

        assertThat(poll(kills, START_MS + KillSchedule.MAX_AWAY_MS)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + KillSchedule.MAX_AWAY_MS + 1)).isEqualTo(Action.FAIL_AWAY);
    }

    @Test
    void shouldLetAWorkerStandStillAsLongAsWasDrawn()
    {
        final WorkerKills kills = begun(0);
        kills.add(new KillOrder(KillOrder.Target.WORKER, 1, new KillTime(0, 0), true, 3_000));
        assertThat(poll(kills, START_MS)).isEqualTo(Action.KILL);
        kills.onKilled(START_MS);

        assertThat(poll(kills, START_MS + 2_999)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 3_000)).isEqualTo(Action.RESTART);
        kills.onRestarted();
        assertThat(poll(kills, START_MS + 3_001)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
    }

    private int killAndRestart(final WorkerKills kills, final long nowMs)
    {
        assertThat(poll(kills, nowMs)).isEqualTo(Action.KILL);
        final int victim = kills.victim();
        kills.onKilled(nowMs);
        assertThat(poll(kills, nowMs)).isEqualTo(Action.RESTART);
        kills.onRestarted();
        kills.onBegun(victim);

        return victim;
    }

    private Action poll(final WorkerKills kills, final long nowMs)
    {
        return kills.poll(new Moment(
            nowMs, 0, false, List.of(), List.of(), workers, areServersWhole, true, true, 0, 0), areServersWhole);
    }

    private static WorkerKills begun(final long downMs, final String... orders)
    {
        final WorkerKills kills =
            new WorkerKills(Arrays.stream(orders).map(KillOrder::parse).toList(), downMs);
        kills.onTrainingBegan(START_MS);
        return kills;
    }
}
