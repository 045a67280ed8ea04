// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.worker.request.PushWriter;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.Welcome;
import io.gradstream.worker.session.WorkerIdentity;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The ends of a sequential slot's clocks, and where the slot goes on whose process is replaced.
 */
class ClockBarrierTest
{
    private static final long INCARNATION = 9;

    private final Tickets tickets = new Tickets(64, LatencyListener.NONE);
    private final PartitionSession[] sessions = {session(0), session(1)};
    private final ClockBarrier barrier = new ClockBarrier(sessions);
    private final SlotResume resume = new SlotResume(sessions, barrier);
    private final PushWriter writer = new PushWriter(0, 256, false, 0);
    private final List<String> sent = new ArrayList<>();
    private long helloId;

    private PartitionSession session(final int partition)
    {
        return new PartitionSession(partition, new WorkerIdentity(1, 0, INCARNATION), AckLevel.APPLIED,
            new Spool(1024, 8), tickets, new SessionTiming(100, 10, 1_000),
            (of, epoch, outstanding, lostNs, nowNs) -> {});
    }

    @Test
    void shouldSendTheEndOfAClockOnceAllPartitionsHoldWhatIsBeforeIt()
    {
        attach(0, 4, new Welcome.HeldParts(1, 4, true));
        attach(1, 7, new Welcome.HeldParts(1, 7, true));
        pushWithoutContent(0);
        writeClock(2);
        send();
        assertThat(sent).containsExactly("0:5");

        sessions[0].onHeld(1, 5, 0);
        assertThat(barrier.doWork()).isEqualTo(1);
        send();
        assertThat(sent).containsExactlyInAnyOrder("0:5", "0:6", "1:8");

        pushWithoutContent(1);
        writeClock(3);
        writeClock(4);
        send();
        assertThat(sent).endsWith("1:9");
        sessions[1].onHeld(1, 9, 0);
        sessions[0].onHeld(1, 6, 0);
        apply(0, 6);
        apply(1, 8);
        assertThat(barrier.doWork()).isEqualTo(1);
        send();
        assertThat(sent).endsWith("0:7", "1:10");
    }

    /** A worker that dies two clocks ahead of a partition loses there what it has pushed in the second one. */
    @Test
    void shouldSendTheEndOfAClockOnceAllPartitionsHaveAppliedTheClockBefore()
    {
        attach(0, 4, new Welcome.HeldParts(1, 4, true));
        attach(1, 7, new Welcome.HeldParts(1, 7, true));
        writeClock(2);
        assertThat(barrier.doWork()).isEqualTo(1);
        writeClock(3);
        send();
        sessions[0].onHeld(1, 5, 0);
        sessions[1].onHeld(1, 8, 0);
        apply(0, 5);
        assertThat(barrier.doWork()).as("partition 1 has not applied clock 2").isZero();
        send();
        assertThat(sent).containsExactly("0:5", "1:8");

        // a new primary, which has not applied clock 2 either
        sessions[1].onEpochGranted(2, 0);
        attach(1, 2, 7, new Welcome.HeldParts(1, 7, true));
        sessions[1].onWatermarks(1, 8, 8, 8, 0, 0);
        assertThat(barrier.doWork()).as("the old primary says so").isZero();
        sessions[1].onHeld(2, 8, 0);
        sessions[1].onWatermarks(2, 8, 8, 8, 0, 0);
        assertThat(barrier.doWork()).isEqualTo(1);
        send();
        assertThat(sent).endsWith("0:6", "1:9");
    }

    @Test
    void shouldWaitForAClockThatWasEndedWhileTheBoundWasNotZero()
    {
        attach(0, 4, new Welcome.HeldParts(1, 4, true));
        attach(1, 7, new Welcome.HeldParts(1, 7, true));
        writeClock(2);
        assertThat(barrier.doWork()).isEqualTo(1);
        writeClock(3);
        apply(0, 5);
        apply(1, 7);
        assertThat(barrier.doWork()).isZero();

        tellHeld(0, 0);
        assertThat(barrier.isSequential()).isFalse();
        writeClock(4);
        apply(1, 8);
        assertThat(barrier.doWork()).isEqualTo(1);
        tellHeld(7, 10);
        writeClock(5);
        apply(0, 6);
        apply(1, 9);
        barrier.doWork();
        send();
        assertThat(sent).as("no partition has applied clock 4").contains("0:7", "1:10").doesNotContain("0:8", "1:11");

        apply(0, 7);
        apply(1, 10);
        barrier.doWork();
        send();
        assertThat(sent).endsWith("0:8", "1:11");
    }

