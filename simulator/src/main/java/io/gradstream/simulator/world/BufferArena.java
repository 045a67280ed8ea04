// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory off heap for the records, frames and rows of one course after another: given out piece by piece, and taken
 * back all at once.
 */
public final class BufferArena
{
    private static final int CHUNK_LENGTH = 1024 * 1024;
    private static final int ALIGNMENT = 8;
    private static final ThreadLocal<BufferArena> OF_THREAD = ThreadLocal.withInitial(BufferArena::new);

    private final List<ByteBuffer> chunks = new ArrayList<>();
    private int chunk;
    private int used;

    /** The thread's own, empty again. */
    public static BufferArena begin()
    {
        final BufferArena arena = OF_THREAD.get();
        arena.chunk = 0;
        arena.used = 0;
        return arena;
    }

    /** A buffer of zeros. */
    public static UnsafeBuffer direct(final int length)
    {
        return OF_THREAD.get().take(length);
    }

    public static UnsafeBuffer copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final UnsafeBuffer copy = direct(length);
        copy.putBytes(0, buffer, offset, length);
        return copy;
    }

    private UnsafeBuffer take(final int length)
    {
        final int aligned = (length + ALIGNMENT - 1) & -ALIGNMENT;
        if (used + aligned > CHUNK_LENGTH)
        {
            chunk++;
            used = 0;
        }
        if (chunk == chunks.size())
        {
            chunks.add(ByteBuffer.allocateDirect(CHUNK_LENGTH));
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(chunks.get(chunk), used, length);
        buffer.setMemory(0, length, (byte)0);
        used += aligned;

        return buffer;
    }
}
