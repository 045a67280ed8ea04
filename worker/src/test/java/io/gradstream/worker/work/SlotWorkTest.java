// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.work;

import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static io.gradstream.worker.work.SlotWork.REPORT_INTERVAL_NS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The slot's clock says which batches of its list are next; reports say what is acknowledged, and not too often. */
class SlotWorkTest implements SlotWork.Coordinators
{
    private static final WorkSpec SPEC = new WorkSpec(3, 10, 4, 2, true);
    private static final WorkSpec BEFORE = new WorkSpec(2, 6, 3, 1, true);
    private static final int SLOT = 5;
    private static final long INCARNATION = 7;

    private final List<WorkReport> reports = new ArrayList<>();
    private WorkAnswer answer;
    private long nowNs = 17;
    private long doneTickets;
    private int finishing;

    @Test
    void shouldAskForNothingFirstAndForAUnitAtOnceWhenNothingWasLeft()
    {
        final SlotWork work = work(0);
        work.doWork(nowNs);
        work.doWork(nowNs);
        assertThat(reports).containsExactly(reported(0, 0, 0, false));

        answer(0, List.of());
        work.doWork(nowNs);

        assertThat(work.next(nowNs)).isNull();
        assertThat(reports).hasSize(2).last().isEqualTo(reported(0, 0, 1, false));
    }

    @Test
    void shouldSayWhichBatchesOfWhichPassAreNext()
    {
        final SlotWork work = work(20);
        work.doWork(nowNs);
        answer(20, List.of(new WorkPiece(2, 0, 2), new WorkPiece(3, 1, 3)));
        work.doWork(nowNs);

        assertThat(work.next(nowNs)).isEqualTo(new WorkUnit(0, 2, 8, 2));
        work.onClock(1, nowNs);
        assertThat(work.next(nowNs)).isEqualTo(new WorkUnit(0, 2, 9, 1));
        work.onClock(2, nowNs);
        assertThat(work.next(nowNs)).isEqualTo(new WorkUnit(1, 3, 1, 3));
    }

    @Test
    void shouldEndTheBatchesThatTheCoordinatorsLeaveOutAndGoOnAfterThem()
    {
        final SlotWork work = work(22);
        work.doWork(nowNs);
        answer(23, List.of(new WorkPiece(0, 3, 1)));
        work.doWork(nowNs);

        assertThat(work.isBegunBefore()).isTrue();
        work.onClock(1, nowNs);
        assertThat(work.isBegunBefore()).isFalse();
        assertThat(work.next(nowNs)).isEqualTo(new WorkUnit(0, 0, 3, 1));
    }

    @Test
    void shouldLeaveOutNothingWhereTheCoordinatorsDoNot()
    {
        final SlotWork idle = work(22);
        idle.doWork(nowNs);
        answer(0, List.of());
        idle.doWork(nowNs);
        assertThat(idle.isBegunBefore()).isFalse();

        final SlotWork unpushed = work(0);
        unpushed.doWork(nowNs);
        answer(0, List.of(new WorkPiece(0, 0, 4)));
        unpushed.doWork(nowNs);
        assertThat(unpushed.isBegunBefore()).isFalse();
    }

    @Test
    void shouldReportAsAcknowledgedOnlyClocksBeforeTheFirstThatIsNot()
    {
        final SlotWork work = working(4);
        work.onClock(1, nowNs);
        work.onClock(2, nowNs);
        work.onClock(3, nowNs);
        doneTickets = 0b110;
        later(work);
        assertThat(reports).last().extracting(WorkReport::clock, WorkReport::ackedClock).containsExactly(3L, 2L);

        doneTickets = 0b1010;
        later(work);
        assertThat(reports).last().extracting(WorkReport::ackedClock).isEqualTo(3L);
    }

    @Test
    void shouldReportNotMoreOftenThanItMayAndNotBeforeItHasToWant()
    {
        final SlotWork work = working(4);
        final int before = reports.size();
        nowNs += 10 * REPORT_INTERVAL_NS;
        work.doWork(nowNs);
        assertThat(reports).hasSize(before);

        for (int i = 1; i <= 4; i++)
        {
            work.onClock(i, nowNs);
        }
        work.doWork(nowNs);
        answer(0, List.of());
        work.doWork(nowNs);
        nowNs += REPORT_INTERVAL_NS - 1;
        work.doWork(nowNs);
        assertThat(reports).hasSize(before + 1);

        nowNs++;
        work.doWork(nowNs);
        assertThat(reports).hasSize(before + 2);
    }

