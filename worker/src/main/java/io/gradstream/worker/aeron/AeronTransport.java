// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.gradstream.codecs.Streams;
import io.gradstream.driver.client.DriverDoorbell;
import io.gradstream.driver.client.DriverRequests;
import io.gradstream.driver.client.LocalIngress;
import io.gradstream.worker.client.Transport.RequestStream;
import io.gradstream.worker.client.Transport;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

import java.util.function.LongPredicate;

/**
 * A client's way to servers over Aeron: one publication to each, and one subscription for the answers of all. With
 * servers that use the client's own media driver both are IPC.
 */
public final class AeronTransport implements Transport
{
    /** Most fragments of one poll. */
    private static final int FRAGMENT_LIMIT = 32;

    private final DriverConnection driver;
    private final boolean isDriverOwn;
    private final ChannelSettings channels;
    private final DriverDoorbell bell;
    private final FragmentAssembler assembler = newAssembler();
    private final FragmentAssembler localAssembler = newAssembler();
    private final Subscription subscription;
    private final Subscription localSubscription;
    private final ResponseAddress localAddress;
    private ResponseAddress responseAddress;
    private Receiver receiver;

    /**
     * A transport that begins to listen for answers.
     *
     * @param driver      that carries the streams.
     * @param isDriverOwn true if it is closed with this transport.
     */
    public AeronTransport(final DriverConnection driver, final boolean isDriverOwn, final ChannelSettings channels)
    {
        this.driver = driver;
        this.isDriverOwn = isDriverOwn;
        this.channels = channels;
        bell = DriverDoorbell.of(driver.aeron().context().aeronDirectoryName());
        subscription = DriverRequests.subscribe(driver.aeron(),
            channels.responseChannel(), Streams.RESPONSE, (image) -> onGone(assembler, image));
        localAddress = new ResponseAddress(CommonContext.IPC_CHANNEL, LocalIngress.uniqueStreamId(driver.aeron()),
            null);
        localSubscription = DriverRequests.subscribe(driver.aeron(),
            localAddress.channel(), localAddress.streamId(), (image) -> onGone(localAssembler, image));
    }

    /** True if the address is known to which servers send their answers; if not, poll the driver and ask again. */
    public boolean isListening()
    {
        final String channel = null == responseAddress ? subscription.tryResolveChannelEndpointPort() : null;
        if (null != channel)
        {
            responseAddress = new ResponseAddress(channel, Streams.RESPONSE,
                ChannelUri.parse(channel).get(CommonContext.ENDPOINT_PARAM_NAME));
        }

        return null != responseAddress;
    }

    @Override
    public RequestStream open(final String endpoint, final long incarnation)
    {
        final int localStreamId = LocalIngress.find(driver.aeron(), endpoint, incarnation);
        final boolean isLocal = Aeron.NULL_VALUE != localStreamId;
        final ExclusivePublication publication = DriverRequests.publish(driver.aeron(),
            isLocal ? LocalIngress.publicationChannel(channels.termLength()) : channels.ingressChannel(endpoint),
            isLocal ? localStreamId : Streams.INGRESS);

        return new PublishedRequests(bell, publication, isLocal ? localAddress : responseAddress,
            (newest) -> LocalIngress.find(driver.aeron(), endpoint, newest) == localStreamId);
    }

    @Override
    public int poll(final Receiver answers)
    {
        receiver = answers;
        return driver.poll() + subscription.poll(assembler, FRAGMENT_LIMIT) +
            localSubscription.poll(localAssembler, FRAGMENT_LIMIT);
    }

    @Override
    public boolean isClosed()
    {
        return driver.isClosed();
    }

    @Override
    public String lossText(final RuntimeException ex)
    {
        return driver.isLost(ex) ? driver.lossText() : null;
    }

    @Override
    public void close()
    {
        if (!driver.isClosed())
        {
            CloseHelper.closeAll(localSubscription, subscription, bell);
        }
        CloseHelper.close(isDriverOwn ? driver : null);
    }

    private FragmentAssembler newAssembler()
    {
        return new FragmentAssembler(
            (buffer, offset, length, header) -> receiver.onMessage(buffer, offset, length));
    }

    private static void onGone(final FragmentAssembler assembler, final Image image)
    {
        // its session sends no more: an unfinished message is dropped
        assembler.freeSessionBuffer(image.sessionId());
    }

    private record PublishedRequests(
        DriverDoorbell bell,
        ExclusivePublication publication,
        ResponseAddress responseAddress,
        LongPredicate way) implements RequestStream
    {
        @Override
        public boolean isConnected()
        {
            return publication.isConnected();
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            long result;
            do
            {
                result = publication.offer(buffer, offset, length);
            }
            while (Publication.ADMIN_ACTION == result);
            if (result > 0 && null != responseAddress.endpoint())
            {
                // over IPC the server reads it without the driver
                bell.ring();
            }

            return result > 0;
        }

        @Override
        public boolean leadsTo(final long incarnation)
        {
            return way.test(incarnation);
        }

        @Override
        public void abandon()
        {
            if (null == responseAddress.endpoint())
            {
                // else the driver keeps it until it takes the server for dead
                publication.revokeOnClose();
            }
            publication.close();
        }

        @Override
        public void close()
        {
            publication.close();
        }
    }
}
