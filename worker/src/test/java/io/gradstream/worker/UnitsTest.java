// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.worker.client.Transport;
import io.gradstream.worker.filter.PushFilter;
import io.gradstream.worker.work.WorkUnit;
import org.agrona.CloseHelper;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A client takes a slot and units of work from coordinators that a test plays, and gives both back. */
@Timeout(60)
class UnitsTest
{
    private static final WorkSpec SPEC = new WorkSpec(1, 6, 4, 2, true);
    private static final TableSpec WEIGHTS = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");
    private static final int SLOT = 3;
    private static final long INCARNATION = 77;

    private final EchoRig rig = new EchoRig();
    private final EchoServer server = rig.server;
    private final List<WorkReport> reports = new ArrayList<>();
    /** The list of the slot, from its clock 0 on. */
    private final List<WorkPiece> given = new ArrayList<>();
    private long nextUnit;
    private long unitsLeft = SPEC.units();
    private int slotAnswers;
    private GradstreamClient client;

    @AfterEach
    void after()
    {
        CloseHelper.close(rig);
    }

    @Test
    void shouldDoEachBatchOfEachUnitOnceAndEnd()
    {
        connect(Consistency.EVENTUAL);
        final Units units = client.units(SPEC);
        final List<WorkUnit> done = new ArrayList<>();
        for (WorkUnit unit = units.next(); null != unit; unit = units.next())
        {
            done.add(unit);
            for (int batch = 0; batch < unit.batches(); batch++)
            {
                client.clock();
            }
        }

        assertThat(done).containsExactly(new WorkUnit(0, 0, 0, 4), new WorkUnit(0, 1, 4, 2), new WorkUnit(1, 2, 0, 4),
            new WorkUnit(1, 3, 4, 2));
        assertThat(units.isOver()).isTrue();
        assertThat(units.batchesDone()).isEqualTo(SPEC.batches());
        assertThat(client.clocksDone()).isEqualTo(SPEC.batches());
        client.finish();
        client.awaitAll();
        client.close();
        assertThat(reports).noneMatch(WorkReport::isLeaving);
        assertThat(rig.coordinators.left).containsOnly(Map.entry(SLOT, true));
    }

    @Test
    void shouldRefuseAnotherUnitBeforeEachBatchOfThisOneHasItsClock()
    {
        connect(Consistency.EVENTUAL);
        final Units units = client.units(SPEC);
        assertThat(units.next().batches()).isEqualTo(4);
        client.clock();

        assertThatThrownBy(units::tryNext).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("clock() was called 1 times: call it once for each of its 4 batches");
    }

