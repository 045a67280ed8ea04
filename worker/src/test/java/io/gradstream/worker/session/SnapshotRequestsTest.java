// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.codecs.wire.SnapshotWantedDecoder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SnapshotRequestsTest
{
    private static final int MAX_IN_FLIGHT = 10;
    private static final WorkerIdentity IDENTITY = new WorkerIdentity(1, 7, 5);

    private final List<String> outages = new ArrayList<>();
    private final Tickets tickets = new Tickets(64, LatencyListener.NONE);
    private final PartitionSession session = new PartitionSession(
        1, IDENTITY, AckLevel.SNAPSHOTTED, new Spool(4096, MAX_IN_FLIGHT), tickets, SessionTiming.DEFAULT,
        (partition, epoch, outstanding, lostNs, nowNs) -> outages.add(epoch + " " + outstanding + " " + nowNs));
    private final SnapshotRequests requests = new SnapshotRequests(IDENTITY, 2, 0);
    private final List<String> sent = new ArrayList<>();
    private long nowNs;

    @BeforeEach
    void attach()
    {
        welcome(1, 0);
    }

    @Test
    void shouldAskOnlyOnceHalfOfTheSpoolIsUsedByWhatIsApplied()
    {
        push(4);
        applied(1, 4);
        send();
        assertThat(sent).isEmpty();

        push(1);
        send();

        assertThat(sent).containsExactly("1 7 5");
        assertThat(requests.count()).isEqualTo(1);
    }

    @Test
    void shouldNotAskForWhatNoSnapshotCouldCover()
    {
        push(MAX_IN_FLIGHT);
        send();

        assertThat(sent).isEmpty();
    }

    @Test
    void shouldAskAgainOnlyAfterAWhile()
    {
        push(MAX_IN_FLIGHT);
        applied(1, MAX_IN_FLIGHT);
        send();
        nowNs += SnapshotRequests.INTERVAL_NS - 1;
        send();
        assertThat(sent).hasSize(1);
        nowNs += 1;
        send();
        assertThat(sent).hasSize(2);
    }

    @Test
    void shouldAskForTheLastPushWhileTheWorkerWaits()
    {
        push(1);
        applied(1, 1);
        send();
        assertThat(sent).isEmpty();

        requests.isAwaited(true);
        send();
        assertThat(sent).hasSize(1);
        session.onWatermarks(1, 1, 1, 1, 1, nowNs);
        nowNs += SnapshotRequests.INTERVAL_NS;
        send();
        assertThat(sent).hasSize(1);
    }

    @Test
    void shouldAskAsLongAsAnybodyWaits()
    {
        push(1);
        applied(1, 1);
        requests.isAwaited(true);
        requests.isAwaited(true);
        requests.isAwaited(false);
        send();
        assertThat(sent).hasSize(1);
        requests.isAwaited(false);
        nowNs += SnapshotRequests.INTERVAL_NS;
        send();
        assertThat(sent).hasSize(1);
    }

    @Test
    void shouldKeepPushesUntilTheyAreSnapshottedAndSendThemAgainToAFreshServer()
    {
        push(6);
        applied(1, 6);
        session.onWatermarks(1, 6, 6, 6, 2, nowNs);
        session.onLinkDown(nowNs);
        welcome(2, 4);

        final List<Long> sequences = new ArrayList<>();
        session.send((partition, buffer, offset, length) -> sequences.add(session.lastSequence()), nowNs);

        assertThat(session.spool().oldest()).isEqualTo(3);
        assertThat(sequences).hasSize(2);
        assertThat(tickets.outstanding()).isEqualTo(4);
    }

    @Test
    void shouldSayServiceIsBackWhenTheChainHasWhatWasOutstandingThoughNothingIsSnapshotted()
    {
        push(6);
        applied(1, 6);
        session.onLinkDown(nowNs);
        nowNs = 100;
        welcome(2, 4);
        applied(2, 4);
        assertThat(outages).isEmpty();
        nowNs = 130;
        applied(2, 5);
        nowNs = 140;
        applied(2, 6);

        assertThat(outages).containsExactly("2 6 130");
    }

    private void welcome(final long epoch, final long lastSequence)
    {
        session.onLinkUp();
        final HelloDecoder hello = new HelloDecoder();
        session.send((partition, buffer, offset, length) ->
        {
            hello.wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
            return true;
        }, nowNs);
        session.onWelcome(new Welcome(
            hello.incarnation(), hello.helloId(), epoch, lastSequence, hello.incarnation()), nowNs);
    }

    private void applied(final long epoch, final long sequence)
    {
        session.onWatermarks(epoch, sequence, sequence, sequence, 0, nowNs);
    }

    private void push(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final int offset = session.claim(MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH);
            new PushEncoder().wrapAndApplyHeader(session.spool().buffer(), offset, new MessageHeaderEncoder());
            final long ticket = tickets.open(true, nowNs);
            session.commit(ticket, true);
            tickets.seal(ticket, nowNs);
        }
    }

    private void send()
    {
        requests.send(session, (partition, buffer, offset, length) ->
        {
            final SnapshotWantedDecoder wanted =
                new SnapshotWantedDecoder().wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
            return sent.add(wanted.partition() + " " + wanted.slot() + " " + wanted.incarnation());
        }, nowNs);
    }
}
