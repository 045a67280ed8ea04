// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.exceptions.RegistrationException;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.gradstream.codecs.Streams;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.client.LocalIngress;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.replica.MoveBandwidth;
import io.gradstream.server.node.ChainAdapter;
import io.gradstream.server.node.IngressAdapter;
import io.gradstream.server.node.NeighbourMessages;
import io.gradstream.server.node.NodeTransport;
import io.gradstream.server.node.ResponseStream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

import java.util.List;

/**
 * The streams of a node over Aeron: UDP, and IPC with workers that use the same media driver. Heartbeats come on a
 * stream of their own and never wait behind records.
 */
final class AeronNodeTransport implements NodeTransport, AutoCloseable
{
    private static final int WORKER_FRAGMENT_LIMIT = 32;
    /** They are up to eight times as long. */
    private static final int LOCAL_FRAGMENT_LIMIT = 8;
    private static final int NEIGHBOUR_FRAGMENT_LIMIT = 64;
    private static final int WORKER_MESSAGE_LENGTH = 64 * 1024;
    private static final int NEIGHBOUR_MESSAGE_LENGTH = 128 * 1024;
    private static final int MESSAGES_PER_TERM = 8;
    private static final long MAX_KEY_LIST_BYTES = 64L * 1024 * 1024;
    private static final int HEAP_SHARE_KEY_LISTS = 16;
    /** The least that Aeron allows. */
    private static final int REFUSAL_TERM_LENGTH = LogBufferDescriptor.TERM_MIN_LENGTH;

    private final ServerNode.Context ctx;
    private final Aeron aeron;
    private final ChainPublisher publisher;
    private final ChainAdapter chainAdapter = new ChainAdapter();
    private final MessageSubscription control;
    private final MessageSubscription records;
    private final MessageSubscription ingress;
    private final LocalIngress announced;
    private final MessageSubscription localIngress;
    private final MessageSubscription.Receiver onControl = chainAdapter::onControl;
    private final MessageSubscription.Receiver onRecord = chainAdapter::onRecord;
    private IngressAdapter adapter;
    private boolean isLocalFirst;
    private boolean isLocalRequest;
    private final MessageSubscription.Receiver onRequest =
        (sessionId, buffer, offset, length) -> adapter.onMessage(sessionId, buffer, offset, length);

    AeronNodeTransport(final ServerNode.Context ctx, final Aeron aeron, final long incarnation)
    {
        this.ctx = ctx;
        this.aeron = aeron;
        publisher = new ChainPublisher(ctx.nodeId, ctx.jobId, incarnation,
            new MoveBandwidth(ctx.moveBandwidth, SystemNanoClock.INSTANCE),
            (endpoint) -> new NeighbourStreams(aeron, (termLength) -> ctx.chainChannel(endpoint, termLength)));
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
        announced = announce(incarnation);
        localIngress = null == announced ? null : new MessageSubscription(aeron, CommonContext.IPC_CHANNEL,
            announced.streamId(), WORKER_MESSAGE_LENGTH, LOCAL_FRAGMENT_LIMIT);
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

        // in turns: what a job may push in a duty cycle goes to those that are heard first
        isLocalFirst = !isLocalFirst;
        final int firstCount = isLocalFirst ? pollLocalWorkers() : ingress.poll(onRequest);

        return firstCount + (isLocalFirst ? ingress.poll(onRequest) : pollLocalWorkers());
    }

    private int pollLocalWorkers()
    {
        if (null == localIngress)
        {
            return 0;
        }
        isLocalRequest = true;
        final int workCount = localIngress.poll(onRequest);
        isLocalRequest = false;

        return workCount;
    }

    boolean hasLocalWorkers()
    {
        return null != localIngress && localIngress.hasImages();
    }

    @Override
    public int maxResponseLength()
    {
        return ctx.responseTermLength / MESSAGES_PER_TERM;
    }

    @Override
    public int maxConnections()
    {
        return ctx.maxConnections;
    }

    @Override
    public long maxKeyListBytes()
    {
        return Math.min(MAX_KEY_LIST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE_KEY_LISTS);
    }

    @Override
    public ResponseStream open(final String channel, final int streamId)
    {
        return open(channel, streamId, ctx.responseTermLength);
    }

    @Override
    public ResponseStream openForRefusal(final String channel, final int streamId)
    {
        return open(channel, streamId, REFUSAL_TERM_LENGTH);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(announced, localIngress, ingress, control, records, publisher);
    }

    /** Null if the driver has no room for it: then workers come over UDP, and the node serves all the same. */
    private LocalIngress announce(final long incarnation)
    {
        try
        {
            return LocalIngress.announce(aeron, ctx.ingressEndpoint, incarnation);
        }
        catch (final RegistrationException ex)
        {
            ctx.errorHandler.onError(ex);
            return null;
        }
    }

    private ResponseStream open(final String channel, final int streamId, final int termLength)
    {
        final String publication = responseChannel(channel, termLength);
        return null == publication ? null :
            new AeronResponseStream(aeron, publication, streamId, ctx.errorHandler);
    }

    /** Null if a worker may not have its answers there: only one that asks over IPC may have them over IPC. */
    private String responseChannel(final String channel, final int termLength)
    {
        if (CommonContext.IPC_CHANNEL.equals(channel))
        {
            return isLocalRequest ? LocalIngress.publicationChannel(termLength) : null;
        }
        final String endpoint = ResponseEndpoint.parse(channel);

        return null == endpoint ? null : new ChannelUriStringBuilder()
            .media(CommonContext.UDP_MEDIA)
            .endpoint(endpoint)
            .termLength(termLength)
            .mtu(ChannelMtu.within(ctx.mtuLength, termLength))
            .linger(0L)
            .build();
    }
}
