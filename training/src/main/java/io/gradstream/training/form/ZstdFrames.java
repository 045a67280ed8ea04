// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;

/**
 * The frames of a Zstandard file (RFC 8878) that hold data, for a decoder that knows no others.
 * <p>
 * Skippable frames, which {@code pzstd} and seekable files have, are left out, and so are zeros at the end. The blocks
 * of each frame are followed: anything else between frames or after them is refused. Used by one thread.
 */
public final class ZstdFrames extends InputStream
{
    /** Longest window in bytes that is read. */
    public static final int MAX_WINDOW = 8 << 20;
    /** The content length if not all frames state theirs. */
    public static final long UNKNOWN = -1;

    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPABLE = 0x184D2A50;
    private static final int SKIPPABLE_MASK = 0xFFFFFFF0;
    private static final int MAX_HEADER = 18;
    private static final int BLOCK_HEADER = 3;
    private static final int LEAST_WINDOW_BITS = 10;
    private static final int REPEATED = 1;
    private static final int RESERVED = 3;
    private static final int END = -1;

    private final InputStream in;
    private final byte[] head = new byte[MAX_HEADER];
    private int headAt;
    private int headLength;
    private long left;
    private long taken;
    private long frameBegin;
    private long contentLength;
    private State state = State.FRAME;
    private boolean hasChecksum;

    /** The frames of a stream of the file's bytes, buffered. */
    public ZstdFrames(final InputStream in)
    {
        this.in = in;
    }

    /** True if four bytes begin a frame, one with data or a skippable one. */
    public static boolean isMagic(final byte[] head)
    {
        final int magic = (int)number(head, 0, Integer.BYTES);
        return MAGIC == magic || SKIPPABLE == (magic & SKIPPABLE_MASK);
    }

    /**
     * True if there is something to read.
     *
     * @throws IOException if there is something else than frames.
     */
    public boolean hasNext() throws IOException
    {
        while (headAt == headLength && 0 == left && State.OVER != state)
        {
            headAt = 0;
            headLength = 0;
            state = switch (state)
            {
                case FRAME -> beginFrame();
                case BLOCK -> beginBlock();
                case CHECKSUM ->
                {
                    left = Integer.BYTES;
                    yield State.FRAME;
                }
                case OVER -> State.OVER;
            };
        }
        return State.OVER != state;
    }

    /** Bytes of content that the frames so far say they hold, or {@link #UNKNOWN}. */
    public long contentLength()
    {
        return contentLength;
    }

    /** Number of the file's bytes that are taken so far. */
    public long bytesTaken()
    {
        return taken;
    }

    @Override
    public int read() throws IOException
    {
        final byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? END : one[0] & 0xFF;
    }

    @Override
    public int read(final byte[] target, final int offset, final int size) throws IOException
    {
        if (0 == size)
        {
            return 0;
        }
        if (!hasNext())
        {
            return END;
        }
        if (headAt < headLength)
        {
            final int length = Math.min(size, headLength - headAt);
            System.arraycopy(head, headAt, target, offset, length);
            headAt += length;
            return length;
        }

        final int length = in.read(target, offset, (int)Math.min(size, left));
        if (length < 0)
        {
            throw cut();
        }
        taken += length;
        left -= length;
        return length;
    }

    @Override
    public void close() throws IOException
    {
        in.close();
    }

    private State beginFrame() throws IOException
    {
        frameBegin = taken;
        final int first = in.read();
        if (END == first)
        {
            return State.OVER;
        }
        taken++;
        head[headLength++] = (byte)first;
        if (0 == first)
        {
            skipZeros();
            return State.OVER;
        }

        take(Integer.BYTES - 1);
        final int magic = (int)number(head, 0, Integer.BYTES);
        if (SKIPPABLE == (magic & SKIPPABLE_MASK))
        {
            take(Integer.BYTES);
            passOver(number(head, Integer.BYTES, Integer.BYTES));
            headLength = 0;
            return State.FRAME;
        }
        if (MAGIC != magic)
        {
            throw new IOException("no frame begins at byte " + frameBegin + ", but bytes " +
                HexFormat.of().formatHex(head, 0, Integer.BYTES));
        }
        readHeader();
        return State.BLOCK;
    }

