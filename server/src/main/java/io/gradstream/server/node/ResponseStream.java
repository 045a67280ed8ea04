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
package io.gradstream.server.node;

import org.agrona.DirectBuffer;

/**
 * The stream on which a server answers one worker; opened without waiting.
 */
public interface ResponseStream extends AutoCloseable
{
    /**
     * Opens response streams.
     */
    @FunctionalInterface
    interface Opener
    {
        /**
         * Begin to open a stream.
         *
         * @param channel that the worker listens at, as it names it.
         * @return the stream, not connected yet; null if the channel is none that may be opened.
         */
        ResponseStream open(String channel, int streamId);
    }

    /**
     * Look whether it has been opened; to be called now and then.
     */
    int doWork();

    boolean isConnected();

    /**
     * Was it refused or closed, so that it can never be used again?
     */
    boolean isClosed();

    /**
     * Longest message that goes out in one fragment.
     */
    int maxPayloadLength();

    int maxMessageLength();

    /**
     * Send a message; false if there is no room now, or nobody listens.
     */
    boolean offer(DirectBuffer buffer, int offset, int length);

    @Override
    void close();
}
