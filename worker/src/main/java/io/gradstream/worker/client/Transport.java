// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import org.agrona.DirectBuffer;

/** The port through which a client reaches servers: it opens streams of requests and delivers the servers' answers. */
public interface Transport extends AutoCloseable
{
    /** Takes whole messages. */
    @FunctionalInterface
    interface Receiver
    {
        /** Take one message from a buffer that holds it during this call only. */
        void onMessage(DirectBuffer buffer, int offset, int length);
    }

    /**
     * The address to which servers send their answers.
     *
     * @param channel  that a server opens.
     * @param streamId of it.
     * @param endpoint of the channel, for people; null if both use one media driver.
     */
    record ResponseAddress(String channel, int streamId, String endpoint)
    {
    }

    /**
     * Open a new stream of requests, which begins at its beginning.
     *
     * @param endpoint    host:port of the server.
     * @param incarnation of its newest process that the coordinators have named, 0 if none.
     * @return the stream, not connected yet.
     */
    RequestStream open(String endpoint, long incarnation);

    int poll(Receiver receiver);

    /**
     * A way to the same servers for another client of this process, which adopts a slot; that client closes it.
     *
     * @return one that shares no streams with this one.
     */
    default Transport another()
    {
        throw new UnsupportedOperationException("a transport for a client that adopts a slot: " + getClass());
    }

    /** True if the way to all servers is lost or closed, so that nothing more can be sent. */
    default boolean isClosed()
    {
        return false;
    }

    /**
     * Put the loss of the way to all servers into words.
     *
     * @param ex thrown by something that uses this transport.
     * @return one line that says what to do, or null if the exception says nothing of a loss.
     */
    default String lossText(final RuntimeException ex)
    {
        return null;
    }

    @Override
    default void close()
    {
    }

    /** A stream of requests to one server: in order, and without a promise that a message taken arrives. */
    interface RequestStream extends AutoCloseable
    {
        boolean isConnected();

        /** The address to which the server is to send its answers. */
        ResponseAddress responseAddress();

        /** True if a stream opened now to this process of the server would take the same way. */
        boolean leadsTo(long incarnation);

        /** Send one message; false if it was not taken: offer it again later, or on another stream. */
        boolean offer(DirectBuffer buffer, int offset, int length);

        /** Close the stream because the server does not answer: messages that it has not taken need not arrive. */
        void abandon();

        @Override
        void close();
    }
}
