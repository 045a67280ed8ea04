// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
    boolean isClosed;

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
