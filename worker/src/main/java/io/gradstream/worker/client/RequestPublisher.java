// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.CreateTableEncoder;
import io.gradstream.codecs.wire.DescribeEncoder;
import io.gradstream.codecs.wire.DisconnectEncoder;
import io.gradstream.codecs.wire.KeepAliveEncoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.TakeModelEncoder;
import io.gradstream.worker.client.Transport.RequestStream;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes what a worker says to a server, and offers it. */
final class RequestPublisher
{
    private static final int BUFFER_LENGTH = 1024;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BUFFER_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ConnectEncoder connectEncoder = new ConnectEncoder();
    private final CreateTableEncoder createTableEncoder = new CreateTableEncoder();
    private final DescribeEncoder describeEncoder = new DescribeEncoder();
    private final TakeModelEncoder takeModelEncoder = new TakeModelEncoder();
    private final KeepAliveEncoder keepAliveEncoder = new KeepAliveEncoder();
    private final DisconnectEncoder disconnectEncoder = new DisconnectEncoder();
    private final WorkerIdentity identity;
    private RequestStream stream;

    RequestPublisher(final WorkerIdentity identity)
    {
        this.identity = identity;
    }

    void stream(final RequestStream newStream)
    {
        stream = newStream;
    }

    boolean connect(final long correlationId, final int responseStreamId, final String responseChannel)
    {
        connectEncoder.wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId)
            .incarnation(identity.incarnation())
            .jobId(identity.jobId())
            .slot(identity.slot())
            .responseStreamId(responseStreamId)
            .role((short)identity.role().code())
            .partsPerClock((short)identity.role().partsPerClock())
            .responseChannel(responseChannel);

        return offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + connectEncoder.encodedLength());
    }

    boolean createTable(final TableSpec spec, final int partition, final long epoch, final long requestId)
    {
        createTableEncoder.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch)
            .requestId(requestId)
            .rows(spec.rows())
            .initialiserSeed(spec.initialiserSeed())
            .partition(partition)
            .slot(identity.slot())
            .tableId(spec.tableId())
            .dim(spec.dim())
            .elementType((short)spec.elementType().code())
            .initialiser((short)spec.initialiser())
            .initialiserScale(spec.initialiserScale())
            .name(spec.name())
            .function(spec.function());

        return offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + createTableEncoder.encodedLength());
    }

    boolean describe(
        final int partition, final long epoch, final long requestId, final int firstTable, final int firstSlot)
    {
        describeEncoder.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch)
            .requestId(requestId)
            .incarnation(identity.incarnation())
            .partition(partition)
            .slot(identity.slot())
            .firstTable(firstTable)
            .firstSlot(firstSlot);

        return offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + describeEncoder.encodedLength());
    }

    boolean takeModel(final int partition, final long epoch, final long requestId, final long clock)
    {
        takeModelEncoder.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch)
            .requestId(requestId)
            .clock(clock)
            .incarnation(identity.incarnation())
            .partition(partition)
            .slot(identity.slot());

        return offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + takeModelEncoder.encodedLength());
    }

    boolean keepAlive()
    {
        keepAliveEncoder.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(identity.incarnation())
            .slot(identity.slot());

        return offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + keepAliveEncoder.encodedLength());
    }

    boolean disconnect()
    {
        disconnectEncoder.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(identity.incarnation())
            .slot(identity.slot());

        return offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + disconnectEncoder.encodedLength());
    }

    /** Offer a whole message; false if it was not taken: not now, or the stream is to be replaced. */
    boolean offer(final DirectBuffer message, final int offset, final int length)
    {
        return stream.offer(message, offset, length);
    }
}
