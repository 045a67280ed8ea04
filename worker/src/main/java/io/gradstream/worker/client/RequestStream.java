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
package io.gradstream.worker.client;

import org.agrona.DirectBuffer;

/**
 * A stream of requests to one server: in order, and without a promise that what was taken arrives.
 */
public interface RequestStream extends AutoCloseable
{
    boolean isConnected();

    /**
     * Send one message.
     *
     * @return false if it was not taken: offer it again later, or on another stream.
     */
    boolean offer(DirectBuffer buffer, int offset, int length);

    @Override
    void close();
}
