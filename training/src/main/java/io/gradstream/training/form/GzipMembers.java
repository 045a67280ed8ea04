// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * The content of a gzip file (RFC 1952): of all its members, one after the other.
 * <p>
 * Each member's checksum and length are compared. After the last one there is nothing but zeros, as tapes leave them;
 * anything else is refused. {@link java.util.zip.GZIPInputStream} takes it for the end instead. Used by one thread.
 */
public final class GzipMembers extends InputStream
{
    private static final int BUFFER_LENGTH = 64 * 1024;
    private static final int FIRST_BYTE = 0x1F;
    private static final int SECOND_BYTE = 0x8B;
    private static final int DEFLATE = 8;
    private static final int HAS_HEADER_CHECKSUM = 1 << 1;
    private static final int HAS_EXTRA = 1 << 2;
    private static final int HAS_NAME = 1 << 3;
    private static final int HAS_COMMENT = 1 << 4;
    private static final int RESERVED = 0xE0;
    private static final int REST_OF_HEADER = 6;
    private static final int END = -1;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int at;
    private int limit;
    private long filled;
    private long length;
    private int member;
    private boolean isInMember;
    private boolean isOver;

    /** Content of what a stream brings: the file's bytes, which need no buffer. */
    public GzipMembers(final InputStream in)
    {
        this.in = in;
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
        int read = 0;
        while (0 == read && size > 0 && !isOver)
        {
            if (isInMember)
            {
                read = inflate(target, offset, size);
            }
            else
            {
                isInMember = beginMember();
                isOver = !isInMember;
            }
        }
        return isOver ? END : read;
    }

    /** Number of the file's bytes that are taken so far. */
    public long bytesTaken()
    {
        return filled - (isInMember ? inflater.getRemaining() : limit - at);
    }

    @Override
    public void close() throws IOException
    {
        inflater.end();
        in.close();
    }

    private int inflate(final byte[] target, final int offset, final int size) throws IOException
    {
        try
        {
            final int read = inflater.inflate(target, offset, size);
            checksum.update(target, offset, read);
            length += read;
            if (0 == read && inflater.finished())
            {
                at = limit - inflater.getRemaining();
                isInMember = false;
                endMember();
            }
            else if (0 == read && inflater.needsInput())
            {
                if (!fill())
                {
                    throw new EOFException("the file ends within member " + member);
                }
                inflater.setInput(buffer, 0, limit);
            }
            else if (0 == read)
            {
                throw new ZipException("member " + member + " needs a dictionary");
            }
            return read;
        }
        catch (final DataFormatException ex)
        {
            throw new ZipException("member " + member + ": " + ex.getMessage());
        }
    }

    /** False if nothing but zeros is left. */
    private boolean beginMember() throws IOException
    {
        final long begin = bytesTaken();
        final int first = take();
        if (END == first && member > 0)
        {
            return false;
        }
        if (0 == first && member > 0)
        {
            skipZeros();
            return false;
        }

        checksum.reset();
        member++;
        if (FIRST_BYTE != first || SECOND_BYTE != take())
        {
            throw new ZipException("no member begins at byte " + begin + ": something else follows the last one");
        }
        checksum.update(FIRST_BYTE);
        checksum.update(SECOND_BYTE);
        readHeader();
        checksum.reset();
        length = 0;
        inflater.reset();
        inflater.setInput(buffer, at, limit - at);
        return true;
    }

    private void readHeader() throws IOException
    {
        final int method = header();
        final int flags = header();
        if (DEFLATE != method || 0 != (flags & RESERVED))
        {
            throw new ZipException("the header of member " + member + " has method " + method + " and flags " + flags);
        }
        for (int i = 0; i < REST_OF_HEADER; i++)
        {
            header();
        }
        if (0 != (flags & HAS_EXTRA))
        {
            final int extra = header() | header() << Byte.SIZE;
            for (int i = 0; i < extra; i++)
            {
                header();
            }
        }
        skipText(0 != (flags & HAS_NAME));
        skipText(0 != (flags & HAS_COMMENT));
        if (0 != (flags & HAS_HEADER_CHECKSUM))
        {
            final int expected = (int)checksum.getValue() & 0xFFFF;
            if ((header() | header() << Byte.SIZE) != expected)
            {
                throw new ZipException("the checksum of the header of member " + member + " differs");
            }
        }
    }

    private void skipText(final boolean isThere) throws IOException
    {
        boolean goesOn = isThere;
        while (goesOn)
        {
            goesOn = 0 != header();
        }
    }

    private void endMember() throws IOException
    {
        if (number() != (int)checksum.getValue())
        {
            throw new ZipException("the checksum of member " + member + " differs");
        }
        if (number() != (int)length)
        {
            throw new ZipException("the length of member " + member + " differs");
        }
    }

    private void skipZeros() throws IOException
    {
        int next = take();
        while (0 == next)
        {
            next = take();
        }
        if (END != next)
        {
            throw new ZipException("zeros follow the last member, and other bytes follow the zeros");
        }
    }

    private int number() throws IOException
    {
        int number = 0;
        for (int i = 0; i < Integer.BYTES; i++)
        {
            number |= needed() << i * Byte.SIZE;
        }
        return number;
    }

    private int header() throws IOException
    {
        final int next = needed();
        checksum.update(next);
        return next;
    }

    private int needed() throws IOException
    {
        final int next = take();
        if (END == next)
        {
            throw new EOFException("the file ends within member " + member);
        }
        return next;
    }

    private int take() throws IOException
    {
        return at == limit && !fill() ? END : buffer[at++] & 0xFF;
    }

    /** False at the end of the file. */
    private boolean fill() throws IOException
    {
        final int read = in.read(buffer, 0, buffer.length);
        at = 0;
        limit = Math.max(0, read);
        filled += limit;
        return limit > 0;
    }
}