    @Test
    void shouldWantAsManyBatchesAsItDoesInTheTimeThatItLooksAhead()
    {
        final SlotWork work = working(4);
        for (int i = 1; i <= 4; i++)
        {
            work.next(nowNs);
            nowNs += SlotWork.AHEAD_NS / 50;
            work.onClock(i, nowNs);
        }
        later(work);

        assertThat(reports).last().isEqualTo(reported(4, 0, 4 + 50, false));
    }

    @Test
    void shouldLeaveOnlyWhatIsAcknowledgedAndTakeNoMore()
    {
        final SlotWork work = working(4);
        work.onClock(1, nowNs);
        work.leave(false);
        later(work);
        assertThat(reports).noneMatch(WorkReport::isLeaving);

        doneTickets = 0b10;
        later(work);
        assertThat(reports).last().isEqualTo(reported(1, 1, 0, true));
        assertThat(work.isOver()).isFalse();
        answer(1, List.of(), true);
        work.doWork(nowNs);
        assertThat(work.isOver()).isTrue();
    }

    @Test
    void shouldNotTakeALateAnswerForTheOneThatItHasLeft()
    {
        final SlotWork work = working(4);
        work.leave(false);
        later(work);
        answer(0, List.of(new WorkPiece(0, 0, 4)));
        work.doWork(nowNs);
        assertThat(work.isOver()).as("an answer to a report before").isFalse();

        final int before = reports.size();
        later(work);
        assertThat(reports).hasSize(before + 1).last().isEqualTo(reported(0, 0, 0, true));
        answer(0, List.of(), true);
        work.doWork(nowNs);
        assertThat(work.isOver()).isTrue();
        assertThat(work.hasLeft()).isTrue();
    }

    @Test
    void shouldGiveBackWhatABoundedJobHasLeftWithTheSlotOnceItFinishes()
    {
        final SlotWork work = working(4);
        work.leave(false);
        later(work);
        answer(0, List.of(new WorkPiece(0, 0, 4)), true);
        work.doWork(nowNs);
        assertThat(work.isOver()).isTrue();
        assertThat(finishing).isZero();

        work.leave(true);
        assertThat(work.isOver()).as("the slot holds its list still").isFalse();
        later(work);
        assertThat(finishing).isEqualTo(1);
        answer(0, List.of(new WorkPiece(0, 0, 4)), true);
        work.doWork(nowNs);
        assertThat(work.isOver()).as("an answer to a report before").isFalse();
        later(work);
        answer(0, List.of(), true);
        work.doWork(nowNs);
        assertThat(work.isOver()).isTrue();
        work.leave(true);
        assertThat(work.isOver()).as("nothing is left to give back").isTrue();
    }

    @Test
    void shouldFinishBeforeTheFirstAnswer()
    {
        final SlotWork work = work(20);
        work.leave(true);
        work.doWork(nowNs);

        assertThat(reports).hasSize(1);
        assertThat(reports.get(0).isLeaving()).isTrue();
        assertThat(finishing).isEqualTo(1);
    }

    @Test
    void shouldTellOfASlotToAdoptOnce()
    {
        final SlotWork work = working(0);
        answer = new WorkAnswer(SLOT, INCARNATION, SPEC, SPEC, 0, false, false, false, 1, 2, 99, List.of());
        work.doWork(nowNs);

        assertThat(work.isAdoptionAsked()).isTrue();
        assertThat(work.takeAdopted()).isEqualTo(2);
        assertThat(work.takeAdopted()).isEqualTo(WorkAnswer.NO_SLOT);
    }

