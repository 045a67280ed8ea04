// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.exceptions.RegistrationException;
import org.agrona.ErrorHandler;

import java.util.concurrent.TimeUnit;

/** A client's way to one member: a publication that is made, and made again after an error, without waiting for it. */
final class IngressLink implements AutoCloseable
{
    /** A publication that reaches nobody for so long is replaced. */
    static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    private final Aeron aeron;
    private final ErrorHandler errorHandler;
    private final String channel;
    private final int streamId;
    private final long retryIntervalNs;
    private long registrationId = Aeron.NULL_VALUE;
    private long retryNs;
    private boolean hasFailed;
    private ExclusivePublication publication;
    private long reachedNs;

    IngressLink(
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
     * Make the publication where there is none.
     *
     * @param nowNs now.
     * @return the publication once the member is reached by it, else null.
     */
    ExclusivePublication poll(final long nowNs)
    {
        if (null == publication)
        {
            open(nowNs);
        }
        else if (publication.isClosed())
        {
            publication = null;
        }
        if (isConnected())
        {
            reachedNs = nowNs;
            return publication;
        }
        // A member that lost a stream, as by a pause, never takes the same one again.
        if (null != publication && nowNs - reachedNs >= CONNECT_TIMEOUT_NS)
        {
            close();
        }

        return null;
    }

    boolean isConnected()
    {
        return null != publication && publication.isConnected();
    }

    private void open(final long nowNs)
    {
        if (hasFailed && nowNs - retryNs < 0)
        {
            return;
        }

        if (Aeron.NULL_VALUE == registrationId)
        {
            registrationId = aeron.asyncAddExclusivePublication(channel, streamId);
        }

        try
        {
            publication = aeron.getExclusivePublication(registrationId);
            if (null != publication)
            {
                registrationId = Aeron.NULL_VALUE;
                hasFailed = false;
                reachedNs = nowNs;
            }
        }
        catch (final RegistrationException ex)
        {
            registrationId = Aeron.NULL_VALUE;
            retryNs = nowNs + retryIntervalNs;
            if (!hasFailed)
            {
                hasFailed = true;
                errorHandler.onError(ex);
            }
        }
    }

    /** Give the publication up, so that the next poll makes a new one. */
    public void close()
    {
        if (Aeron.NULL_VALUE != registrationId)
        {
            aeron.asyncRemovePublication(registrationId);
            registrationId = Aeron.NULL_VALUE;
        }

        if (null != publication)
        {
            publication.close();
            publication = null;
        }
    }
}
