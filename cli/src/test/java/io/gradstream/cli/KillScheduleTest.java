/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli;

import java.util.List;

import io.gradstream.cli.KillSchedule.Action;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KillScheduleTest
{
    private static final long START_MS = 1_000_000;
    private static final int NODES = 2;
    private static final int PARTITIONS = 4;
    private static final int WORKERS = 2;

    @Test
    void shouldDoNothingWhenNoKillIsAskedFor()
    {
        final KillSchedule kills = schedule();
        kills.onTrainingBegan(START_MS);

        assertThat(kills.poll(START_MS, 1, true)).isEqualTo(Action.NONE);
    }

    @Test
    void shouldNotKillBeforeTrainingBegan()
    {
        assertThat(schedule("0s").poll(START_MS, 0, false)).isEqualTo(Action.NONE);
    }

    @Test
    void shouldKillWhenTheTimeHasCome()
    {
        final KillSchedule kills = begun("3s");

        assertThat(kills.poll(START_MS + 2_999, 0.9, true)).isEqualTo(Action.NONE);
        assertThat(kills.poll(START_MS + 3_000, 0, false)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldKillWhenTheShareIsDone()
    {
        final KillSchedule kills = begun("40%");

        assertThat(kills.poll(START_MS, 0.39, false)).isEqualTo(Action.NONE);
        assertThat(kills.poll(START_MS, 0.4, false)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldKillAtAShareWhenAllWorkersAreHeldBeforeIt()
    {
        assertThat(begun("100%").poll(START_MS, 0.9, true)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldReleaseWhenServiceIsBackAfterTheLastKill()
    {
        final KillSchedule kills = begun("0s");
        kill(kills, START_MS);

        assertThat(kills.poll(START_MS + 1, 1, true)).isEqualTo(Action.NONE);
        bringBack(kills, 0, 1, START_MS + 700);

        assertThat(kills.isAway()).isFalse();
        assertThat(kills.poll(START_MS + 701, 1, true)).isEqualTo(Action.RELEASE);
        assertThat(kills.poll(START_MS + 702, 1, true)).isEqualTo(Action.NONE);
    }

    @Test
    void shouldMeasureTheGapToTheLastPartitionOfTheNode()
    {
        final KillSchedule kills = begun("0s");
        kill(kills, START_MS);
        kills.onServiceBack(0, 0, 2, START_MS + 900);
        kills.onServiceBack(1, 0, 1, START_MS + 800);
        kills.onServiceBack(0, 2, 0, START_MS + 100);
        kills.onServiceBack(1, 2, 3, START_MS + 850);

        assertThat(kills.serviceGapsMs()).containsExactly(850L);
        assertThat(kills.outstandingInOutage()).containsExactly(6);
    }

    @Test
    void shouldIgnoreReportsOfOtherNodesAndOfBeforeTheKill()
    {
        final KillSchedule kills = begun("0s");
        kill(kills, START_MS);
        bringBack(kills, 1, 1, START_MS + 10);
        bringBack(kills, 0, 1, START_MS - 10);

        assertThat(kills.isAway()).isTrue();
    }

    @Test
    void shouldRepeatAKillThatMetNothingInFlight()
    {
        final KillSchedule kills = begun("0s");
        kill(kills, START_MS);

        assertThat(bringBack(kills, 0, 0, START_MS + 10)).isTrue();
        assertThat(kills.poll(START_MS + 11, 0, false)).isEqualTo(Action.KILL);
        assertThat(kills.node()).isZero();
        assertThat(kills.serviceGapsMs()).isEmpty();
    }

    @Test
    void shouldFailWhenNoTryMeetsAPush()
    {
        final KillSchedule kills = begun("0s");
        for (int i = 0; i < KillSchedule.MAX_TRIES; i++)
        {
            kill(kills, START_MS + i);
            bringBack(kills, 0, 0, START_MS + i);
        }

        assertThat(kills.poll(START_MS + 100, 0, false)).isEqualTo(Action.FAIL_NOT_COUNTED);
    }

    @Test
    void shouldFailWhenTheNodeStaysAway()
    {
        final KillSchedule kills = begun("0s");
        kill(kills, START_MS);

        assertThat(kills.poll(START_MS + KillSchedule.MAX_AWAY_MS, 0, false)).isEqualTo(Action.NONE);
        assertThat(kills.poll(START_MS + KillSchedule.MAX_AWAY_MS + 1, 0, false)).isEqualTo(Action.FAIL_AWAY);
    }

    @Test
    void shouldTakeTurnsAndWaitForServiceBetweenKills()
    {
        final KillSchedule kills = begun("1s", "1s");
        kill(kills, START_MS + 1000);
        assertThat(kills.poll(START_MS + 5000, 0.5, false)).isEqualTo(Action.NONE);
        bringBack(kills, 0, 1, START_MS + 5000);

        assertThat(kills.node()).isEqualTo(1);
        kill(kills, START_MS + 5001);
        bringBack(kills, 1, 2, START_MS + 6001);
        assertThat(kills.serviceGapsMs()).containsExactly(4000L, 1000L);
        assertThat(kills.poll(START_MS + 6002, 0.6, false)).isEqualTo(Action.RELEASE);
    }

    private static KillSchedule schedule(final String... whens)
    {
        return new KillSchedule(List.of(whens).stream().map(When::parse).toList(), NODES, PARTITIONS, WORKERS);
    }

    private static KillSchedule begun(final String... whens)
    {
        final KillSchedule kills = schedule(whens);
        kills.onTrainingBegan(START_MS);
        return kills;
    }

    private static void kill(final KillSchedule kills, final long nowMs)
    {
        assertThat(kills.poll(nowMs, 0, false)).isEqualTo(Action.KILL);
        kills.onKilled(nowMs);
    }

    private static boolean bringBack(
        final KillSchedule kills, final int node, final int outstanding, final long ackMs)
    {
        boolean isWasted = false;
        for (int partition = node; partition < PARTITIONS; partition += NODES)
        {
            for (int slot = 0; slot < WORKERS; slot++)
            {
                isWasted |= kills.onServiceBack(slot, partition, outstanding, ackMs);
            }
        }

        return isWasted;
    }
}
