// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.worker.request.PullRequest;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.request.RowPlan;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.SnapshotRequests;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.Welcome;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * In a sequential job no room appears before the clock ends: what is pushed is pushed whole, where the slot is known,
 * and leaves room for the end of the clock.
 */
class SequentialRequestsTest
{
    private static final long INCARNATION = 9;
    private static final int SPOOL = 8 * 1024;
    private static final int PART = 1024;
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1_000_000, 64, "sgd/1 rate=1.0");
    private static final Welcome.HeldParts SEQUENTIAL = new Welcome.HeldParts(0, 0, true);

    private final ClientSettings settings = new ClientSettings(
        new WorkerIdentity(1, 0, INCARNATION),
        2,
        AckLevel.APPLIED,
        SpoolPolicy.BLOCK,
        false,
        0,
        new ClientSettings.Limits(SPOOL, 1L << 30, 64, 4, 4, PART, 0),
        new SessionTiming(100, 10, 1_000),
        new ClientSettings.Timing(100, 200, 250, 1_000),
        LatencyListener.NONE,
        (of, epoch, outstanding, lostNs, nowNs) -> {},
        (problem) -> {});
    private final Tickets tickets = new Tickets(4, LatencyListener.NONE);
    private final PartitionSession[] sessions = {session(0), session(1)};
    private final PullRequests[] pulls = {pulls(0), pulls(1)};
    private final Requests requests = new Requests(settings, sessions, pulls, tickets, this::await);
    /** What servers do while the client waits, once. */
    private Runnable step = () -> {};
    private long helloId;
    private final long[] clockOf = new long[2];
    private final List<Runnable> answers = new ArrayList<>();

    private record AllRows(int rowCount) implements PullRequests.RowsChunk
    {
        @Override
        public int rowOffset()
        {
            return 0;
        }

        @Override
        public boolean isLast()
        {
            return true;
        }

        @Override
        public long minClock()
        {
            return 0;
        }

        @Override
        public long slotClock()
        {
            return 0;
        }

        @Override
        public long heldNs()
        {
            return 0;
        }

        @Override
        public DirectBuffer values()
        {
            return new UnsafeBuffer(new byte[valuesLength()]);
        }

        @Override
        public int valuesOffset()
        {
            return 0;
        }

        @Override
        public int valuesLength()
        {
            return rowCount * SPEC.valuesLength();
        }
    }

    @Test
    void shouldPushAllOrNothingWhereRoomRunsOut()
    {
        attach(0, SEQUENTIAL);
        attach(1, SEQUENTIAL);
        push(16);
        final long before0 = sessions[0].lastSequence();
        final long before1 = sessions[1].lastSequence();
        step = this::holdAll;

        assertThatThrownBy(() -> push(20)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("no room in the spool").hasMessageContaining("clock()");
        assertThat(sessions[0].lastSequence()).isEqualTo(before0);
        assertThat(sessions[1].lastSequence()).isEqualTo(before1);
        requests.iteration().end(0);
        assertThat(requests.iteration().done()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"false, 0", "true, 0", "false, 8", "true, 8", "false, 12", "false, 16"})
    void shouldPushAllOrNothingWhateverItsSize(final boolean isTried, final int rowsBefore)
    {
        final StringBuilder halves = new StringBuilder();
        for (int rows = 1; rows <= 80; rows++)
        {
            final SequentialRequestsTest each = new SequentialRequestsTest();
            each.attach(0, SEQUENTIAL);
            each.attach(1, SEQUENTIAL);
            if (rowsBefore > 0)
            {
                // a clock is not acknowledged yet when the next one begins
                each.push(rowsBefore);
                each.requests.iteration().end(0);
                each.acknowledgeAllButTheLast();
                each.requests.iteration().doWork(0);
                each.acknowledgeAllButTheLast();
                each.clockOf[0] = each.sessions[0].lastSequence();
                each.clockOf[1] = each.sessions[1].lastSequence();
            }
            final long before = each.sessions[0].lastSequence() + each.sessions[1].lastSequence();
            each.step = () ->
            {
                each.acknowledge(before);
                each.holdAll();
            };
            final PushRequest push = each.ofRange(rows);
            try
            {
                if (isTried)
                {
                    each.requests.tryPush(push, 0);
                }
                else
                {
                    each.requests.push(push, 0);
                }
            }
            catch (final IllegalStateException | IllegalArgumentException | AssertionError ex)
            {
                if (each.sessions[0].lastSequence() + each.sessions[1].lastSequence() > before)
                {
                    halves.append("rows=").append(rows).append(" parts=").append(each.sessions[0].lastSequence())
                        .append('+').append(each.sessions[1].lastSequence()).append(": ").append(ex.getMessage())
                        .append(System.lineSeparator());
                }
            }
        }
        assertThat(halves.toString()).isEmpty();
    }

    private void acknowledgeAllButTheLast()
    {
        for (final PartitionSession session : sessions)
        {
            send(session);
            final long last = session.lastSequence() - 1;
            session.onWatermarks(1, last, last, last, last, 0);
        }
    }

    /** The clock before is applied meanwhile. */
    private void acknowledge(final long before)
    {
        for (final PartitionSession session : sessions)
        {
            if (before > 0)
            {
                final long clock = clockOf[session.partition()];
                session.onWatermarks(1, clock, clock, clock, clock, 0);
            }
        }
    }

    @Test
    void shouldAskForASnapshotWhereAWholePushWaitsForOne()
    {
        attach(0, SEQUENTIAL);
        attach(1, SEQUENTIAL);
        push(8);
        requests.iteration().end(0);
        final SnapshotRequests snapshots = new SnapshotRequests(settings.identity(), 2, 0);
        final int[] asked = new int[1];
        step = () ->
        {
            for (final PartitionSession session : sessions)
            {
                send(session);
                final long last = session.lastSequence();
                session.onWatermarks(1, last, last, last, 0, 0);
                session.onHeld(1, last, 0);
                asked[0] += snapshots.send(
                    session, (to, buffer, offset, length) -> true, SnapshotRequests.INTERVAL_NS);
            }
            requests.iteration().doWork(0);
        };
        step.run();
        // fits an empty spool, and not beside what is applied and not in a snapshot yet
        try
        {
            push(24);
        }
        catch (final AssertionError ex)
        {
            assertThat(ex).hasMessageContaining("room for a whole push");
        }
        assertThat(asked[0]).isPositive();
    }

    @Test
    void shouldRefuseAPushThatNeverFits()
    {
        attach(0, SEQUENTIAL);
        attach(1, SEQUENTIAL);
        assertThatThrownBy(() -> push(100)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("never fits its spool").hasMessageContaining("spoolBytesPerPartition");
        assertThat(sessions[0].lastSequence() + sessions[1].lastSequence()).isZero();
    }

    @Test
    void shouldPushPartByPartWhereSlotsAreNotSequential()
    {
        attach(0, Welcome.HeldParts.NONE);
        attach(1, Welcome.HeldParts.NONE);
        step = this::acknowledgeAll;
        push(100);
        assertThat(sessions[0].lastSequence()).isGreaterThan(SPOOL / PART);
    }

    @Test
    void shouldPushNothingBeforeAllPartitionsHaveSaidWhereTheSlotIs()
    {
        final int partition = partitionOfFirstRow();
        attach(partition, SEQUENTIAL);
        assertThat(requests.tryPush(ofRange(1), 0)).isEqualTo(Tickets.NOT_NOW);
        step = () -> attach(1 - partition, new Welcome.HeldParts(3, 0, true));
        assertThatThrownBy(() -> push(1)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("finished 3 iterations").hasMessageContaining("CLOCK_OF_SLOT");
        assertThatThrownBy(() -> requests.tryPush(ofRange(1), 0)).isInstanceOf(IllegalStateException.class);
        assertThat(sessions[partition].lastSequence()).isZero();
    }

    @Test
    void shouldKeepATicketForTheClockWhateverIsPulled()
    {
        attach(0, SEQUENTIAL);
        attach(1, SEQUENTIAL);
        final long[] out = new long[TableSpec.AUDIT.dim()];
        final long[] keys = {0};
        for (int i = 0; i < 3; i++)
        {
            requests.pullSystem(0, TableSpec.AUDIT, keys, out, 0);
        }
        assertThatThrownBy(() -> requests.pullSystem(0, TableSpec.AUDIT, keys, out, 0))
            .isInstanceOf(AssertionError.class).hasMessageContaining("a free ticket");
        requests.iteration().end(0);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void shouldEndAnIterationOnlyOnceItsPullsAreAnswered(final boolean isFinish)
    {
        attach(0, SEQUENTIAL);
        attach(1, SEQUENTIAL);
        push(4);
        final long pushed = sessions[0].lastSequence() + sessions[1].lastSequence();
        final long pull = tryPull(20);
        assertThatThrownBy(() -> end(isFinish)).isInstanceOf(AssertionError.class)
            .hasMessageContaining("the answers to pulls of the iteration that ends");
        assertThat(sessions[0].lastSequence() + sessions[1].lastSequence()).isEqualTo(pushed);

        step = this::answerPulls;
        end(isFinish);
        assertThat(tickets.isDone(pull)).isTrue();
        assertThat(sessions[0].lastSequence() + sessions[1].lastSequence()).isEqualTo(pushed + 2);
    }

    @Test
    void shouldEndAnIterationBeforeThePullsOfTheNextAreAnswered()
    {
        attach(0, SEQUENTIAL);
        attach(1, SEQUENTIAL);
        requests.iteration().prefetch(1);
        final long pull = tryPull(20);
        requests.iteration().end(0);
        assertThat(tickets.isDone(pull)).isFalse();
        assertThatThrownBy(() -> requests.iteration().end(0)).isInstanceOf(AssertionError.class)
            .hasMessageContaining("the answers to pulls");
    }

    @Test
    void shouldEndAnIterationWhateverIsPulledWhereSlotsAreNotSequential()
    {
        attach(0, Welcome.HeldParts.NONE);
        attach(1, Welcome.HeldParts.NONE);
        final long pull = tryPull(20);
        requests.iteration().end(0);
        assertThat(tickets.isDone(pull)).isFalse();
    }

    private void end(final boolean isFinish)
    {
        if (isFinish)
        {
            requests.iteration().finish(0);
        }
        else
        {
            requests.iteration().end(0);
        }
    }

    private void answerPulls()
    {
        for (final PullRequests partition : pulls)
        {
            partition.send((to, buffer, offset, length) ->
            {
                final PullDecoder pull =
                    new PullDecoder().wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
                answers.add(() -> partition.onRows(1, 1, pull.requestId(), new AllRows(pull.rowCount()), 0));
                return true;
            }, 1, 0);
        }
        answers.forEach(Runnable::run);
        answers.clear();
    }

    private int partitionOfFirstRow()
    {
        final RowPlan plan = ofRange(1).plan();
        return plan.end(0) > plan.begin(0) ? 0 : 1;
    }

    private PushRequest ofRange(final int rows)
    {
        return new PushRequest(2).ofRange(SPEC, 0, rows).values(new float[rows * SPEC.dim()]);
    }

    private long tryPull(final int rows)
    {
        return requests.tryPull(new PullRequest(2).ofRange(SPEC, 0, rows).into(new float[rows * SPEC.dim()]), 0);
    }

    private void push(final int rows)
    {
        requests.push(ofRange(rows), 0);
    }

    private void holdAll()
    {
        for (final PartitionSession session : sessions)
        {
            send(session);
            session.onHeld(1, session.lastSequence(), 0);
        }
    }

    private void acknowledgeAll()
    {
        for (final PartitionSession session : sessions)
        {
            send(session);
            final long last = session.lastSequence();
            session.onWatermarks(1, last, last, last, last, 0);
        }
    }

    private void attach(final int partition, final Welcome.HeldParts held)
    {
        sessions[partition].onLinkUp();
        send(sessions[partition]);
        assertThat(sessions[partition].onWelcome(new Welcome(
            INCARNATION, helloId, 1, 0, INCARNATION - 1, held), 0)).isTrue();
    }

    private void send(final PartitionSession session)
    {
        session.send((to, buffer, offset, length) ->
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, offset);
            if (HelloDecoder.TEMPLATE_ID == header.templateId())
            {
                helloId = new HelloDecoder().wrapAndApplyHeader(buffer, offset, header).helloId();
            }
            return true;
        }, 0);
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        for (int i = 0; !condition.getAsBoolean(); i++)
        {
            if (10 == i)
            {
                throw new AssertionError("waits in vain for " + what);
            }
            step.run();
        }
    }

    private PartitionSession session(final int partition)
    {
        return new PartitionSession(partition, settings.identity(), AckLevel.SNAPSHOTTED, new Spool(SPOOL, 64), tickets,
            settings.sessionTiming(), settings.outageListener());
    }

    private PullRequests pulls(final int partition)
    {
        return new PullRequests(partition, settings.identity(), 4, tickets, settings.sessionTiming(), null);
    }
}
