// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import org.agrona.DirectBuffer;

/**
 * The port through which nodes, workers and tools reach the coordinators: messages keep their order while a connection
 * lasts, and one that was taken may not arrive. For one thread.
 */
public interface CoordinatorChannel extends AutoCloseable
{
    /** Receives what the coordinators say. */
    @FunctionalInterface
    interface Listener
    {
        /**
         * One message, within {@link #poll(long)}. The channel must not be closed from here.
         *
         * @param buffer it lies in, during this call only.
         * @param offset of its first byte.
         * @param length in bytes.
         */
        void onMessage(DirectBuffer buffer, int offset, int length);
    }

    /**
     * One duty cycle: connect, reconnect, deliver.
     *
     * @param nowNs of a clock that does not go back.
     * @return how much was done.
     */
    int poll(long nowNs);

    /**
     * Send a command.
     *
     * @param buffer it lies in.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return false if it was not taken: try again later.
     */
    boolean offer(DirectBuffer buffer, int offset, int length);

    /**
     * The number of this connection. What was under way on the connection before may be lost, so that it is sent again
     * on each new one. A new leader may have missed a command, but keeps the connection.
     *
     * @return 0 while there is none, else a number that grows with every new one.
     */
    long connection();

    /** A phrase for error messages that says what the channel is doing or waiting for. */
    String describe();

    @Override
    void close();
}
