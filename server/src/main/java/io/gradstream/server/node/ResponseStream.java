// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import org.agrona.DirectBuffer;

/** The stream on which a server answers one worker; opened without waiting. */
public interface ResponseStream extends AutoCloseable
{
    /** Opens response streams. */
    @FunctionalInterface
    interface Opener
    {
        /**
         * Begin to open a stream.
         *
         * @param channel that the worker listens at, as it names it.
         * @return the stream, not connected yet; null if the channel may not be opened.
         */
        ResponseStream open(String channel, int streamId);

        /** The same for one short message, in as little memory as possible. */
        default ResponseStream openForRefusal(final String channel, final int streamId)
        {
            return open(channel, streamId);
        }
    }

    /** Check whether it has been opened; to be called now and then. */
    int doWork();

    boolean isConnected();

    /** True if it was refused or closed, so that it can never be used again. */
    boolean isClosed();

    /** Longest message that goes out in one fragment. */
    int maxPayloadLength();

    int maxMessageLength();

    /** Send a message; false if there is no room now, or no worker listens. */
    boolean offer(DirectBuffer buffer, int offset, int length);

    @Override
    void close();
}