    private void readHeader() throws IOException
    {
        take(1);
        final int descriptor = head[headLength - 1] & 0xFF;
        final boolean isSingleSegment = 0 != (descriptor & 1 << 5);
        hasChecksum = 0 != (descriptor & 1 << 2);
        if (!isSingleSegment)
        {
            take(1);
            checkWindow(head[headLength - 1] & 0xFF);
        }
        final int dictionary = (1 << (descriptor & 3)) >> 1;
        take(dictionary);
        if (0 != number(head, headLength - dictionary, dictionary))
        {
            throw new UnreadFrameException(
                "the frame at byte " + frameBegin + " needs a dictionary: compress without one");
        }
        final int sizeFlag = descriptor >>> 6;
        final int size = 0 == sizeFlag ? isSingleSegment ? 1 : 0 : 1 << sizeFlag;
        take(size);
        final long content = number(head, headLength - size, size) + (Short.BYTES == size ? 1 << Byte.SIZE : 0);
        contentLength = 0 == size || content < 0 || UNKNOWN == contentLength ? UNKNOWN : contentLength + content;
    }

    private void checkWindow(final int descriptor) throws IOException
    {
        final long base = 1L << LEAST_WINDOW_BITS + (descriptor >>> 3);
        final long window = base + base / 8 * (descriptor & 7);
        if (window > MAX_WINDOW)
        {
            throw new UnreadFrameException("the frame at byte " + frameBegin + " has a window of " + window +
                " bytes, at most " + MAX_WINDOW + " are read: compress without --long and --ultra");
        }
    }

    private State beginBlock() throws IOException
    {
        take(BLOCK_HEADER);
        final int header = (int)number(head, headLength - BLOCK_HEADER, BLOCK_HEADER);
        final int type = header >>> 1 & 3;
        if (RESERVED == type)
        {
            throw new IOException("the frame at byte " + frameBegin + " has a block of no known type");
        }
        left = REPEATED == type ? 1 : header >>> 3;
        if (0 == (header & 1))
        {
            return State.BLOCK;
        }
        return hasChecksum ? State.CHECKSUM : State.FRAME;
    }

    private void passOver(final long length) throws IOException
    {
        for (long skipped = 0; skipped < length; skipped++)
        {
            needed();
        }
    }

    private void skipZeros() throws IOException
    {
        int next = in.read();
        while (0 == next)
        {
            taken++;
            next = in.read();
        }
        if (END != next)
        {
            throw new IOException("zeros follow the last frame, and other bytes follow the zeros");
        }
        headLength = 0;
    }

    private void take(final int count) throws IOException
    {
        for (int i = 0; i < count; i++)
        {
            head[headLength++] = (byte)needed();
        }
    }

    private int needed() throws IOException
    {
        final int next = in.read();
        if (END == next)
        {
            throw cut();
        }
        taken++;
        return next;
    }

    private EOFException cut()
    {
        return new EOFException("the file ends within the frame at byte " + frameBegin);
    }

    private static long number(final byte[] bytes, final int offset, final int length)
    {
        long number = 0;
        for (int i = 0; i < length; i++)
        {
            number |= (bytes[offset + i] & 0xFFL) << i * Byte.SIZE;
        }
        return number;
    }

    /** The kind of thing that comes next in the file. */
    private enum State
    {
        /** A frame, or the end. */
        FRAME,
        /** A block of this frame. */
        BLOCK,
        /** The checksum of this frame. */
        CHECKSUM,
        /** Nothing. */
        OVER
    }

    /** A frame that is whole, as far as is known, and made in a way that is not read. */
    public static final class UnreadFrameException extends IOException
    {
        private static final long serialVersionUID = 1L;

        UnreadFrameException(final String message)
        {
            super(message);
        }
    }
}
