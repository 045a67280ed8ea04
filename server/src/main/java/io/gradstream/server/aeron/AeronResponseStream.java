// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.ErrorCode;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.exceptions.RegistrationException;
import io.gradstream.server.node.ResponseStream;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;

/**
 * A response stream over Aeron. Over UDP it does not linger: what a dead worker has not taken is of no use to anybody.
 */
final class AeronResponseStream implements ResponseStream
{
    private final Aeron aeron;
    private final ErrorHandler errorHandler;
    private long registrationId;
    private ExclusivePublication publication;
    private boolean isClosed;

    /**
     * Begin to open a stream.
     *
     * @param errorHandler told why the driver does not open it, unless the worker named what there is not.
     */
    AeronResponseStream(
        final Aeron aeron, final String channel, final int streamId, final ErrorHandler errorHandler)
    {
        this.aeron = aeron;
        this.errorHandler = errorHandler;
        registrationId = aeron.asyncAddExclusivePublication(channel, streamId);
    }

    @Override
    public int doWork()
    {
        if (isClosed || Aeron.NULL_VALUE == registrationId)
        {
            return 0;
        }
        try
        {
            publication = aeron.getExclusivePublication(registrationId);
        }
        catch (final RegistrationException ex)
        {
            registrationId = Aeron.NULL_VALUE;
            isClosed = true;
            final boolean isOfWorker =
                ErrorCode.UNKNOWN_HOST == ex.errorCode() || ErrorCode.INVALID_CHANNEL == ex.errorCode();
            if (!isOfWorker)
            {
                // such as no room for its buffers or counters: the worker hears nothing
                errorHandler.onError(ex);
            }
            return 1;
        }
        if (null != publication)
        {
            registrationId = Aeron.NULL_VALUE;
            return 1;
        }

        return 0;
    }

    @Override
    public boolean isConnected()
    {
        return null != publication && publication.isConnected();
    }

    @Override
    public boolean isClosed()
    {
        return isClosed || null != publication && publication.isClosed();
    }

    @Override
    public int maxPayloadLength()
    {
        return publication.maxPayloadLength();
    }

    @Override
    public int maxMessageLength()
    {
        return publication.maxMessageLength();
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isClosed || null == publication)
        {
            return false;
        }
        long result = publication.offer(buffer, offset, length);
        if (Publication.ADMIN_ACTION == result)
        {
            result = publication.offer(buffer, offset, length);
        }
        if (Publication.MAX_POSITION_EXCEEDED == result || Publication.CLOSED == result)
        {
            close();
        }

        return result > 0;
    }

    @Override
    public void close()
    {
        isClosed = true;
        if (Aeron.NULL_VALUE != registrationId)
        {
            aeron.asyncRemovePublication(registrationId);
            registrationId = Aeron.NULL_VALUE;
        }
        if (null != publication)
        {
            publication.close();
        }
    }
}
