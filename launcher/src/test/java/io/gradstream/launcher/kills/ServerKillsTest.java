// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.launcher.kills.KillOrder.Target;
import io.gradstream.launcher.kills.KillSchedule.Action;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ServerKillsTest
{
    private static final long START_MS = 1_000_000;
    private static final int NODES = 2;
    private static final int PARTITIONS = 4;
    private static final int WORKERS = 2;
    private static final List<Integer> IN_TURN = List.of(0, 1, 0, 1);

    private List<Integer> heads = IN_TURN;
    private List<Integer> servers = List.of(0, 1);
    private int workers = WORKERS;
    private boolean isWhole = true;

    @Test
    void shouldDoNothingWhenNoKillIsAskedFor()
    {
        final ServerKills kills = begun(Target.SERVER);

        assertThat(poll(kills, START_MS, 1, true)).isEqualTo(Action.NONE);
    }

    @Test
    void shouldNotKillBeforeTrainingBegan()
    {
        assertThat(poll(schedule(0, Target.SERVER, "0s"), START_MS, 0, false)).isEqualTo(Action.NONE);
    }

    @Test
    void shouldKillWhenTheTimeHasCome()
    {
        final ServerKills kills = begun(Target.SERVER, "3s");

        assertThat(poll(kills, START_MS + 2_999, 0.9, true)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 3_000, 0, false)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldKillWhenTheShareIsDone()
    {
        final ServerKills kills = begun(Target.SERVER, "40%");

        assertThat(poll(kills, START_MS, 0.39, false)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS, 0.4, false)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldKillAtAShareWhenAllWorkersAreHeldBeforeIt()
    {
        assertThat(poll(begun(Target.SERVER, "100%"), START_MS, 0.9, true)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldReleaseWhenServiceIsBackAfterTheLastKill()
    {
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);

        assertThat(poll(kills, START_MS + 1, 1, true)).isEqualTo(Action.NONE);
        bringBack(kills, IN_TURN, 1, START_MS + 700);

        assertThat(kills.isAway()).isFalse();
        assertThat(poll(kills, START_MS + 701, 1, true)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
        assertThat(poll(kills, START_MS + 702, 1, true)).isEqualTo(Action.NONE);
    }

    @Test
    void shouldMeasureTheGapToTheLastPartitionOfTheNode()
    {
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);
        kills.onServiceBack(0, 0, 2, START_MS + 900);
        kills.onServiceBack(1, 0, 1, START_MS + 800);
        kills.onServiceBack(0, 2, 0, START_MS + 100);
        kills.onServiceBack(1, 2, 3, START_MS + 850);

        assertThat(kills.outages()).containsExactly(new Outage(START_MS, 850, 6));
    }

    @Test
    void shouldIgnoreReportsOfOtherNodesAndOfBeforeTheKill()
    {
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);
        for (int slot = 0; slot < WORKERS; slot++)
        {
            kills.onServiceBack(slot, 1, 1, START_MS + 10);
            kills.onServiceBack(slot, 3, 1, START_MS + 10);
        }
        bringBack(kills, IN_TURN, 1, START_MS - 10);

        assertThat(kills.isAway()).isTrue();
    }

    @Test
    void shouldRepeatAKillThatMetNothingInFlight()
    {
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);

        assertThat(bringBack(kills, IN_TURN, 0, START_MS + 10)).isTrue();
        assertThat(poll(kills, START_MS + 11, 0, false)).isEqualTo(Action.KILL);
        assertThat(kills.victims()).containsExactly(0);
        assertThat(kills.outages()).isEmpty();
    }

    @Test
    void shouldFailWhenNoTryMeetsAPush()
    {
        final ServerKills kills = begun(Target.SERVER, "0s");
        for (int i = 0; i < ServerKills.MAX_TRIES; i++)
        {
            kill(kills, START_MS + i);
            bringBack(kills, IN_TURN, 0, START_MS + i);
        }

        assertThat(poll(kills, START_MS + 100, 0, false)).isEqualTo(Action.FAIL_NOT_COUNTED);
    }

    @Test
    void shouldFailWhenTheNodeStaysAway()
    {
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);

        assertThat(poll(kills, START_MS + ServerKills.MAX_AWAY_MS, 0, false)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + ServerKills.MAX_AWAY_MS + 1, 0, false)).isEqualTo(Action.FAIL_AWAY);
    }

    @Test
    void shouldTakeTurnsAndWaitForServiceBetweenKills()
    {
        final ServerKills kills = begun(Target.SERVER, "1s", "1s");
        kill(kills, START_MS + 1000);
        assertThat(poll(kills, START_MS + 5000, 0.5, false)).isEqualTo(Action.NONE);
        bringBack(kills, IN_TURN, 1, START_MS + 5000);

        kill(kills, START_MS + 5001);
        assertThat(kills.victims()).containsExactly(1);
        bringBack(kills, IN_TURN, 2, START_MS + 6001);
        assertThat(kills.outages()).extracting(Outage::gapMs).containsExactly(4000L, 1000L);
        assertThat(poll(kills, START_MS + 6002, 0.6, false)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
    }

    @Test
    void shouldLeaveTheNodeDownAsLongAsAskedFor()
    {
        final ServerKills kills = schedule(10_000, Target.SERVER, "0s");
        kills.onTrainingBegan(START_MS);
        assertThat(poll(kills, START_MS, 0, false)).isEqualTo(Action.KILL);
        kills.onKilled(START_MS);

        assertThat(poll(kills, START_MS + 9_999, 0, false)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 10_000, 0, false)).isEqualTo(Action.RESTART);
        kills.onRestarted();
        assertThat(poll(kills, START_MS + 10_001, 0, false)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 10_000 + ServerKills.MAX_AWAY_MS, 0, false)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 10_001 + ServerKills.MAX_AWAY_MS, 0, false)).isEqualTo(Action.FAIL_AWAY);
    }

    @Test
    void shouldKillThePrimaryOfTheMostPartitionsWhereverItIs()
    {
        heads = List.of(0, 1, 1, 1);
        final ServerKills kills = begun(Target.PRIMARY, "0s", "0s");
        kill(kills, START_MS);
        assertThat(kills.victims()).containsExactly(1);

        kills.onServiceBack(0, 0, 1, START_MS + 1);
        kills.onServiceBack(1, 0, 1, START_MS + 1);
        heads = List.of(0, 0, 0, 0);
        for (int partition = 1; partition < PARTITIONS; partition++)
        {
            assertThat(kills.isAway()).isTrue();
            kills.onServiceBack(0, partition, 1, START_MS + 300);
            kills.onServiceBack(1, partition, 1, START_MS + 310);
        }
        assertThat(kills.outages()).containsExactly(new Outage(START_MS, 300, 6));

        kill(kills, START_MS + 1000);
        assertThat(kills.victims()).containsExactly(0);
    }

    @Test
    void shouldKillThePrimaryOfTheFirstPartitionWhenOthersHaveAsMany()
    {
        heads = List.of(1, 0, 0, 1);
        final ServerKills kills = begun(Target.PRIMARY, "0s");
        kill(kills, START_MS);

        assertThat(kills.victims()).containsExactly(1);
    }

    @Test
    void shouldWaitForAllCopiesBeforeTheNextKill()
    {
        final ServerKills kills = begun(Target.PRIMARY, "0s", "0s");
        kill(kills, START_MS);
        isWhole = false;
        bringBack(kills, IN_TURN, 1, START_MS + 300);

        assertThat(poll(kills, START_MS + 301, 1, true)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 301 + ServerKills.MAX_AWAY_MS, 1, true)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + 302 + ServerKills.MAX_AWAY_MS, 1, true)).isEqualTo(Action.FAIL_NOT_WHOLE);
        isWhole = true;
        assertThat(poll(kills, START_MS + 303 + ServerKills.MAX_AWAY_MS, 1, true)).isEqualTo(Action.KILL);
    }

    @Test
    void shouldReleaseWhenServiceIsBackThoughACopyIsMissing()
    {
        final ServerKills kills = begun(Target.PRIMARY, "0s");
        kill(kills, START_MS);
        isWhole = false;
        bringBack(kills, IN_TURN, 1, START_MS + 300);

        assertThat(poll(kills, START_MS + 301, 1, true)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
    }

    @Test
    void shouldCountTheKillOfAStandbyWhenAllCopiesAreBack()
    {
        heads = List.of(1, 1, 1, 1);
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);
        isWhole = false;
        assertThat(poll(kills, START_MS + 1, 0, false)).isEqualTo(Action.NONE);
        assertThat(kills.outages()).isEmpty();
        isWhole = true;

        assertThat(poll(kills, START_MS + 2, 0, false)).isEqualTo(Action.NONE);
        assertThat(kills.outages()).containsExactly(new Outage(START_MS, 0, 0));
        assertThat(poll(kills, START_MS + 3, 0, false)).isEqualTo(Action.NONE);
        assertThat(kills.isDone()).isTrue();
    }

    @Test
    void shouldKillTheServerThatWasNamedAgainAndAgain()
    {
        final ServerKills kills = new ServerKills(
            List.of(KillOrder.parse("server:1@0s"), KillOrder.parse("server:1@0s")), NODES, PARTITIONS, 0);
        kills.onTrainingBegan(START_MS);
        kill(kills, START_MS);
        assertThat(kills.victims()).containsExactly(1);
        bringBack(kills, IN_TURN, 1, START_MS + 1);

        kill(kills, START_MS + 2);
        assertThat(kills.victims()).containsExactly(1);
    }

    @Test
    void shouldWaitForTheReportsOfTheWorkersThatWereThereAtTheKill()
    {
        workers = 1;
        final ServerKills kills = begun(Target.SERVER, "0s", "0s");
        kill(kills, START_MS);
        workers = 2;
        reportBack(kills, 0, START_MS + 1);
        assertThat(kills.isAway()).isFalse();

        kill(kills, START_MS + 2);
        reportBack(kills, 0, START_MS + 3);
        assertThat(kills.isAway()).isTrue();
        reportBack(kills, 1, START_MS + 3);
        assertThat(kills.isAway()).isFalse();
    }

    @Test
    void shouldNotTakeTheReportOfAWorkerThatWasNotThereAtTheKill()
    {
        workers = 1;
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);

        reportBack(kills, 1, START_MS + 1);

        assertThat(kills.isAway()).isTrue();
    }

    private static void reportBack(final ServerKills kills, final int slot, final long ackMs)
    {
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            kills.onServiceBack(slot, partition, 1, ackMs);
        }
    }

    @Test
    void shouldKillAllServersAtOnce()
    {
        final ServerKills kills = begun(Target.ALL, "0s");
        kill(kills, START_MS);
        assertThat(kills.victims()).containsExactly(0, 1);

        bringBack(kills, IN_TURN, 1, START_MS + 500);
        assertThat(kills.isAway()).isTrue();
        bringBack(kills, List.of(1, 0, 1, 0), 1, START_MS + 600);
        assertThat(kills.outages()).containsExactly(new Outage(START_MS, 600, 8));
    }

    @Test
    void shouldTakeTurnsAmongTheServersThatRun()
    {
        servers = List.of(1);
        final ServerKills kills = begun(Target.SERVER, "0s");
        kill(kills, START_MS);

        assertThat(kills.victims()).containsExactly(1);
    }

    @Test
    void shouldSayWhatToDoIfTheServerDoesNotRun()
    {
        servers = List.of(0);
        final ServerKills kills =
            new ServerKills(List.of(KillOrder.parse("server:1@0s")), NODES, PARTITIONS, 0);
        kills.onTrainingBegan(START_MS);

        assertThatThrownBy(() -> poll(kills, START_MS, 0, false)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("server 1 cannot be killed").hasMessageContaining("before it is drained");
    }

    @Test
    void shouldEndADrawnKillWhenAllIsWholeWhetherOrNotItMetAPush()
    {
        final ServerKills kills = begun(Target.SERVER);
        for (int i = 0; i < 2 * ServerKills.MAX_TRIES; i++)
        {
            kills.add(drawn(0));
            isWhole = true;
            kill(kills, START_MS + 1000 * i);
            isWhole = false;
            bringBack(kills, IN_TURN, i % 2, START_MS + 1000 * i + 300);
            assertThat(poll(kills, START_MS + 1000 * i + 400, 0, false)).isEqualTo(Action.NONE);
            assertThat(kills.isAway()).isTrue();
            isWhole = true;
            assertThat(poll(kills, START_MS + 1000 * i + 500, 0, false)).isEqualTo(Action.NONE);
            assertThat(kills.isDone()).isTrue();
        }

        assertThat(kills.outages()).hasSize(2 * ServerKills.MAX_TRIES).allMatch((outage) -> 300 == outage.gapMs());
    }

    @Test
    void shouldLetServersStandStillAndCallNoneOfThatAnOutage()
    {
        final ServerKills kills = begun(Target.SERVER);
        for (int i = 0; i < 2 * ServerKills.MAX_TRIES; i++)
        {
            final long beganMs = START_MS + 10_000 * i;
            kills.add(drawn(2_000));
            assertThat(poll(kills, beganMs, 0, false)).isEqualTo(Action.KILL);
            kills.onKilled(beganMs);
            assertThat(poll(kills, beganMs + 1_999, 0, false)).isEqualTo(Action.NONE);
            assertThat(poll(kills, beganMs + 2_000, 0, false)).isEqualTo(Action.RESTART);
            kills.onRestarted();
            assertThat(poll(kills, beganMs + 2_001, 0, false)).isEqualTo(Action.NONE);
            assertThat(kills.isDone()).isTrue();
        }

        assertThat(kills.outages()).isEmpty();
    }

    @Test
    void shouldWaitLongerForWhatWasDrawn()
    {
        final ServerKills kills = begun(Target.SERVER);
        kills.add(drawn(0));
        kill(kills, START_MS);
        isWhole = false;

        assertThat(poll(kills, START_MS + KillSchedule.MAX_AWAY_DRAWN_MS, 0, false)).isEqualTo(Action.NONE);
        assertThat(poll(kills, START_MS + KillSchedule.MAX_AWAY_DRAWN_MS + 1, 0, false)).isEqualTo(Action.FAIL_AWAY);
        assertThat(kills.awaySeconds()).isEqualTo(600);
    }

    private static KillOrder drawn(final long pauseMs)
    {
        return new KillOrder(Target.SERVER, 0, new KillTime(0, 0), true, pauseMs);
    }

    private static ServerKills schedule(final long downMs, final Target target, final String... whens)
    {
        final List<KillOrder> orders = new ArrayList<>();
        for (final String when : whens)
        {
            orders.add(new KillOrder(target, KillOrder.NEXT, KillTime.parse(when)));
        }

        return new ServerKills(orders, NODES, PARTITIONS, downMs);
    }

    private static ServerKills begun(final Target target, final String... whens)
    {
        final ServerKills kills = schedule(0, target, whens);
        kills.onTrainingBegan(START_MS);
        return kills;
    }

    private Action poll(final ServerKills kills, final long nowMs, final double shareDone, final boolean isAllHeld)
    {
        return kills.poll(new Moment(
            nowMs, shareDone, isAllHeld, heads, servers, workers, isWhole, true, true, 0, 0), isWhole);
    }

    private void kill(final ServerKills kills, final long nowMs)
    {
        assertThat(poll(kills, nowMs, 0, false)).isEqualTo(Action.KILL);
        kills.onKilled(nowMs);
        assertThat(poll(kills, nowMs, 0, false)).isEqualTo(Action.RESTART);
        kills.onRestarted();
    }

    /**
     * Every worker reports the partitions that the first victim was primary of, by these primaries.
     */
    private static boolean bringBack(
        final ServerKills kills, final List<Integer> primaries, final int outstanding, final long ackMs)
    {
        boolean isWasted = false;
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            for (int slot = 0; slot < WORKERS; slot++)
            {
                isWasted |= primaries.get(partition).equals(kills.victims().get(0)) &&
                    kills.onServiceBack(slot, partition, outstanding, ackMs);
            }
        }

        return isWasted;
    }
}
