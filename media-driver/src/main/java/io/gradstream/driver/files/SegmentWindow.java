// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads a segment file through a window of a mebibyte, and says where in it anything was written. */
public final class SegmentWindow implements AutoCloseable
{
    /** Longest stretch that is looked at together; longer than any frame. */
    static final int LENGTH = 1024 * 1024;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private FileChannel channel;
    private long windowOffset;
    private long limit;

    public void open(final FileChannel segment, final long length)
    {
        channel = segment;
        limit = length;
        windowOffset = 0;
        bytes.limit(0);
    }

    /** Where the segment, or its file, ends. */
    public long limit()
    {
        return limit;
    }

    /** Have bytes of the file in the buffer; false if the segment ends before. */
    boolean load(final long from, final long length) throws IOException
    {
        if (from + length > limit || length > LENGTH)
        {
            return false;
        }
        if (from < windowOffset || from + length > windowOffset + bytes.limit())
        {
            windowOffset = from;
            bytes.clear().limit((int)Math.min(LENGTH, limit - from));
            int read = 0;
            while (bytes.hasRemaining() && read >= 0)
            {
                read = channel.read(bytes, from + bytes.position());
            }
            bytes.flip();
        }

        return from + length <= windowOffset + bytes.limit();
    }

    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Where a loaded byte of the file is in the buffer. */
    public int index(final long offset)
    {
        return (int)(offset - windowOffset);
    }

    /** Where the last byte ends that is not zero, or {@code from} if all of them are. */
    public long writtenEnd(final long from, final long to) throws IOException
    {
        final long end = Math.min(to, limit);
        long written = from;
        for (long at = from; at < end; at += LENGTH)
        {
            final int length = (int)Math.min(LENGTH, end - at);
            if (!load(at, length))
            {
                throw new IOException("the file became shorter while it was read");
            }
            final int last = lastWritten(index(at), length);
            written = last < 0 ? written : windowOffset + last + 1;
        }

        return written;
    }

    /** Gives the buffer back; the file is its opener's. */
    @Override
    public void close()
    {
        BufferUtil.free(bytes);
    }

    private int lastWritten(final int from, final int length)
    {
        int end = from + length;
        while (end - from >= Long.BYTES && 0 == buffer.getLong(end - Long.BYTES))
        {
            end -= Long.BYTES;
        }
        while (end > from && 0 == buffer.getByte(end - 1))
        {
            end--;
        }

        return end > from ? end - 1 : -1;
    }
}
