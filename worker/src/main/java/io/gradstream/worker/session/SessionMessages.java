// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.AwaitedWatermark;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ClockDoneEncoder;
import io.gradstream.codecs.wire.HelloEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.OutcomesKnownEncoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.PushEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes a session's hello, and fills in the fields of a kept message that are known only when it is sent. */
final class SessionMessages
{
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final HelloEncoder hello = new HelloEncoder();
    private final OutcomesKnownEncoder outcomesKnown = new OutcomesKnownEncoder();
    private final PushEncoder push = new PushEncoder();
    private final ClockDoneEncoder clockDone = new ClockDoneEncoder();
    private final UnsafeBuffer buffer =
        new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + HelloEncoder.BLOCK_LENGTH]);
    private final int partition;
    private final WorkerIdentity identity;
    private final AckLevel ackLevel;
    private long releasedClock;

    SessionMessages(final int partition, final WorkerIdentity identity, final AckLevel ackLevel)
    {
        this.partition = partition;
        this.identity = identity;
        this.ackLevel = ackLevel;
    }

    boolean sendHello(final Outbound outbound, final long helloId, final long oldestKept)
    {
        hello.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .incarnation(identity.incarnation())
            .oldestKept(oldestKept)
            .partition(partition)
            .slot(identity.slot())
            .clock(releasedClock)
            .helloId(helloId)
            .awaited((short)awaited());

        return outbound.offer(partition, buffer, 0, buffer.capacity());
    }

    boolean sendOutcomesKnown(final Outbound outbound, final long acknowledgedThrough)
    {
        outcomesKnown.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .incarnation(identity.incarnation())
            .acknowledgedThrough(acknowledgedThrough)
            .partition(partition)
            .slot(identity.slot());

        return outbound.offer(
            partition, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + OutcomesKnownEncoder.BLOCK_LENGTH);
    }

    /**
     * The watermark that the worker awaits. A worker that waits for snapshots also looks at the replicated watermark,
     * to report outages.
     */
    private int awaited()
    {
        return switch (ackLevel)
        {
            case APPLIED -> AwaitedWatermark.APPLIED;
            case REPLICATED -> AwaitedWatermark.REPLICATED;
            case RECORDED -> AwaitedWatermark.RECORDED;
            case SNAPSHOTTED -> AwaitedWatermark.ANY;
        };
    }

    /**
     * The spool is about to forget a message. A server that never received it needs the clock that it carried, so the
     * next hello tells that clock.
     */
    void onReleased(final DirectBuffer kept, final int offset)
    {
        final int body = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        final boolean isClock = ClockDoneDecoder.TEMPLATE_ID == headerDecoder.wrap(kept, offset).templateId();
        releasedClock = kept.getLong(
            body + (isClock ? ClockDoneDecoder.clockEncodingOffset() : PushDecoder.clockEncodingOffset()),
            MessageHeaderDecoder.BYTE_ORDER);
    }

    void stamp(final MutableDirectBuffer kept, final int offset, final long epoch, final long acknowledgedThrough)
    {
        final int body = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        if (ClockDoneDecoder.TEMPLATE_ID == headerDecoder.wrap(kept, offset).templateId())
        {
            clockDone.wrap(kept, body)
                .epoch(epoch).acknowledgedThrough(acknowledgedThrough).incarnation(identity.incarnation());
        }
        else
        {
            push.wrap(kept, body)
                .epoch(epoch).acknowledgedThrough(acknowledgedThrough).incarnation(identity.incarnation());
        }
    }
}
