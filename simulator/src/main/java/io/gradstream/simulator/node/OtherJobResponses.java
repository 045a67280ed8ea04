// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.server.node.ResponseStream;
import org.agrona.DirectBuffer;

/** Looks at what a process of a node tells the worker of a job that is not the first one, before that leaves. */
final class OtherJobResponses implements ResponseStream
{
    private final Cluster cluster;
    private final int seat;
    private final int jobId;
    private final ResponseStream stream;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final RowsDecoder rows = new RowsDecoder();

    OtherJobResponses(final Cluster cluster, final int seat, final int jobId, final ResponseStream stream)
    {
        this.cluster = cluster;
        this.seat = seat;
        this.jobId = jobId;
        this.stream = stream;
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        switch (header.wrap(buffer, offset).templateId())
        {
            case WatermarksDecoder.TEMPLATE_ID ->
            {
                for (final WatermarksDecoder.PartitionsDecoder told :
                    watermarks.wrapAndApplyHeader(buffer, offset, header).partitions())
                {
                    cluster.jobListener().onAnswer(seat, jobId, told.partition(), told.epoch());
                }
            }
            case WelcomeDecoder.TEMPLATE_ID ->
            {
                welcome.wrapAndApplyHeader(buffer, offset, header);
                cluster.jobListener().onAnswer(seat, jobId, welcome.partition(), welcome.epoch());
            }
            case RowsDecoder.TEMPLATE_ID ->
            {
                rows.wrapAndApplyHeader(buffer, offset, header);
                cluster.jobListener().onAnswer(seat, jobId, rows.partition(), rows.epoch());
            }
            default ->
            {
                // acknowledges nothing: refusals, tables, descriptions
            }
        }

        return stream.offer(buffer, offset, length);
    }

    @Override
    public int doWork()
    {
        return stream.doWork();
    }

    @Override
    public boolean isConnected()
    {
        return stream.isConnected();
    }

    @Override
    public boolean isClosed()
    {
        return stream.isClosed();
    }

    @Override
    public int maxPayloadLength()
    {
        return stream.maxPayloadLength();
    }

    @Override
    public int maxMessageLength()
    {
        return stream.maxMessageLength();
    }

    @Override
    public void close()
    {
        stream.close();
    }
}
