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

import java.util.ArrayList;
import java.util.List;

/**
 * A worker that keeps what it is told.
 */
final class KeptStream implements ResponseStream
{
    final List<byte[]> messages = new ArrayList<>();
    int longest;
    boolean isFull;
    int maxMessageLength = 128 * 1024;
    private boolean isClosed;

    @Override
    public int doWork()
    {
        return 0;
    }

    @Override
    public boolean isConnected()
    {
        return !isClosed;
    }

    @Override
    public boolean isClosed()
    {
        return isClosed;
    }

    @Override
    public int maxPayloadLength()
    {
        return 8160;
    }

    @Override
    public int maxMessageLength()
    {
        return maxMessageLength;
    }

    @Override
    public boolean offer(final DirectBuffer source, final int offset, final int length)
    {
        if (length > maxMessageLength())
        {
            // as Aeron does
            throw new IllegalArgumentException(
                "message exceeds maxMessageLength of " + maxMessageLength() + ", length=" + length);
        }
        if (isFull || isClosed)
        {
            return false;
        }
        final byte[] message = new byte[length];
        source.getBytes(offset, message);
        messages.add(message);
        longest = Math.max(longest, length);
        return true;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