    /** The clock that ends what the process before has pushed is one of those that the next one waits for. */
    @Test
    void shouldWaitUntilAClockThatWasAdoptedIsApplied()
    {
        attach(0, 4, new Welcome.HeldParts(2, 4, true));
        attach(1, 7, new Welcome.HeldParts(1, 9, true));
        resume.goOnFrom(SlotResume.AS_SERVERS_SAY);
        writeClock(2);
        resume.onTold();
        assertThat(barrier.doWork()).isEqualTo(1);
        writeClock(3);
        send();
        assertThat(sent).containsExactly("0:5", "1:10");
        apply(0, 5);
        sessions[1].onHeld(1, 10, 0);
        assertThat(barrier.doWork()).isZero();
        apply(1, 10);
        assertThat(barrier.doWork()).isEqualTo(1);
    }

    @Test
    void shouldNotBelieveOfANewPrimaryWhatTheOneBeforeItHeld()
    {
        attach(0, 4, new Welcome.HeldParts(1, 4, true));
        attach(1, 7, new Welcome.HeldParts(1, 7, true));
        pushWithoutContent(0);
        pushWithoutContent(1);
        writeClock(2);
        send();
        sessions[0].onHeld(1, 5, 0);
        assertThat(barrier.doWork()).isZero();

        // what was held is gone with the primary, before the other partition holds its part
        sessions[0].onEpochGranted(2, 0);
        attach(0, 2, 4, new Welcome.HeldParts(1, 4, true));
        assertThat(sessions[0].takenThrough()).isEqualTo(4);
        sessions[1].onHeld(1, 8, 0);
        assertThat(barrier.doWork()).as("the new primary does not hold part 5").isZero();
        send();
        assertThat(sent).containsExactlyInAnyOrder("0:5", "1:8", "0:5");
        sessions[0].onHeld(1, 5, 0);
        assertThat(barrier.doWork()).as("the old primary says so").isZero();
        sessions[0].onHeld(2, 5, 0);
        assertThat(barrier.doWork()).isEqualTo(1);
    }

    @Test
    void shouldKeepNothingBackWhereSlotsAreNotSequential()
    {
        attach(0, 4, Welcome.HeldParts.NONE);
        attach(1, 7, Welcome.HeldParts.NONE);
        pushWithoutContent(0);
        writeClock(2);
        send();
        assertThat(sent).containsExactly("0:5", "0:6", "1:8");
    }

    @Test
    void shouldFollowABoundThatIsChangedWhileTheSlotIsConnected()
    {
        attach(0, 4, Welcome.HeldParts.NONE);
        attach(1, 7, Welcome.HeldParts.NONE);
        assertThat(barrier.isSequential()).isFalse();
        sessions[0].onHeld(1, 4, 0);
        sessions[1].onHeld(1, 7, 0);
        assertThat(barrier.isSequential()).isTrue();
        pushWithoutContent(0);
        writeClock(2);
        send();
        assertThat(sent).containsExactly("0:5");

        // raised again: nothing is held any more, and what was is applied
        sessions[0].onWatermarks(1, 5, 5, 5, 0, 0);
        sessions[0].onHeld(1, 0, 0);
        sessions[1].onWatermarks(1, 7, 7, 7, 0, 0);
        sessions[1].onHeld(1, 0, 0);
        assertThat(barrier.isSequential()).isFalse();
        assertThat(barrier.doWork()).isEqualTo(1);
        send();
        assertThat(sent).containsExactlyInAnyOrder("0:5", "0:6", "1:8");
    }

    /** An image that has died still brings what a partition said before it had taken the first push. */
    @Test
    void shouldKeepTheEndOfAClockBackWhenAMessageOfAnEarlierImageComesLate()
    {
        attach(0, 0, new Welcome.HeldParts(0, 0, true));
        attach(1, 0, new Welcome.HeldParts(0, 0, true));
        writeClock(1);
        tellHeld(0, 0);
        assertThat(barrier.doWork()).isEqualTo(1);
        send();
        apply(0, 1);
        apply(1, 1);
        tellHeld(1, 1);

        apply(0, 0);
        sessions[0].onHeld(1, 0, 0);
        pushWithoutContent(1);
        writeClock(2);
        writeClock(3);
        sent.clear();
        send();
        assertThat(sessions[0].isSequential()).isTrue();
        assertThat(sent).containsExactly("1:2");
    }

    @Test
    void shouldEndAtOnePartitionWhatAnotherHasApplied()
    {
        attach(0, 4, new Welcome.HeldParts(2, 4, true));
        attach(1, 7, new Welcome.HeldParts(1, 9, true));
        assertThat(resume.isKnown()).isTrue();
        assertThat(resume.goOnFrom(SlotResume.AS_SERVERS_SAY)).isEqualTo(2);
        assertThat(resume.adopted(sessions[0])).isZero();
        assertThat(resume.adopted(sessions[1])).isEqualTo(9);
        writeClock(2);
        assertThat(sessions[0].lastSequence()).isEqualTo(5);
        assertThat(sessions[1].lastSequence()).isEqualTo(10);
        resume.onTold();
        assertThat(resume.adopted(sessions[1])).isZero();
    }

