// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import org.agrona.DirectBuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Buffered little-endian output with the CRC-32C of all that went through it.
 */
final class ChecksummedOutput
{
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ModelFormat.ORDER);
    private final CRC32C crc = new CRC32C();
    private long length;

    ChecksummedOutput(final WritableByteChannel channel)
    {
        this.channel = channel;
    }

    void putInt(final int value) throws IOException
    {
        room(Integer.BYTES).putInt(value);
        length += Integer.BYTES;
    }

    void putLong(final long value) throws IOException
    {
        room(Long.BYTES).putLong(value);
        length += Long.BYTES;
    }

    void putText(final String text) throws IOException
    {
        putInt(text.length());
        room(text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
        length += text.length();
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
        length += count;
    }

    /**
     * The checksum of all bytes so far, which are on their way to the file then.
     */
    int checksum() throws IOException
    {
        drain();
        return (int)crc.getValue();
    }

    /**
     * Bytes so far.
     */
    long length()
    {
        return length;
    }

    void drain() throws IOException
    {
        buffer.flip();
        crc.update(buffer.duplicate());
        while (buffer.hasRemaining())
        {
            channel.write(buffer);
        }
        buffer.clear();
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
