// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import org.agrona.DirectBuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/** Buffered little-endian output with the CRC-32C of all that went through it. */
final class ArrayOutput
{
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(MappedWindows.ORDER);
    private final CRC32C crc = new CRC32C();

    ArrayOutput(final WritableByteChannel channel)
    {
        this.channel = channel;
    }

    void putLong(final long value) throws IOException
    {
        room(Long.BYTES).putLong(value);
    }

    void putBytes(final DirectBuffer bytes, final int offset, final int count) throws IOException
    {
        int done = 0;
        while (done < count)
        {
            final int part = Math.min(room(1).remaining(), count - done);
            bytes.getBytes(offset + done, buffer, part);
            done += part;
        }
    }

    /** Write what is buffered, and return the checksum of all bytes so far. */
    int drain() throws IOException
    {
        buffer.flip();
        crc.update(buffer.duplicate());
        while (buffer.hasRemaining())
        {
            channel.write(buffer);
        }
        buffer.clear();

        return (int)crc.getValue();
    }

    private ByteBuffer room(final int count) throws IOException
    {
        if (buffer.remaining() < count)
        {
            drain();
        }

        return buffer;
    }
}