    @Test
    void shouldRefuseToBeginWhileAnotherWorkIsUnderWay()
    {
        final SlotWork work = work(0);
        work.doWork(nowNs);
        answer = new WorkAnswer(SLOT, INCARNATION, SPEC, new WorkSpec(2, 10, 4, 1, true), 0, false, false,
            false, 6, WorkAnswer.NO_SLOT, 0, List.of());

        assertThatThrownBy(() -> work.doWork(nowNs)).isInstanceOf(IllegalStateException.class)
            .hasMessage("work 3 cannot begin: work 2 is under way with 1 passes instead of 2, 6 of 10 batches done;" +
                " take part in it as it is, or wait for its end and take a greater workId");
    }

    /** A report that was sent twice is answered twice, and the second answer may come when the next work is begun. */
    @Test
    void shouldNotTakeALateAnswerAboutTheWorkBefore()
    {
        final SlotWork work = work(9);
        work.doWork(nowNs);
        for (final WorkSpec underWay : List.of(BEFORE, SPEC))
        {
            for (final boolean hasLeft : new boolean[]{true, false})
            {
                answer = new WorkAnswer(
                    SLOT, INCARNATION, BEFORE, underWay, 0, true, SPEC.equals(underWay), hasLeft, 6, 2, 99, List.of());
                work.doWork(nowNs);

                assertThat(work.isOver()).as("%s, left: %s", underWay, hasLeft).isFalse();
                assertThat(work.answer()).isNull();
                assertThat(work.replacedBy()).isNull();
                assertThat(work.isAdoptionAsked()).isFalse();
            }
        }
        answer = new WorkAnswer(SLOT, INCARNATION, BEFORE, BEFORE, 0, false, false, false, 6, 2, 99, List.of());
        work.doWork(nowNs);
        assertThat(work.answer()).as("a work that was not over is no hindrance now").isNull();

        nowNs += REPORT_INTERVAL_NS;
        assertThat(work.silenceNs(nowNs)).as("it waits for its answer still").isEqualTo(REPORT_INTERVAL_NS);
        work.doWork(nowNs);
        assertThat(reports).hasSize(2);
        answer(9, List.of(new WorkPiece(0, 0, 4)));
        work.doWork(nowNs);
        assertThat(work.next(nowNs)).isEqualTo(new WorkUnit(0, 0, 0, 4));
    }

    @Test
    void shouldSayHowLongNobodyAnswers()
    {
        final SlotWork work = work(0);
        work.doWork(nowNs);
        later(work);
        later(work);

        assertThat(work.silenceNs(nowNs)).isEqualTo(2 * REPORT_INTERVAL_NS);
        answer(0, List.of());
        work.doWork(nowNs);
        assertThat(work.silenceNs(nowNs)).isZero();
    }

    private SlotWork work(final long clock)
    {
        return new SlotWork(SPEC, this, (ticket) -> 0 != (doneTickets & 1L << ticket), clock, nowNs);
    }

    /** At clock 0, with a piece of so many batches. */
    private SlotWork working(final int length)
    {
        final SlotWork work = work(0);
        work.doWork(nowNs);
        answer(0, List.of());
        work.doWork(nowNs);
        answer(0, 0 == length ? List.of() : List.of(new WorkPiece(0, 0, length)));
        work.doWork(nowNs);

        return work;
    }

    private void later(final SlotWork work)
    {
        nowNs += REPORT_INTERVAL_NS;
        work.doWork(nowNs);
    }

    private void answer(final long floorClock, final List<WorkPiece> pieces)
    {
        answer(floorClock, pieces, false);
    }

    private void answer(final long floorClock, final List<WorkPiece> pieces, final boolean hasLeft)
    {
        answer = new WorkAnswer(
            SLOT, INCARNATION, SPEC, SPEC, floorClock, false, false, hasLeft, 0, WorkAnswer.NO_SLOT, 0, pieces);
    }

    private static WorkReport reported(
        final long clock, final long ackedClock, final int wanted, final boolean isLeaving)
    {
        return new WorkReport(SLOT, INCARNATION, SPEC, clock, ackedClock, wanted, isLeaving);
    }

    @Override
    public boolean report(
        final long clock, final long ackedClock, final int wanted, final boolean isLeaving, final boolean isFinishing)
    {
        finishing += isFinishing ? 1 : 0;
        return reports.add(reported(clock, ackedClock, wanted, isLeaving));
    }

    @Override
    public WorkAnswer poll()
    {
        final WorkAnswer newest = answer;
        answer = null;

        return newest;
    }
}
