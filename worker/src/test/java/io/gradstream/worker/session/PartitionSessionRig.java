// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ClockDoneEncoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.OutcomesKnownDecoder;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.List;

import static io.gradstream.worker.session.PartitionSession.State.HELLO_SENT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * One slot's session with partition 3, what it sends, and what a primary answers.
 */
abstract class PartitionSessionRig
{
    static final SessionTiming TIMING = new SessionTiming(100, 10, 1_000);

    final Tickets tickets = new Tickets(64, LatencyListener.NONE);
    final List<String> outages = new ArrayList<>();
    final PartitionSession session = new PartitionSession(
        3,
        new WorkerIdentity(1, 7, 5),
        AckLevel.RECORDED,
        new Spool(1024, 8),
        tickets,
        TIMING,
        (partition, epoch, outstanding, lostNs, nowNs) ->
            outages.add(partition + " " + epoch + " " + outstanding + " " + lostNs + " " + nowNs));
    final List<String> sent = new ArrayList<>();
    boolean isBlocked;
    long nowNs;
    long helloClock;
    long helloId;

    boolean welcome(final long epoch, final long lastSequence)
    {
        return session.onWelcome(new Welcome(5, helloId, epoch, lastSequence, 5), nowNs);
    }

    void refuse(final long epoch, final long sequence, final long expected, final Refusal refusal)
    {
        session.onRefused(new PartRefused(5, helloId, epoch, sequence, expected, refusal), nowNs);
    }

    void attach(final long epoch, final long lastSequence)
    {
        session.onLinkUp();
        send();
        assertThat(session.state()).isEqualTo(HELLO_SENT);
        welcome(epoch, lastSequence);
    }

    long push()
    {
        return push(0);
    }

    long push(final long clock)
    {
        final int offset = session.claim(length());
        new ClockDoneEncoder().wrapAndApplyHeader(session.spool().buffer(), offset, new MessageHeaderEncoder())
            .epoch(-1)
            .clock(clock)
            .sequence(session.spool().next());
        final long ticket = tickets.open(true, nowNs);
        session.commit(ticket, false);
        tickets.seal(ticket, nowNs);

        return ticket;
    }

    static int length()
    {
        return MessageHeaderEncoder.ENCODED_LENGTH + ClockDoneEncoder.BLOCK_LENGTH;
    }

    void send()
    {
        session.send(this::offer, nowNs);
    }

    boolean offer(final int partition, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isBlocked)
        {
            return false;
        }
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, offset);
        if (HelloDecoder.TEMPLATE_ID == header.templateId())
        {
            final HelloDecoder hello = new HelloDecoder().wrapAndApplyHeader(buffer, offset, header);
            helloClock = hello.clock();
            helloId = hello.helloId();
            assertThat(hello.incarnation()).isEqualTo(5);
            sent.add("hello " + hello.oldestKept());
        }
        else if (OutcomesKnownDecoder.TEMPLATE_ID == header.templateId())
        {
            final OutcomesKnownDecoder known = new OutcomesKnownDecoder().wrapAndApplyHeader(buffer, offset, header);
            assertThat(known.incarnation()).isEqualTo(5);
            assertThat(known.slot()).isEqualTo(7);
            assertThat(known.partition()).isEqualTo(partition);
            sent.add("known " + known.acknowledgedThrough());
        }
        else
        {
            final ClockDoneDecoder message = new ClockDoneDecoder().wrapAndApplyHeader(buffer, offset, header);
            assertThat(message.incarnation()).isEqualTo(5);
            sent.add(message.epoch() + ":" + message.sequence() + ":" + message.acknowledgedThrough());
        }

        return true;
    }
}
