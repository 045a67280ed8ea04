/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.gradstream.codecs.Streams;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.server.node.ChainAdapter;
import io.gradstream.server.node.IngressAdapter;
import io.gradstream.server.node.NeighbourMessages;
import io.gradstream.server.node.NodeTransport;
import io.gradstream.server.node.ResponseStream;
import org.agrona.CloseHelper;

import java.util.List;

/**
 * The streams of a node over Aeron UDP. Heartbeats come on a stream of their own and never wait behind records.
 */
final class AeronNodeTransport implements NodeTransport, AutoCloseable
{
    private static final int WORKER_FRAGMENT_LIMIT = 32;
    private static final int NEIGHBOUR_FRAGMENT_LIMIT = 64;
    private static final int WORKER_MESSAGE_LENGTH = 64 * 1024;
    private static final int NEIGHBOUR_MESSAGE_LENGTH = 128 * 1024;
    private static final int MESSAGES_PER_TERM = 8;

    private final ServerNode.Context ctx;
    private final Aeron aeron;
    private final ChainPublisher publisher;
    private final ChainAdapter chainAdapter = new ChainAdapter();
    private final MessageSubscription control;
    private final MessageSubscription records;
    private final MessageSubscription ingress;
    private final MessageSubscription.Receiver onControl = chainAdapter::onControl;
    private final MessageSubscription.Receiver onRecord = chainAdapter::onRecord;
    private IngressAdapter adapter;
    private final MessageSubscription.Receiver onRequest =
        (sessionId, buffer, offset, length) -> adapter.onMessage(sessionId, buffer, offset, length);

    AeronNodeTransport(final ServerNode.Context ctx, final Aeron aeron, final long incarnation)
    {
        this.ctx = ctx;
        this.aeron = aeron;
        publisher = new ChainPublisher(ctx.nodeId, ctx.jobId, incarnation,
            (endpoint) -> new NeighbourStreams(aeron, ctx.chainChannel(endpoint)));
        final String channel = new ChannelUriStringBuilder()
            .media(CommonContext.UDP_MEDIA)
            .endpoint(ctx.ingressEndpoint)
            .build();
        control = new MessageSubscription(
            aeron, channel, Streams.CHAIN_CONTROL, NEIGHBOUR_MESSAGE_LENGTH, NEIGHBOUR_FRAGMENT_LIMIT);
        records = new MessageSubscription(
            aeron, channel, Streams.CHAIN, NEIGHBOUR_MESSAGE_LENGTH, NEIGHBOUR_FRAGMENT_LIMIT);
        ingress = new MessageSubscription(
            aeron, channel, Streams.INGRESS, WORKER_MESSAGE_LENGTH, WORKER_FRAGMENT_LIMIT);
    }

    @Override
    public NodePort neighbours()
    {
        return publisher;
    }

    @Override
    public void onEndpoints(final List<String> endpoints)
    {
        publisher.onEndpoints(endpoints);
    }

    @Override
    public int pollNeighbours(final NeighbourMessages receiver)
    {
        chainAdapter.receiver(receiver);

        return control.poll(onControl) + records.poll(onRecord);
    }

    @Override
    public int pollWorkers(final IngressAdapter receiver)
    {
        adapter = receiver;

        return ingress.poll(onRequest);
    }

    @Override
    public int maxResponseLength()
    {
        return ctx.responseTermLength / MESSAGES_PER_TERM;
    }

    @Override
    public ResponseStream open(final String channel, final int streamId)
    {
        final String endpoint = ResponseEndpoint.parse(channel);
        return null == endpoint ? null :
            new AeronResponseStream(aeron, endpoint, streamId, ctx.responseTermLength, ctx.mtuLength);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(ingress, control, records, publisher);
    }
}
