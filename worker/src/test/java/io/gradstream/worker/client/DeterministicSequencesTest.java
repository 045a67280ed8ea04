// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.Welcome;
import io.gradstream.worker.session.WorkerIdentity;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a process of a slot that is backed up may leave out: what is safe at all partitions, at the level that its own
 * pushes wait for.
 */
class DeterministicSequencesTest
{
    private static final long INCARNATION = 9;
    private static final SlotRole ROLE = SlotRole.backup(1);
    private static final WorkerIdentity IDENTITY = new WorkerIdentity(1, 0, INCARNATION, ROLE);

    private final Tickets tickets = new Tickets(64, LatencyListener.NONE);
    private long helloId;

    @ParameterizedTest
    @EnumSource(value = AckLevel.class, names = {"APPLIED", "REPLICATED", "RECORDED"})
    void shouldGoOnBehindWhatIsSafeAtAllPartitionsAndNotBehindWhatIsOnlyApplied(final AckLevel level)
    {
        final PartitionSession[] sessions = {session(0, level), session(1, level)};
        final DeterministicSequences numbers = new DeterministicSequences(ROLE, level, sessions, new PullRequests[2]);
        // 4 iterations of the other process: a part and an end each
        sessions[0].onWatermarks(1, 8, 6, 4, 0, 0);
        sessions[1].onWatermarks(1, 8, 8, 8, 0, 0);
        final long safe = switch (level)
        {
            case APPLIED -> 4;
            case REPLICATED -> 3;
            case RECORDED, SNAPSHOTTED -> 2;
        };
        assertThat(numbers.clocksSafe()).isEqualTo(safe);

        final long left = tickets.open(true, 0);
        numbers.leave(left, safe);
        assertThat(numbers.doWork(tickets, safe)).as("its end is not safe at partition 0").isZero();
        sessions[0].onWatermarks(1, 10, 10, 10, 0, 0);
        sessions[1].onWatermarks(1, 10, 10, 10, 0, 0);
        assertThat(numbers.doWork(tickets, safe)).isEqualTo(1);
        assertThat(tickets.isDone(left)).isTrue();
    }

    private PartitionSession session(final int partition, final AckLevel level)
    {
        final PartitionSession session = new PartitionSession(partition, IDENTITY, level, new Spool(1024, 8), tickets,
            SessionTiming.DEFAULT, (of, epoch, outstanding, lostNs, nowNs) -> {});
        session.onLinkUp();
        session.send((to, buffer, offset, length) ->
        {
            helloId = new HelloDecoder().wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder()).helloId();
            return true;
        }, 0);
        assertThat(session.onWelcome(
            new Welcome(INCARNATION, helloId, 1, 0, 0, Welcome.HeldParts.NONE), 0)).isTrue();

        return session;
    }
}
