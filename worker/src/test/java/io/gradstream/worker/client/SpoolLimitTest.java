// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.request.RowPlan;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.Welcome;
import io.gradstream.worker.session.WorkerIdentity;
import org.junit.jupiter.api.Test;

import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * At the limit of what the spools of all partitions take together: spoolTotalBytes.
 */
class SpoolLimitTest
{
    private static final long INCARNATION = 9;
    private static final int SPOOL = 16 * Spool.STEP;
    /** The least of two partitions. */
    private static final int TOTAL = 4 * Spool.STEP;
    private static final int PART = 4096;
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1_000_000, 64, "sgd/1 rate=1.0");
    private static final Welcome.HeldParts SEQUENTIAL = new Welcome.HeldParts(0, 0, true);

    private final ClientSettings settings = settings(TOTAL);
    private final Spool.Memory memory = new Spool.Memory(TOTAL, 2);
    private final Tickets tickets = new Tickets(64, LatencyListener.NONE);
    private final PartitionSession[] sessions = {session(0), session(1)};
    private final PullRequests[] pulls = {pulls(0), pulls(1)};
    private final PushRequest push = new PushRequest(2);
    private final Requests requests = new Requests(settings, sessions, pulls, tickets, this::await);
    /** What servers do while the client waits, once. */
    private Runnable step = () -> {};
    private long helloId;

    @Test
    void shouldRefuseAPushThatNeverFitsAllSpoolsTogether()
    {
        attach(SEQUENTIAL);
        assertThatThrownBy(() -> push(300)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("never fits their spools at once").hasMessageContaining("spoolTotalBytes=" + TOTAL);
        assertThat(sessions[0].lastSequence() + sessions[1].lastSequence()).isZero();
    }

    @Test
    void shouldNameTheLimitWhereRoomRunsOutAndKeepRoomForTheClock()
    {
        attach(SEQUENTIAL);
        step = this::holdAll;
        assertThatThrownBy(() ->
        {
            for (int i = 0; i < 100; i++)
            {
                push(20);
                requests.push(push.of(SPEC, new long[]{keyOf(0)}, 0, 1).values(new float[SPEC.dim()]), 0);
            }
        }).isInstanceOf(IllegalStateException.class).hasMessageContaining("no room in the spool")
            .hasMessageContaining("spoolTotalBytes=" + TOTAL).hasMessageContaining("clock()");
        assertThat(sessions[0].spool().usedBytes() + sessions[1].spool().usedBytes())
            .isBetween(TOTAL / 3, TOTAL);
        requests.iteration().end(0);
        assertThat(requests.iteration().done()).isEqualTo(1);
    }

    @Test
    void shouldPushMoreThanTheLimitPartByPart()
    {
        attach(Welcome.HeldParts.NONE);
        step = this::acknowledgeAll;
        push(4 * TOTAL / SPEC.valuesLength());
        assertThat(sessions[0].lastSequence()).isGreaterThan(TOTAL / PART);
        assertThat(sessions[0].spool().peakBytes() + sessions[1].spool().peakBytes()).isGreaterThan(TOTAL / 2);
    }

    @Test
    void shouldRefuseALimitThatIsTooSmallForThePartitions()
    {
        assertThatThrownBy(() -> settings(TOTAL - 1)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("invalid spoolTotalBytes=" + (TOTAL - 1) + ": must be at least " + TOTAL +
                " for 2 partitions").hasMessageContaining("-Xmx");
    }

    private long keyOf(final int partition)
    {
        for (long key = 0;; key++)
        {
            final RowPlan plan = new PushRequest(2).of(SPEC, new long[]{key}, 0, 1).plan();
            if (plan.end(partition) > plan.begin(partition))
            {
                return key;
            }
        }
    }

    private void push(final int rows)
    {
        requests.push(push.ofRange(SPEC, 0, rows).values(new float[rows * SPEC.dim()]), 0);
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

    private void attach(final Welcome.HeldParts held)
    {
        for (final PartitionSession session : sessions)
        {
            session.onLinkUp();
            send(session);
            assertThat(session.onWelcome(new Welcome(
                INCARNATION, helloId, 1, 0, INCARNATION - 1, held), 0)).isTrue();
        }
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
        return new PartitionSession(partition, settings.identity(), AckLevel.APPLIED, new Spool(SPOOL, 64, memory),
            tickets, settings.sessionTiming(), settings.outageListener());
    }

    private PullRequests pulls(final int partition)
    {
        return new PullRequests(partition, settings.identity(), 4, tickets, settings.sessionTiming(), null);
    }

    private static ClientSettings settings(final long total)
    {
        return new ClientSettings(
            new WorkerIdentity(1, 0, INCARNATION),
            2,
            AckLevel.APPLIED,
            SpoolPolicy.BLOCK,
            false,
            0,
            new ClientSettings.Limits(SPOOL, total, 64, 8, 4, PART, 0),
            new SessionTiming(100, 10, 1_000),
            new ClientSettings.Timing(100, 200, 250, 1_000),
            LatencyListener.NONE,
            (of, epoch, outstanding, lostNs, nowNs) -> {},
            (problem) -> {});
    }
}
