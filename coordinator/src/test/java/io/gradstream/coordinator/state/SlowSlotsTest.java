// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The work of a slot whose process lives and is slow is taken away, and that of a slot that cannot go on is not. */
class SlowSlotsTest
{
    /** Two passes of three units: 4, 4 and 2 batches. */
    private static final WorkSpec SPEC = new WorkSpec(1, 10, 4, 2, true);

    private final CoordinatorState state = TestNodes.fixed(List.of(List.of(0)));
    private final WorkUnits work = state.work();
    private final long[] clockOf = new long[3];
    private WorkSpec spec = SPEC;
    private long nowMs = 1_000_000;

    @Test
    void shouldTakeNoWorkFromASlowProcessWhereServersMayForgetThatItWasFenced()
    {
        state.jobs.first().spec = new JobSpec(1, 1, 1, 1, 1, JobSpec.MAX_REPAIR_DELAY_MS, RecoveryMode.CHECKPOINT);
        single(51);
        give(0, 1);
        give(1, 50);
        assertThat(end(1, 50, 100).adopt()).isEqualTo(WorkAnswer.NO_SLOT);
        nowMs += SlotLeases.LEASE_MS;
        state.slots().onHeard(1, 1, nowMs);
        assertThat(onReport(new WorkReport(1, 1, spec, 50, 50, 100, false)).adopt()).as("it is silent").isZero();
    }

    @Test
    void shouldNotCallAProcessSlowBeforeItHasTakenLong()
    {
        single(51);
        give(0, 1);
        give(1, 50);
        end(1, 49, 100);
        assertThat(end(1, 50, 99).adopt()).isEqualTo(WorkAnswer.NO_SLOT);
        nowMs += 1_000;
        assertThat(end(1, 50, 0).adopt()).as("nobody has ended anything since").isEqualTo(WorkAnswer.NO_SLOT);
    }

    @Test
    void shouldLetTheSlotOfASlowProcessBeAdopted()
    {
        single(51);
        give(0, 1);
        give(1, 50);
        end(1, 49, 100);
        assertThat(end(1, 50, 100).adopt()).isZero();
    }

    @Test
    void shouldCallAProcessSlowInTheEndAlthoughNobodyElseEndsAPiece()
    {
        report(0, 1, 0, 8);
        report(1, 1, 0, 100);
        nowMs += 400;
        report(1, 1, 12, 100);
        nowMs += WorkUnits.LEAST_SLOW_MS;
        report(0, 1, 4, 8);
        assertThat(report(1, 1, 12, 100).adopt()).as("it has just ended a piece").isEqualTo(WorkAnswer.NO_SLOT);
        nowMs += WorkUnits.LONE_SLOW_MS - 1;
        report(0, 1, 5, 8);
        assertThat(report(1, 1, 12, 100).adopt()).isEqualTo(WorkAnswer.NO_SLOT);
        nowMs++;
        assertThat(report(1, 1, 12, 100).adopt()).as("it is in the middle of the next one").isZero();
    }

    @Test
    void shouldCallNobodySlowWhoIsAsSlowAsOthers()
    {
        single(5);
        give(0, 1);
        give(1, 4);
        end(1, 2, 2_000);
        assertThat(end(1, 4, 1_999).adopt()).as("a batch takes 2 s").isEqualTo(WorkAnswer.NO_SLOT);
    }

    @Test
    void shouldCallAProcessSlowThatTakesFourTimesAsLongAsOthers()
    {
        single(5);
        give(0, 1);
        give(1, 4);
        end(1, 3, 2_000);
        assertThat(end(1, 4, 2_000).adopt()).isZero();
    }

    @Test
    void shouldMeasureByTheBatchAsPiecesAreNotOfOneLength()
    {
        spec = new WorkSpec(1, 12, 10, 1, true);
        give(0, 1);
        give(1, 1);
        nowMs += 20_000;
        end(1, 2, 0);
        nowMs += 379_999;
        end(0, 9, 0);
        assertThat(end(1, 2, 0).adopt()).as("it has ten batches to do, the other had two")
            .isEqualTo(WorkAnswer.NO_SLOT);
        nowMs++;
        assertThat(end(1, 2, 0).adopt()).isZero();
    }

    @Test
    void shouldCallNobodySlowForTheTimeInWhichNobodyCouldEndAPiece()
    {
        single(6);
        give(0, 2);
        give(1, 2);
        give(2, 2);
        nowMs += 100;
        end(0, 1, 0);
        end(1, 1, 0);
        end(2, 2, 0);
        nowMs += 30_000;
        end(0, 1, 0);
        end(1, 1, 0);
        assertThat(end(2, 2, 0).adopt()).as("a server is away").isEqualTo(WorkAnswer.NO_SLOT);
        assertThat(end(1, 2, 0).adopt()).as("it is back").isEqualTo(WorkAnswer.NO_SLOT);
        assertThat(end(2, 2, 0).adopt()).isEqualTo(WorkAnswer.NO_SLOT);
        nowMs += WorkUnits.LONE_SLOW_MS;
        end(0, 1, 0);
        assertThat(end(2, 2, 0).adopt()).isZero();
    }

    @Test
    void shouldGiveAProcessThatTakesOverItsOwnTime()
    {
        report(0, 1, 0, 8);
        report(1, 1, 0, 100);
        nowMs += 400;
        report(1, 1, 12, 100);
        nowMs += 100_000;
        report(0, 2, 5, 8);
        assertThat(report(1, 1, 12, 100).adopt()).isEqualTo(WorkAnswer.NO_SLOT);
        assertThat(work.durations.kept()).as("what it found done took no time").containsOnly(33_333);
        nowMs += WorkUnits.LONE_SLOW_MS;
        state.onNewLeader(nowMs);
        assertThat(report(1, 1, 12, 100).adopt()).as("nor while nobody led").isEqualTo(WorkAnswer.NO_SLOT);
        nowMs += WorkUnits.LONE_SLOW_MS;
        assertThat(report(1, 1, 12, 100).adopt()).isZero();
    }

    private WorkAnswer report(final int slot, final long incarnation, final long clock, final int wanted)
    {
        return onReport(new WorkReport(slot, incarnation, SPEC, clock, clock, wanted, false));
    }

    private void single(final int units)
    {
        spec = new WorkSpec(1, units, 1, 1, true);
    }

    private void give(final int slot, final int wanted)
    {
        onReport(new WorkReport(slot, 1, spec, 0, 0, wanted, false));
    }

    /** All show life, and a slot reports each of its clocks up to one, each of which takes a while. */
    private WorkAnswer end(final int slot, final long clock, final long batchMs)
    {
        WorkAnswer answer = null;
        for (long at = Math.min(clock, clockOf[slot] + 1); at <= clock; at++)
        {
            nowMs += batchMs;
            for (final int known : state.slots().known())
            {
                state.slots().onHeard(known, 1, nowMs);
            }
            answer = onReport(new WorkReport(slot, 1, spec, at, at, 100, false));
        }
        clockOf[slot] = clock;

        return answer;
    }

    private WorkAnswer onReport(final WorkReport report)
    {
        return work.onReport(report, nowMs);
    }
}
