// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * A file of any length, mapped for reading in windows that overlap: up to {@link #OVERLAP} bytes from any offset are in
 * one buffer. May be read by several threads.
 * <p>
 * Whoever still holds a window keeps it mapped: without {@link #unmap()} the garbage collector unmaps it, when nobody
 * can touch it any longer.
 */
final class MappedWindows
{
    /** Byte order of model files. */
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    /** Most bytes that can be read at once. */
    static final int OVERLAP = 4 * 1024 * 1024;
    /** Binary logarithm of the distance between windows. */
    static final int DEFAULT_SHIFT = 30;

    private final int shift;
    private final long length;
    private final MappedByteBuffer[] mapped;
    private final UnsafeBuffer[] windows;

    /** Map a file; the shift is the binary logarithm of the distance between windows. */
    MappedWindows(final FileChannel channel, final int shift) throws IOException
    {
        this.shift = shift;
        length = channel.size();
        final int count = (int)((length + (1L << shift) - 1) >>> shift);
        mapped = new MappedByteBuffer[count];
        windows = new UnsafeBuffer[count];
        for (int i = 0; i < count; i++)
        {
            final long begin = (long)i << shift;
            mapped[i] = channel.map(
                FileChannel.MapMode.READ_ONLY, begin, Math.min((1L << shift) + OVERLAP, length - begin));
            windows[i] = new UnsafeBuffer(mapped[i]);
        }
    }

    long length()
    {
        return length;
    }

    UnsafeBuffer window(final long offset)
    {
        return windows[(int)(offset >>> shift)];
    }

    int offsetInWindow(final long offset)
    {
        return (int)(offset & ((1L << shift) - 1));
    }

    long getLong(final long offset)
    {
        return window(offset).getLong(offsetInWindow(offset), ORDER);
    }

    /** The first bytes of the file. */
    byte[] bytes(final int count)
    {
        final byte[] bytes = new byte[count];
        for (int done = 0; done < count; done += OVERLAP)
        {
            window(done).getBytes(offsetInWindow(done), bytes, done, Math.min(OVERLAP, count - done));
        }

        return bytes;
    }

    /** Add bytes to a checksum. */
    void checksum(final CRC32C crc, final long begin, final long end)
    {
        long offset = begin;
        while (offset < end)
        {
            final int from = offsetInWindow(offset);
            final int count = (int)Math.min((1L << shift) - from, end - offset);
            final ByteBuffer bytes = mapped[(int)(offset >>> shift)].duplicate();
            crc.update(bytes.position(from).limit(from + count));
            offset += count;
        }
    }

    /** Give the memory back at once. Nothing may be read afterwards: the process would crash. */
    void unmap()
    {
        for (final MappedByteBuffer each : mapped)
        {
            IoUtil.unmap(each);
        }
    }
}
