// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;

import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkUnitsTest
{
    /** Two passes of three units: 4, 4 and 2 batches. */
    private static final WorkSpec SPEC = new WorkSpec(1, 10, 4, 2, true);
    private static final WorkSpec DROPPING = new WorkSpec(1, 10, 4, 2, false);

    private final CoordinatorState state = TestNodes.fixed(List.of(List.of(0)));
    private final WorkUnits work = state.work();
    private long nowMs = 1_000_000;

    @Test
    void shouldGiveWholeUnitsInOrderUntilASlotHasWhatItWants()
    {
        assertThat(report(0, 1, 0, 5).pieces()).containsExactly(new WorkPiece(0, 0, 4), new WorkPiece(1, 0, 4));
        assertThat(report(1, 1, 0, 1).pieces()).containsExactly(new WorkPiece(2, 0, 2));
        assertThat(report(1, 1, 0, 3).pieces()).containsExactly(new WorkPiece(2, 0, 2), new WorkPiece(3, 0, 4));
        assertThat(report(2, 1, 0, 0).pieces()).as("it wants nothing").isEmpty();
        assertThat(report(0, 1, 0, 8).pieces()).as("it has what it wants").hasSize(2);
    }

    @Test
    void shouldCountWhatIsDoneAndNameTheClockAtWhichTheRestBegins()
    {
        report(0, 1, 7, 8);
        final WorkAnswer answer = report(0, 1, 10, 8);
        assertThat(answer.floorClock()).isEqualTo(10);
        assertThat(answer.pieces())
            .containsExactly(new WorkPiece(0, 3, 1), new WorkPiece(1, 0, 4), new WorkPiece(2, 0, 2),
            new WorkPiece(3, 0, 4));
        assertThat(work.batchesDone()).isEqualTo(3);

        assertThat(report(0, 1, 8, 0).floorClock()).as("a report that comes late").isEqualTo(10);
        assertThat(work.batchesDone()).isEqualTo(3);
    }

    @Test
    void shouldBeOverOnceAllIsDone()
    {
        final WorkAnswer given = report(0, 1, 0, 100);
        assertThat(given.pieces()).hasSize(6);
        assertThat(report(0, 1, 19, 100).isOver()).isFalse();
        final WorkAnswer last = report(0, 1, 20, 100);
        assertThat(last.isOver()).isTrue();
        assertThat(last.batchesDone()).isEqualTo(20).isEqualTo(last.batchesTotal());
        assertThat(report(1, 1, 3, 100).isOver()).isTrue();
    }

    @Test
    void shouldGoOnInTheListWhereTheServersSayThatTheSlotIs()
    {
        report(0, 1, 100, 8);
        report(0, 1, 101, 8);
        final WorkAnswer answer = report(0, 2, 105, 8);

        assertThat(answer.floorClock()).isEqualTo(105);
        assertThat(answer.incarnation()).isEqualTo(2);
        assertThat(answer.pieces()).startsWith(new WorkPiece(1, 1, 3));
        assertThat(work.batchesDone()).isEqualTo(5);
    }

    @Test
    void shouldCountNothingAsDoneThatAPartitionLacks()
    {
        report(0, 1, 100, 8);
        report(0, 1, 101, 8);
        final WorkAnswer answer = takeOver(0, 2, new WorkReport.Found(1, 102, 105), 104);

        assertThat(answer.floorClock()).as("after what only some partitions have").isEqualTo(105);
        assertThat(answer.pieces()).startsWith(new WorkPiece(1, 1, 3));
        assertThat(work.batchesDone()).isEqualTo(2);
        assertThat(work.batchesLeftOut()).isEqualTo(3);
        assertThat(work.batchesDropped()).isZero();

        takeOver(0, 2, new WorkReport.Found(1, 102, 105), 105);
        assertThat(work.batchesLeftOut()).as("the same report again").isEqualTo(3);
        report(1, 1, 0, 100);
        report(1, 1, 10, 100);
        assertThat(report(0, 2, 110, 0).isOver()).as("what is left out is over").isTrue();
        assertThat(work.batchesDone()).isEqualTo(17);
    }

    @Test
    void shouldCountNothingAsDoneOfASlotWhoseProcessHasPushedAndNotReported()
    {
        report(0, 1, 100, 8);
        report(0, 1, 101, 8);
        takeOver(0, 3, new WorkReport.Found(2, 104, 105), 104);
        assertThat(work.batchesDone()).as("process 2 has told all partitions clock 104, whatever they had")
            .isEqualTo(1);
        assertThat(work.batchesLeftOut()).isEqualTo(4);

        takeOver(0, 5, new WorkReport.Found(3, 107, 107), 107);
        assertThat(work.batchesDone()).as("process 4 has pushed nothing").isEqualTo(3);
    }

    @Test
    void shouldLeaveOutWhatAnAdoptedSlotHasInPart()
    {
        report(0, 1, 0, 8);
        onReport(new WorkReport(0, 2, SPEC, new WorkReport.Found(1, 1, 4), 3, 3, 0, true, false));
        assertThat(work.batchesDone()).isEqualTo(1);
        assertThat(work.batchesLeftOut()).isEqualTo(3);
        assertThat(report(1, 1, 0, 4).pieces()).containsExactly(new WorkPiece(1, 0, 4));
    }

    @Test
    void shouldLeaveOutTheListOfASlotThatHasFinishedAsNobodyKnowsWhatOfItIsDone()
    {
        report(0, 1, 0, 8);
        final long finished = WorkReport.MAX_CLOCK;
        onReport(new WorkReport(0, 2, SPEC, new WorkReport.Found(1, 0, finished), finished, finished, 0, true, false));
        assertThat(work.batchesDone()).isZero();
        assertThat(work.batchesLeftOut()).isEqualTo(8);
    }

    @Test
    void shouldLeaveOutNothingOfWhatIsGivenAfterATakeover()
    {
        report(0, 1, 0, 4);
        takeOver(0, 2, new WorkReport.Found(1, 4, 5), 4);
        final WorkAnswer answer =
            onReport(new WorkReport(0, 2, SPEC, new WorkReport.Found(1, 4, 5), 4, 4, 4, false, false));
        assertThat(answer.floorClock()).isEqualTo(4);
        assertThat(answer.pieces()).containsExactly(new WorkPiece(1, 0, 4));
        assertThat(work.batchesLeftOut()).isZero();
    }

    @Test
    void shouldNotHearAProcessThatIsFenced()
    {
        report(0, 1, 100, 4);
        report(0, 2, 101, 4);
        final WorkAnswer answer = report(0, 1, 104, 4);

        assertThat(answer.incarnation()).as("says who has the slot").isEqualTo(2);
        assertThat(answer.pieces()).isEmpty();
        assertThat(work.batchesDone()).isEqualTo(1);
    }

    @Test
    void shouldGoOnBeforeTheListWhereServersHaveLostWhatWasAcknowledged()
    {
        report(0, 1, 100, 8);
        report(0, 1, 104, 8);
        final WorkAnswer answer = report(0, 2, 98, 4);

        assertThat(answer.floorClock()).isEqualTo(98);
        assertThat(answer.pieces()).startsWith(new WorkPiece(1, 0, 4));
        assertThat(work.batchesDone()).isEqualTo(4);
    }

    @Test
    void shouldBeginAtTheClockThatHasEndedWithoutWork()
    {
        final WorkAnswer answer = onReport(new WorkReport(0, 1, SPEC, 8, 7, 4, false));
        assertThat(answer.floorClock()).isEqualTo(8);
        assertThat(answer.pieces()).hasSize(1);
    }

    @Test
    void shouldGiveNothingBehindAListThatAProcessHasLeftBehind()
    {
        report(0, 1, 0, 4);
        assertThat(onReport(new WorkReport(0, 1, SPEC, 6, 2, 100, false)).pieces())
            .as("it would take the next two for done").containsExactly(new WorkPiece(0, 2, 2));
        final WorkAnswer answer = report(0, 1, 6, 4);
        assertThat(answer.floorClock()).isEqualTo(6);
        assertThat(answer.pieces()).containsExactly(new WorkPiece(1, 0, 4));
    }

    @Test
    void shouldGiveAgainWhatAProcessThatLeavesHasNotDone()
    {
        report(0, 1, 0, 8);
        final WorkAnswer left = leave(0, 1, 3);
        assertThat(left.pieces()).isEmpty();
        assertThat(left.adopt()).isEqualTo(WorkAnswer.NO_SLOT);
        assertThat(left.hasLeft()).isTrue();
        assertThat(report(0, 1, 3, 8).pieces()).as("what was on its way when it left").isEmpty();
        assertThat(report(0, 2, 3, 0).hasLeft()).as("a process after it").isFalse();
        assertThat(report(0, 1, 3, 8).hasLeft()).as("who has left is not told of the process after it").isFalse();

        assertThat(report(1, 1, 0, 6).pieces())
            .containsExactly(new WorkPiece(0, 3, 1), new WorkPiece(1, 0, 4), new WorkPiece(2, 0, 2));
        assertThat(work.unitsReissued()).isEqualTo(2);
        assertThat(work.slotsAdopted()).isZero();
    }

    @Test
    void shouldDropWhatAProcessThatLeavesHasNotDoneIfTheWorkIsSo()
    {
        onReport(new WorkReport(0, 1, DROPPING, 0, 0, 8, false));
        onReport(new WorkReport(0, 1, DROPPING, 3, 3, 0, true));
        assertThat(work.batchesDropped()).isEqualTo(5);
        onReport(new WorkReport(1, 1, DROPPING, 0, 0, 100, false));
        assertThat(onReport(new WorkReport(1, 1, DROPPING, 12, 12, 100, false)).isOver()).isTrue();
        assertThat(work.batchesDone()).isEqualTo(15);
        assertThat(work.unitsReissued()).isZero();
    }

    @Test
    void shouldLetOneIdleProcessAdoptTheSlotOfAProcessThatIsSilent()
    {
        report(0, 1, 0, 8);
        report(1, 1, 0, 100);
        nowMs += SlotLeases.LEASE_MS - 1;
        state.slots().onHeard(1, 1, nowMs);
        assertThat(report(2, 1, 0, 8).adopt()).as("it may live").isEqualTo(WorkAnswer.NO_SLOT);
        nowMs++;
        assertThat(report(2, 1, 0, 0).adopt()).as("it wants nothing").isEqualTo(WorkAnswer.NO_SLOT);
        final WorkAnswer answer = report(2, 1, 0, 8);
        assertThat(answer.adopt()).isZero();
        assertThat(answer.adoptIncarnation()).isEqualTo(nowMs);
        assertThat(report(3, 1, 0, 8).adopt()).as("one at a time").isEqualTo(WorkAnswer.NO_SLOT);
        nowMs++;
        assertThat(report(2, 1, 0, 8).adoptIncarnation()).as("told again").isEqualTo(nowMs - 1);

        assertThat(work.again).as("the process is not fenced yet").isEmpty();
        leave(0, nowMs - 1, 6);
        assertThat(work.batchesDone()).isEqualTo(6);
        assertThat(work.slotsAdopted()).isEqualTo(1);
        assertThat(report(2, 1, 0, 8).pieces()).containsExactly(new WorkPiece(1, 2, 2));
        assertThat(report(0, 1, 7, 8).incarnation()).as("is told that it is fenced").isEqualTo(nowMs - 1);
    }

    @Test
    void shouldGiveAProcessItsUnitsUntilItsAdopterHasFencedIt()
    {
        report(0, 1, 0, 8);
        report(1, 1, 0, 100);
        nowMs += SlotLeases.LEASE_MS;
        state.slots().onHeard(1, 1, nowMs);
        final long named = report(2, 1, 0, 8).adoptIncarnation();
        state.slots().onReach(0, named, nowMs);
        final WorkAnswer answer = report(0, 1, 1, 8);
        assertThat(answer.incarnation()).as("the adopter is on its way").isEqualTo(1);
        assertThat(answer.pieces()).isNotEmpty();
        state.slots().onReach(0, 1, nowMs + 1);
        assertThat(state.slots().heardMs(0)).isEqualTo(nowMs + 1);

        leave(0, named, 1);
        assertThat(report(0, 1, 1, 8).incarnation()).isEqualTo(named);
        state.slots().onReach(0, named + 1, nowMs);
        assertThat(state.slots().incarnation(0)).as("a process that has come by itself").isEqualTo(named + 1);
    }

    @Test
    void shouldNameAnotherAdopterWhenOneDoesNothing()
    {
        report(0, 1, 0, 8);
        report(1, 1, 0, 100);
        nowMs += SlotLeases.LEASE_MS;
        state.slots().onHeard(1, 1, nowMs);
        final WorkAnswer first = report(2, 1, 0, 8);
        nowMs += WorkUnits.ADOPT_MS - 1;
        state.slots().onHeard(1, 1, nowMs);
        assertThat(report(3, 1, 0, 8).adopt()).isEqualTo(WorkAnswer.NO_SLOT);
        nowMs++;
        final WorkAnswer second = report(3, 1, 0, 8);
        assertThat(second.adopt()).isZero();
        assertThat(second.adoptIncarnation()).isGreaterThan(first.adoptIncarnation());
    }

    @Test
    void shouldNameNoSecondSlotToAnAdopterThatHasOne()
    {
        report(0, 1, 0, 4);
        report(1, 1, 0, 4);
        report(2, 1, 0, 100);
        nowMs += SlotLeases.LEASE_MS;
        state.slots().onHeard(0, 1, nowMs);
        state.slots().onHeard(2, 1, nowMs);
        assertThat(report(3, 1, 0, 8).adopt()).isEqualTo(1);
        state.slots().leave(0, 1, false);
        assertThat(report(3, 1, 0, 8).adopt()).isEqualTo(1);
        assertThat(report(4, 1, 0, 8).adopt()).isZero();
    }

    @Test
    void shouldLetASlotThatWasLeftWithWorkBeAdoptedAtOnce()
    {
        report(0, 1, 0, 8);
        state.slots().leave(0, 1, false);
        assertThat(report(1, 1, 0, 100).adopt()).as("there is other work").isEqualTo(WorkAnswer.NO_SLOT);
        assertThat(report(1, 1, 12, 100).adopt()).isZero();
    }

    @Test
    void shouldGiveAgainWhatASlotThatHasFinishedHasLeft()
    {
        report(0, 1, 0, 8);
        state.slots().leave(0, 1, true);
        assertThat(report(1, 1, 0, 4).pieces()).containsExactly(new WorkPiece(0, 0, 4));
    }

    @Test
    void shouldLeaveTheListOfABoundJobWithItsSlot()
    {
        state.jobs.first().spec = state.job().with(new Consistency(2, 3));
        report(0, 1, 0, 8);
        report(1, 1, 0, 100);
        nowMs += SlotLeases.LEASE_MS;
        final WorkAnswer answer = report(1, 1, 12, 100);
        assertThat(answer.adopt()).as("slot 0 would hold others back").isEqualTo(WorkAnswer.NO_SLOT);
        assertThat(answer.isOver()).as("slot 1 must hold nobody back").isTrue();

        leave(0, 1, 3);
        assertThat(report(0, 2, 3, 8).pieces()).containsExactly(new WorkPiece(0, 3, 1), new WorkPiece(1, 0, 4));
        assertThat(report(0, 2, 8, 8).isOver()).isTrue();
        assertThat(work.batchesDone()).isEqualTo(20);
    }

    @Test
    void shouldGiveAgainTheListOfABoundSlotThatFinishes()
    {
        state.jobs.first().spec = state.job().with(new Consistency(2, 3));
        report(0, 1, 0, 8);
        leave(0, 1, 3);
        final WorkReport.Found found = new WorkReport.Found(0, 0, 0);
        onReport(new WorkReport(0, 1, SPEC, found, 5, 5, 0, true, false));
        assertThat(work.batchesDone()).as("a process that has left does something else").isEqualTo(3);
        final WorkAnswer answer = onReport(new WorkReport(0, 1, SPEC, found, 5, 5, 0, true, true));
        assertThat(answer.hasLeft()).isTrue();
        assertThat(answer.pieces()).isEmpty();
        assertThat(report(1, 1, 0, 5).pieces()).containsExactly(new WorkPiece(0, 3, 1), new WorkPiece(1, 0, 4));
    }

    @Test
    void shouldLeaveOutWhatAProcessHasEndedInABoundSlotAfterItHadLeft()
    {
        state.jobs.first().spec = state.job().with(new Consistency(2, 3));
        report(0, 1, 0, 8);
        leave(0, 1, 3);
        takeOver(0, 2, new WorkReport.Found(1, 5, 6), 5);
        assertThat(work.batchesDone()).isEqualTo(3);
        assertThat(work.batchesLeftOut()).isEqualTo(3);
    }

    /** Seed 330000005 of UNITS: the second process has left before it ended what the first may have begun. */
    @Test
    void shouldLeaveABatchOutOnceThoughTheNextProcessLeavesBeforeItHasEndedTheIteration()
    {
        state.jobs.first().spec = state.job().with(new Consistency(2, 3));
        report(0, 1, 0, 4);
        leave(0, 1, 1);
        takeOver(0, 2, new WorkReport.Found(1, 1, 2), 1);
        leave(0, 2, 1);
        assertThat(work.batchesLeftOut()).isEqualTo(1);

        final WorkAnswer answer = takeOver(0, 3, new WorkReport.Found(2, 1, 2), 1);
        assertThat(work.batchesLeftOut()).isEqualTo(1);
        assertThat(answer.floorClock()).isEqualTo(2);
        assertThat(answer.pieces()).startsWith(new WorkPiece(0, 2, 2));
    }

    @Test
    void shouldRefuseAnotherWorkUntilTheOneIsOver()
    {
        report(0, 1, 0, 100);
        final WorkSpec other = new WorkSpec(1, 11, 4, 2, true);
        final WorkSpec later = new WorkSpec(2, 3, 3, 1, true);
        for (final WorkSpec refused : List.of(other, later))
        {
            final WorkAnswer answer = onReport(new WorkReport(1, 1, refused, 0, 0, 5, false));
            assertThat(answer.work()).isEqualTo(SPEC);
            assertThat(answer.isOver()).isFalse();
            assertThat(answer.pieces()).isEmpty();
        }
        report(0, 1, 20, 100);
        assertThat(onReport(new WorkReport(1, 1, later, 50, 50, 5, false)).pieces())
            .containsExactly(new WorkPiece(0, 0, 3));
        final WorkAnswer late = report(0, 1, 20, 100);
        assertThat(late.isOver()).as("its work is over").isTrue();
        assertThat(late.workId()).isEqualTo(2);
        assertThat(late.asked()).isEqualTo(SPEC);
        assertThat(late.isReplaced()).as("all of it was done").isFalse();
        assertThat(work.batchesDone()).isZero();

        onReport(new WorkReport(1, 1, later, 53, 53, 5, false));
        report(0, 1, 20, 100);
        assertThat(work.spec()).as("a work does not begin anew").isEqualTo(later);
    }

    @Test
    void shouldLetAnotherWorkReplaceOneThatAllProcessesHaveLeft()
    {
        final WorkReport later = new WorkReport(2, 1, new WorkSpec(2, 3, 3, 1, true), 0, 0, 5, false);
        report(0, 1, 0, 4);
        report(1, 1, 0, 4);
        report(2, 1, 0, 0);
        leave(2, 1, 0);
        state.slots().leave(0, 1, false);
        assertThat(onReport(later).workId()).as("slot 1 is at work").isEqualTo(1);
        state.slots().onHeard(1, 2, nowMs);
        assertThat(onReport(later).workId()).as("by a process that does something else").isEqualTo(2);
        final WorkAnswer late = report(1, 2, 4, 4);
        assertThat(late.isOver()).isTrue();
        assertThat(late.isReplaced()).as("12 of its batches are not done").isTrue();

        onReport(new WorkReport(1, 2, later.spec(), 0, 0, 5, false));
        nowMs += SlotLeases.LEASE_MS;
        final WorkSpec last = new WorkSpec(3, 3, 3, 1, true);
        assertThat(onReport(new WorkReport(3, 1, last, 0, 0, 5, false)).pieces()).as("silent").hasSize(1);
        assertThat(work.spec()).isEqualTo(last);
        assertThat(onReport(later).isReplaced()).isTrue();
        assertThat(report(1, 2, 4, 4).isReplaced()).as("as it was").isTrue();
        assertThat(work.openBatches(1)).as("what was given of the work before").isZero();
    }

    @Test
    void shouldGiveASlotNoMorePiecesThanItMayHold()
    {
        final WorkSpec large = new WorkSpec(1, WorkSpec.MAX_BATCHES, 1, 1, true);
        assertThat(onReport(new WorkReport(0, 1, large, 0, 0, Integer.MAX_VALUE, false)).pieces())
            .hasSize(WorkUnits.MAX_PIECES);
        assertThat(onReport(new WorkReport(0, 1, large, 1, 1, Integer.MAX_VALUE, false)).pieces())
            .hasSize(WorkUnits.MAX_PIECES);
    }

    @Test
    void shouldAnswerNothingWithoutAJob()
    {
        final CoordinatorState empty = new CoordinatorState();
        assertThat(empty.work().onReport(new WorkReport(0, 1, SPEC, 0, 0, 1, false), 1)).isNull();
    }

    private WorkAnswer report(final int slot, final long incarnation, final long clock, final int wanted)
    {
        return onReport(new WorkReport(slot, incarnation, SPEC, clock, clock, wanted, false));
    }

    private WorkAnswer takeOver(
        final int slot, final long incarnation, final WorkReport.Found found, final long clock)
    {
        return onReport(new WorkReport(slot, incarnation, SPEC, found, clock, clock, 0, false, false));
    }

    private WorkAnswer leave(final int slot, final long incarnation, final long clock)
    {
        return onReport(new WorkReport(slot, incarnation, SPEC, clock, clock, 0, true));
    }

    private WorkAnswer onReport(final WorkReport report)
    {
        return work.onReport(report, nowMs);
    }
}