    @Test
    void shouldPushWhatAFilterHoldsBackWithTheLastBatchOfAUnit()
    {
        connect(Consistency.EVENTUAL);
        final Table weights = client.createTable(WEIGHTS).pushFilter(PushFilter.significant(0.5, 1000));
        weights.pullAndAwait(new long[]{50}, 1, new float[2]);
        final Units units = client.units(SPEC);
        final List<Long> held = new ArrayList<>();
        for (WorkUnit unit = units.next(); null != unit; unit = units.next())
        {
            for (int batch = 0; batch < unit.batches(); batch++)
            {
                weights.push(new long[]{50}, new float[]{1, 1});
                client.clock();
                held.add(client.stats().rowsHeldNow());
            }
        }

        assertThat(held).containsExactly(1L, 1L, 1L, 0L, 1L, 0L, 1L, 1L, 1L, 0L, 1L, 0L);
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 2"})
    void shouldPushWhatAFilterHoldsBackBeforeItLeaves(final boolean hasBegun, final long ended)
    {
        connect(Consistency.EVENTUAL);
        final Table weights = client.createTable(WEIGHTS).pushFilter(PushFilter.significant(0.5, 1000));
        weights.pullAndAwait(new long[]{50}, 1, new float[2]);
        final Units units = client.units(SPEC);
        units.next();
        weights.push(new long[]{50}, new float[]{1, 1});
        client.clock();
        if (hasBegun)
        {
            // of which nothing is sent
            weights.push(new long[]{50}, new float[]{1, 1});
        }
        units.leave();

        assertThat(client.stats().rowsHeldNow()).isZero();
        assertThat(client.clocksDone()).as("a batch that has begun is ended").isEqualTo(ended);
        assertThat(reports.get(reports.size() - 1).ackedClock()).isEqualTo(ended);
    }

    /** What a filter holds back is of a batch that has ended, and no part of the next one. */
    @ParameterizedTest
    @ValueSource(strings = {"finish", "awaitAll", "pushHeld"})
    void shouldNotTakeHeldRowsForABatchThatHasBegun(final String call)
    {
        connect(Consistency.EVENTUAL);
        final Table weights = client.createTable(WEIGHTS).pushFilter(PushFilter.significant(0.5, 1000));
        weights.pullAndAwait(new long[]{50}, 1, new float[2]);
        final Units units = client.units(SPEC);
        units.next();
        weights.push(new long[]{50}, new float[]{1, 1});
        client.clock();
        assertThat(client.stats().rowsHeldNow()).isEqualTo(1);
        switch (call)
        {
            case "finish" -> client.finish();
            case "awaitAll" -> client.awaitAll();
            default -> client.pushHeld();
        }
        assertThat(client.stats().rowsHeldNow()).isZero();
        units.leave();
        client.awaitAll();

        assertThat(client.clocksDone()).as("nothing of a second batch was computed").isEqualTo(1);
        assertThat(reports.get(reports.size() - 1).ackedClock()).isEqualTo(1);
    }

    @Test
    void shouldGiveBackWhatItHasNotDoneWhenItFinishes()
    {
        connect(Consistency.EVENTUAL);
        final Units units = client.units(SPEC);
        units.next();
        client.clock();
        client.finish();
        client.awaitAll();

        assertThat(units.isOver()).isTrue();
        final WorkReport last = reports.get(reports.size() - 1);
        assertThat(last.isLeaving()).isTrue();
        assertThat(last.isFinishing()).isTrue();
        assertThat(last.ackedClock()).isEqualTo(1);
    }

    @Test
    void shouldRefuseTheWorkThatItHasLeftAndEveryWorkOnceItHasFinished()
    {
        connect(Consistency.EVENTUAL);
        final Units units = client.units(SPEC);
        units.next();
        units.leave();
        assertThatThrownBy(() -> client.units(SPEC)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("has left work 1").hasMessageContaining("connects anew");

        client.finish();
        assertThatThrownBy(() -> client.units(2, 6, 4, 1)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("has finished").hasMessageContaining("another slot");
    }

    @Test
    void shouldReportOnlyWhatServersHaveAcknowledged()
    {
        connect(Consistency.EVENTUAL);
        final Units units = client.units(SPEC);
        units.next();
        server.isHolding = true;
        for (int batch = 0; batch < 4; batch++)
        {
            client.clock();
        }
        while (reports.get(reports.size() - 1).clock() < 4)
        {
            rig.pollFor(1);
        }
        assertThat(reports).allMatch((report) -> 0 == report.ackedClock());

        server.acknowledge(SLOT);
        units.next();
        while (reports.get(reports.size() - 1).ackedClock() < 4)
        {
            rig.pollFor(1);
        }
    }

    @Test
    void shouldReportWhatEveryPartitionHadOfTheSlotAndWhatOnlySomeHad()
    {
        System.arraycopy(new long[]{8, 5}, 0, server.clocksBefore, 0, EchoRig.PARTITIONS);
        System.arraycopy(new long[]{20, 12}, 0, server.lastSequence, 0, EchoRig.PARTITIONS);
        server.predecessor = 70;
        connect(Consistency.EVENTUAL);
        client.clock();
        final Units units = client.units(SPEC);
        while (reports.size() < 2)
        {
            rig.pollFor(1);
        }

        assertThat(units.isOver()).isFalse();
        assertThat(reports).allMatch((report) -> new WorkReport.Found(70, 5, 10).equals(report.found()));
        assertThat(reports.get(0).ackedClock()).isEqualTo(9);
    }

    @Test
    void shouldLeaveOutNothingInASlotThatNobodyHasHad()
    {
        server.predecessor = -1;
        connect(Consistency.EVENTUAL);
        client.units(SPEC).next();

        assertThat(reports).allMatch((report) -> new WorkReport.Found(0, 0, 0).equals(report.found()));
    }

    @Test
    void shouldRefuseUnitsToAProcessThatDoesNotGoOnAtTheClockOfItsSlot()
    {
        System.arraycopy(new long[]{8, 5}, 0, server.clocksBefore, 0, EchoRig.PARTITIONS);
        client = rig.connect(new ClientContext().slot(SLOT), Consistency.EVENTUAL);

        assertThatThrownBy(() -> client.units(SPEC)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("this slot has ended 8 iterations at partition=0, and this process 0")
            .hasMessageContaining("CLOCK_OF_SLOT");
    }

    @Test
    void shouldSayThatUnitsAreNotForSequentialJobsOrTwiceAtOnce()
    {
        connect(new Consistency(1, 0));
        assertThatThrownBy(() -> client.units(SPEC)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("a staleness bound other than 0");
    }

    @Test
    void shouldRefuseASecondWorkBeforeTheFirstIsOver()
    {
        connect(Consistency.EVENTUAL);
        client.units(SPEC);

        assertThatThrownBy(() -> client.units(SPEC)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("leave() it first");
    }

    @Test
    void shouldFailWhenNoCoordinatorAnswersReports()
    {
        connect(Consistency.EVENTUAL, 2_000);
        rig.coordinators.work = (report) -> null;
        final Units units = client.units(SPEC);

        assertThatThrownBy(units::next).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("in vain for an answer of the coordinators about work");
    }

    @Test
    void shouldSayThatItWasReplacedAsSoonAsTheCoordinatorsNameANewerProcess()
    {
        connect(Consistency.EVENTUAL);
        final Units units = client.units(SPEC);
        units.next();
        rig.coordinators.work = (report) -> new WorkAnswer(report.slot(), INCARNATION + 1, SPEC, SPEC, 0, false, false,
            false, 0, WorkAnswer.NO_SLOT, 0, List.of());

        assertThatThrownBy(units::leave).isInstanceOf(SlotFencedException.class)
            .hasMessageContaining("slot=3 has another process, incarnation=78").hasMessageContaining("anySlot()");
        assertThatThrownBy(() -> rig.pollFor(1_000)).as("and says so again").isInstanceOf(SlotFencedException.class);
    }

    @Test
    void shouldSayThatAnotherWorkHasReplacedItsOwn()
    {
        connect(Consistency.EVENTUAL);
        final Units units = client.units(SPEC);
        units.next();
        for (int batch = 0; batch < 4; batch++)
        {
            client.clock();
        }
        final WorkSpec newer = new WorkSpec(9, 6, 4, 2, true);
        rig.coordinators.work = (report) -> replaced(report, newer);

        for (final ThrowingCallable call : List.<ThrowingCallable>of(units::next, units::tryNext))
        {
            assertThatThrownBy(call).isInstanceOf(GradstreamException.class)
                .hasMessageContaining("work 9 has begun before work 1 was over")
                .hasMessageContaining("take part in work 9, or do what is left as a work of a greater workId");
        }
        assertThat(units.isOver()).as("it gets no more").isTrue();
        units.leave();
        rig.coordinators.work = this::answer;
        assertThat(client.units(newer)).as("it may take part in the newer one").isNotNull();
    }

    private static WorkAnswer replaced(final WorkReport report, final WorkSpec newer)
    {
        return new WorkAnswer(report.slot(), report.incarnation(), report.spec(), newer, 0, true, true, false, 5,
            WorkAnswer.NO_SLOT, 0, List.of());
    }

    @Test
    void shouldWaitForASlotThatIsFreeAndTakeItWithItsIncarnation()
    {
        connect(Consistency.EVENTUAL);

        assertThat(slotAnswers).isGreaterThanOrEqualTo(3);
        assertThat(client.slot()).isEqualTo(SLOT);
        client.units(SPEC).next();
        assertThat(reports).allMatch((report) -> INCARNATION == report.incarnation() && SLOT == report.slot());
        client.close();
        assertThat(rig.coordinators.left).containsOnly(Map.entry(SLOT, false));
    }

    /** Otherwise the coordinators, who do not know that process, would give it the same slot again and again. */
    @Test
    void shouldTakeANumberAboveThatOfAProcessWhoseClockIsAhead()
    {
        server.newest = System.currentTimeMillis() + 1_000_000;
        connect(Consistency.EVENTUAL);
        client.units(SPEC).next();

        assertThat(reports).allMatch((report) -> report.incarnation() > server.newest && SLOT == report.slot());
    }

    @Test
    void shouldLeaveItsSlotToAProcessThatMayHaveTakenItSince()
    {
        server.newest = INCARNATION + 1;

        assertThatThrownBy(() -> connect(Consistency.EVENTUAL)).isInstanceOf(SlotFencedException.class);
    }

    @Test
    void shouldSayWhatToDoWhenNoSlotIsFree()
    {
        assertThatThrownBy(() -> rig.connect(context(1_000), Consistency.EVENTUAL, (coordinators) ->
            coordinators.slots = (requestId) -> new SlotAnswer(requestId, SlotAnswer.NONE_FREE, 0, 4)))
            .isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("all slots of the job are taken, 4 of them").hasMessageContaining("job set --slots");
        assertThatThrownBy(() -> rig.connect(context(1_000), Consistency.EVENTUAL, (coordinators) -> {}))
            .isInstanceOf(OperationTimeoutException.class).hasMessageContaining("answers the question for a slot");
    }

    @Test
    void shouldGiveAClientThatAdoptsASlotATransportOfItsOwn()
    {
        final Transport other = new NoTransport(null);
        final ClientContext context = new ClientContext().transport(new NoTransport(other));

        assertThat(context.adopting(SLOT, INCARNATION, null).transport).isSameAs(other);
    }

    private record NoTransport(Transport another) implements Transport
    {
        @Override
        public RequestStream open(final String endpoint, final long incarnation)
        {
            throw new UnsupportedOperationException(endpoint);
        }

        @Override
        public int poll(final Receiver receiver)
        {
            return 0;
        }
    }

    private void connect(final Consistency consistency)
    {
        connect(consistency, 30_000);
    }

    private void connect(final Consistency consistency, final long timeoutMs)
    {
        client = rig.connect(context(timeoutMs), consistency, (coordinators) ->
        {
            // the first answer is lost, and there is no free slot at first
            coordinators.slots = (requestId) -> switch (slotAnswers++)
            {
                case 0 -> null;
                case 1 -> new SlotAnswer(requestId, SlotAnswer.NONE_FREE, 0, 4);
                default -> new SlotAnswer(requestId, SLOT, INCARNATION, 4);
            };
            coordinators.work = this::answer;
        });
    }

    private static ClientContext context(final long timeoutMs)
    {
        return new ClientContext().operationTimeoutNs(timeoutMs * 1_000_000).anySlot();
    }

    /** Gives one unit at a time, and none before the one before is done; the first report of a clock is lost. */
    private WorkAnswer answer(final WorkReport report)
    {
        final boolean isLost = reports.isEmpty() || reports.get(reports.size() - 1).clock() < report.clock();
        reports.add(report);
        if (isLost)
        {
            return null;
        }
        long end = given.stream().mapToLong(WorkPiece::length).sum();
        if (report.wanted() > 0 && report.ackedClock() == end && unitsLeft > 0)
        {
            final WorkPiece piece = new WorkPiece(nextUnit, 0, SPEC.lengthOf(nextUnit));
            given.add(piece);
            nextUnit++;
            unitsLeft--;
            end += piece.length();
        }
        final boolean isOver = report.ackedClock() == SPEC.batches();
        final WorkPiece last = given.isEmpty() ? null : given.get(given.size() - 1);
        final boolean isOpen = !report.isLeaving() && null != last && report.ackedClock() < end;
        return new WorkAnswer(report.slot(), report.incarnation(), report.spec(), SPEC, isOpen ? end - last.length() :
            report.ackedClock(), isOver, false, report.isLeaving(), report.ackedClock(), WorkAnswer.NO_SLOT, 0,
            isOpen ? List.of(last) : List.of());
    }
}
