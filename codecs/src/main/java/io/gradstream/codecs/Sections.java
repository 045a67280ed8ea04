// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.PushDecoder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Walks the sections of an update: for each table, which rows and their values. The same bytes stand in a
 * {@code Push} on the wire and in a {@code RowsUpdated} record of the log, so one reader serves both.
 * <p>
 * Call {@link #wrap}, check {@link #isMalformed()} if the bytes came from outside, then {@code while (next())}.
 */
public final class Sections
{
    /**
     * Values are raw elements: what the update function is given for each row. The encodings of 2 bytes that
     * {@link ValueEncoding} has may stand in its place.
     */
    public static final int RAW = 1;
    /** Values are whole rows that take the place of those there: their elements, then the update function's state. */
    public static final int ROWS = 2;
    /** Bytes of the group header before the first section. */
    public static final int GROUP_HEADER_LENGTH = 4;
    /** Bytes of one section's entry in the group. */
    public static final int ENTRY_LENGTH = PushDecoder.SectionsDecoder.sbeBlockLength();
    /** Bytes of the length before the body. */
    public static final int BODY_LENGTH_LENGTH = 4;
    /** Most sections of one update. */
    public static final int MAX_SECTIONS = 64;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int count;
    private int next;
    private int entryOffset;
    private int keysOffset;
    private int valuesOffset;
    private int bodyCursor;
    /** The elements of a section that has them in 2 bytes: at most twice as many bytes as the longest update. */
    private final UnsafeBuffer decoded = new UnsafeBuffer(0, 0);
    private boolean isDecoded;

    /** Bytes of an update with this many sections and body bytes. */
    public static int lengthOf(final int sections, final int bodyLength)
    {
        return GROUP_HEADER_LENGTH + sections * ENTRY_LENGTH + BODY_LENGTH_LENGTH + bodyLength;
    }

    /**
     * A hash of what a part holds before its audit row, and of its sequence: the same push under another sequence,
     * and another push under the same, have another hash.
     *
     * @param buffer off heap, that holds the part.
     */
    public static long contentHash(
        final DirectBuffer buffer, final int offset, final int length, final long sequence)
    {
        return PartitionFunction.mix(PartitionFunction.mix(sequence) ^ Checksum.crc32c(buffer, offset, length));
    }

    /** Look at an update, from before its first section on. */
    public Sections wrap(final DirectBuffer buffer, final int offset, final int length)
    {
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        count = length < GROUP_HEADER_LENGTH ? 0 : buffer.getShort(offset + 2, ORDER) & 0xFFFF;

        return rewind();
    }

    public Sections rewind()
    {
        next = 0;
        bodyCursor = offset + GROUP_HEADER_LENGTH + count * ENTRY_LENGTH + BODY_LENGTH_LENGTH;

        return this;
    }

    /**
     * True if the lengths contradict each other: nothing in the update may be trusted then. To be asked once for bytes
     * from outside, before the first {@link #next()}.
     */
    public boolean isMalformed()
    {
        return isMalformed(false);
    }

    /**
     * As {@link #isMalformed()} for a push as it comes from a worker, whose first section may be
     * {@link KeyForm#LISTED}: its keys cannot be read then.
     */
    public boolean isMalformedOnWire()
    {
        return isMalformed(true);
    }

    private boolean isMalformed(final boolean isWire)
    {
        if (length < GROUP_HEADER_LENGTH + BODY_LENGTH_LENGTH ||
            (buffer.getShort(offset, ORDER) & 0xFFFF) != ENTRY_LENGTH || count < 1 || count > MAX_SECTIONS ||
            length < lengthOf(count, 0))
        {
            return true;
        }

        final long bodyLength =
            buffer.getInt(offset + GROUP_HEADER_LENGTH + count * ENTRY_LENGTH, ORDER) & 0xFFFF_FFFFL;
        if (bodyLength != length - lengthOf(count, 0))
        {
            return true;
        }

        long expected = 0;
        for (int i = 0; i < count; i++)
        {
            final int entry = offset + GROUP_HEADER_LENGTH + i * ENTRY_LENGTH;
            final int rowCount = buffer.getInt(entry + 4, ORDER);
            final int valuesLength = buffer.getInt(entry + 8, ORDER);
            final int keyForm = buffer.getByte(entry + 12);
            final boolean isKnownForm = isWire && 0 == i ? KeyForm.isKnownOnWire(keyForm) : KeyForm.isKnown(keyForm);
            if (rowCount < 1 || valuesLength < 0 || !isKnownForm || !isKnown(encoding(entry)))
            {
                return true;
            }
            expected += KeyForm.length(keyForm, rowCount) + valuesLength;
        }

        return expected != bodyLength;
    }

    /** True if any section holds whole rows. */
    public boolean hasRows()
    {
        for (int i = 0; i < count; i++)
        {
            if (ROWS == encoding(offset + GROUP_HEADER_LENGTH + i * ENTRY_LENGTH))
            {
                return true;
            }
        }

        return false;
    }

    /** Go to the next section. False if there is none. */
    public boolean next()
    {
        if (next == count)
        {
            return false;
        }

        entryOffset = offset + GROUP_HEADER_LENGTH + next++ * ENTRY_LENGTH;
        keysOffset = bodyCursor;
        valuesOffset = keysOffset + (int)KeyForm.length(keyForm(), rowCount());
        bodyCursor = valuesOffset + valuesLength();
        isDecoded = false;

        return true;
    }

    public int tableId()
    {
        return buffer.getInt(entryOffset, ORDER);
    }

    /** Rows of the current section, at least 1. */
    public int rowCount()
    {
        return buffer.getInt(entryOffset + 4, ORDER);
    }

    /** Bytes of the current section's values, as they are in the update. */
    public int valuesLength()
    {
        return buffer.getInt(entryOffset + 8, ORDER);
    }

    /** How the current section names its rows: a {@link KeyForm}. */
    public int keyForm()
    {
        return buffer.getByte(entryOffset + 12);
    }

    /** True if the current section holds whole rows, and not the raw elements that the update function is given. */
    public boolean isRows()
    {
        return ROWS == encoding(entryOffset);
    }

    public long key(final int row)
    {
        return KeyForm.read(keyForm(), buffer, keysOffset, row);
    }

    /**
     * Keys of several rows of the current section.
     *
     * @param from  index of the first row.
     * @param count of rows.
     * @param keys  to write to, from index 0 on.
     */
    public void keys(final int from, final int count, final long[] keys)
    {
        KeyForm.read(keyForm(), buffer, keysOffset, from, count, keys);
    }

    /** The encoding of the current section's elements; {@link ValueEncoding#RAW} for whole rows. */
    public ValueEncoding valueEncoding()
    {
        return ValueEncoding.ofWire(encoding(entryOffset));
    }

    /**
     * The buffer that holds the current section's elements as their table does, from {@link #elementsOffset()} on. It
     * is that of the update, or one of this reader if the elements are encoded: valid until {@link #next()} then.
     */
    public DirectBuffer elements()
    {
        if (ValueEncoding.RAW == valueEncoding())
        {
            return buffer;
        }
        if (!isDecoded)
        {
            decode();
        }

        return decoded;
    }

    /** Where the current section's elements begin in {@link #elements()}. */
    public int elementsOffset()
    {
        return ValueEncoding.RAW == valueEncoding() ? valuesOffset : 0;
    }

    /** Bytes of the current section's elements as their table holds them. */
    public int elementsLength()
    {
        return valuesLength() / valueEncoding().elementLength() * Float.BYTES;
    }

    /** Where the current section's keys begin in {@link #buffer()}. */
    public int keysOffset()
    {
        return keysOffset;
    }

    /** Where the current section's values begin in {@link #buffer()}. */
    public int valuesOffset()
    {
        return valuesOffset;
    }

    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Where the update begins in {@link #buffer()}. */
    public int offset()
    {
        return offset;
    }

    /** Bytes of the update. */
    public int length()
    {
        return length;
    }

    private void decode()
    {
        final int elementsLength = elementsLength();
        if (decoded.capacity() < elementsLength)
        {
            decoded.wrap(ByteBuffer.allocateDirect(BitUtil.findNextPositivePowerOfTwo(elementsLength)));
        }
        valueEncoding().decode(buffer, valuesOffset, decoded, 0, elementsLength / Float.BYTES);
        isDecoded = true;
    }

    private static boolean isKnown(final int encoding)
    {
        return RAW == encoding || ROWS == encoding || ValueEncoding.RAW != ValueEncoding.ofWire(encoding);
    }

    private int encoding(final int entry)
    {
        return buffer.getByte(entry + 13);
    }
}
