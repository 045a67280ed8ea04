// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import org.agrona.ErrorHandler;

/**
 * The stream by which members answer a client: a subscription that is made, and made again after an error, without
 * waiting for it.
 */
final class EgressLink implements AutoCloseable
{
    private final Aeron aeron;
    private final ErrorHandler errorHandler;
    private final String channel;
    private final int streamId;
    private final long retryIntervalNs;
    private long registrationId = Aeron.NULL_VALUE;
    private Subscription subscription;
    private boolean mustPause;
    private long retryNs;

    EgressLink(
        final Aeron aeron,
        final ErrorHandler errorHandler,
        final String channel,
        final int streamId,
        final long retryIntervalNs)
    {
        this.aeron = aeron;
        this.errorHandler = errorHandler;
        this.channel = channel;
        this.streamId = streamId;
        this.retryIntervalNs = retryIntervalNs;
    }

    /**
     * Make the subscription where there is none.
     *
     * @param nowNs now.
     * @return true once it is there and its port is known.
     */
    boolean isOpen(final long nowNs)
    {
        if (null == subscription && !(mustPause && nowNs - retryNs < 0))
        {
            mustPause = false;
            open(nowNs);
        }

        return null != subscription && null != subscription.tryResolveChannelEndpointPort();
    }

    private void open(final long nowNs)
    {
        if (Aeron.NULL_VALUE == registrationId)
        {
            registrationId = aeron.asyncAddSubscription(channel, streamId);
        }

        try
        {
            subscription = aeron.getSubscription(registrationId);
            if (null != subscription)
            {
                registrationId = Aeron.NULL_VALUE;
            }
        }
        catch (final RegistrationException ex)
        {
            registrationId = Aeron.NULL_VALUE;
            pause(nowNs, retryIntervalNs);
            errorHandler.onError(ex);
        }
    }

    /**
     * Leave the cluster alone for a while before the next subscription.
     *
     * @param nowNs   now.
     * @param pauseNs how long.
     */
    void pause(final long nowNs, final long pauseNs)
    {
        mustPause = true;
        retryNs = nowNs + pauseNs;
    }

    /**
     * Take what has come.
     *
     * @param adapter told of it.
     * @return how many messages.
     */
    int poll(final SessionAdapter adapter)
    {
        return null == subscription ? 0 : adapter.poll(subscription);
    }

    /** The channel on which members answer, with the port in use. */
    String responseChannel()
    {
        return subscription.tryResolveChannelEndpointPort();
    }

    /** Give the subscription up, so that a new one, on another port unless one was fixed, is made. */
    public void close()
    {
        if (Aeron.NULL_VALUE != registrationId)
        {
            aeron.asyncRemoveSubscription(registrationId);
            registrationId = Aeron.NULL_VALUE;
        }

        if (null != subscription)
        {
            subscription.close();
            subscription = null;
        }
    }
}