    @Test
    void shouldDoubtAnIterationThatAPartitionMayHaveLostAPieceOf()
    {
        attach(0, 4, new Welcome.HeldParts(2, 4, true, true));
        attach(1, 7, new Welcome.HeldParts(1, 7, true, true));
        resume.goOnFrom(SlotResume.AS_SERVERS_SAY);
        assertThat(resume.doubt()).contains("iteration 1 of this slot").contains("partition=1");
    }

    @Test
    void shouldSayWhatPartitionsLackOfIterationsThatThisProcessGoesOnBehind()
    {
        attach(0, 9, new Welcome.HeldParts(5, 9, false));
        attach(1, 7, new Welcome.HeldParts(2, 7, false));
        assertThat(resume.goOnFrom(SlotResume.AS_SERVERS_SAY)).isEqualTo(5);
        assertThat(resume.doubt()).contains("after 5 iterations").contains("(partition=1 by 3)");
    }

    @Test
    void shouldSayNothingWhereAllPartitionsAreAsFarOrTheCallerBeginsElsewhere()
    {
        attach(0, 9, new Welcome.HeldParts(5, 9, false));
        attach(1, 7, new Welcome.HeldParts(5, 7, false));
        resume.goOnFrom(SlotResume.AS_SERVERS_SAY);
        assertThat(resume.doubt()).isNull();
        resume.goOnFrom(100);
        assertThat(resume.doubt()).isNull();
    }

    @Test
    void shouldDoubtNothingWherePrimariesHaveAll()
    {
        attach(0, 4, new Welcome.HeldParts(2, 4, true, true));
        attach(1, 7, new Welcome.HeldParts(1, 9, true, false));
        resume.goOnFrom(SlotResume.AS_SERVERS_SAY);
        assertThat(resume.doubt()).isNull();
    }

    @Test
    void shouldPushAnewWhatNoPartitionHasApplied()
    {
        attach(0, 4, new Welcome.HeldParts(1, 6, true));
        attach(1, 7, new Welcome.HeldParts(1, 9, true));
        assertThat(resume.goOnFrom(1)).isEqualTo(1);
        writeClock(1);
        assertThat(sessions[0].lastSequence()).isEqualTo(5);
        assertThat(sessions[1].lastSequence()).isEqualTo(8);
    }

    @Test
    void shouldRefuseToPushAgainWhatIsOver()
    {
        attach(0, 4, new Welcome.HeldParts(2, 4, true));
        attach(1, 7, new Welcome.HeldParts(1, 7, true));
        assertThatThrownBy(() -> resume.check(sessions[0])).hasMessageContaining("has finished 2 iterations");
        assertThatThrownBy(() -> resume.goOnFrom(1)).hasMessageContaining("initialClock=1")
            .hasMessageContaining("finished 2 iterations");
        resume.goOnFrom(2);
        resume.check(sessions[0]);
    }

    private void attach(final int partition, final long lastSequence, final Welcome.HeldParts held)
    {
        attach(partition, 1, lastSequence, held);
    }

    private void attach(
        final int partition, final long epoch, final long lastSequence, final Welcome.HeldParts held)
    {
        sessions[partition].onLinkUp();
        sessions[partition].send((to, buffer, offset, length) ->
        {
            helloId = new HelloDecoder().wrapAndApplyHeader(
                buffer, offset, new MessageHeaderDecoder()).helloId();
            return true;
        }, 0);
        assertThat(sessions[partition].onWelcome(new Welcome(
            INCARNATION, helloId, epoch, lastSequence, INCARNATION - 1, held), 0)).isTrue();
    }

    private void apply(final int partition, final long sequence)
    {
        sessions[partition].onWatermarks(1, sequence, sequence, sequence, 0, 0);
    }

    /** Partitions hold the slot's pushes up to here, or hold none back where that is 0. */
    private void tellHeld(final long first, final long second)
    {
        sessions[0].onHeld(1, first, 0);
        sessions[1].onHeld(1, second, 0);
    }

    private void pushWithoutContent(final int partition)
    {
        final long ticket = tickets.open(true, 0);
        writer.writeClock(sessions[partition], ticket, 0, 0);
        tickets.seal(ticket, 0);
    }

    private void writeClock(final long clock)
    {
        final long ticket = tickets.open(true, 0);
        for (final PartitionSession session : sessions)
        {
            barrier.close(session);
            writer.writeClock(session, ticket, clock, resume.adopted(session));
        }
        barrier.onWritten();
        tickets.seal(ticket, 0);
    }

    private void send()
    {
        for (final PartitionSession session : sessions)
        {
            session.send((partition, buffer, offset, length) -> sent.add(partition + ":" +
                new ClockDoneDecoder().wrapAndApplyHeader(
                    buffer, offset, new MessageHeaderDecoder()).sequence()), 0);
        }
    }
}
