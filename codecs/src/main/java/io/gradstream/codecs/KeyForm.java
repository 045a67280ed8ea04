// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * The form in which pushes, pulls and records of the log name rows: by their keys, or in fewer bytes by the least key
 * and the distance of the others from it.
 */
public final class KeyForm
{
    /** Each key, an int64. */
    public static final int KEYS = 1;
    /** The first of consecutive keys, an int64. */
    public static final int RANGE = 2;
    /** The least key, an int64, and of each key how far it is above that, an uint16. */
    public static final int OFFSETS_16 = 3;
    /** The least key, an int64, and of each key how far it is above that, an uint32. */
    public static final int OFFSETS_32 = 4;
    /** On the wire only: the hash of a list of keys that the message names by its number. */
    public static final int LISTED = 5;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final long MAX_16 = 0xFFFFL;
    private static final long MAX_32 = 0xFFFF_FFFFL;

    private KeyForm()
    {
    }

    /** True if a number names one of the forms from which keys can be read. */
    public static boolean isKnown(final int form)
    {
        return form >= KEYS && form <= OFFSETS_32;
    }

    /** True if a number names one of the forms that a message of a worker may have. */
    public static boolean isKnownOnWire(final int form)
    {
        return isKnown(form) || LISTED == form;
    }

    /**
     * The shortest form for keys that need not be consecutive.
     *
     * @param least    of the keys, not negative.
     * @param greatest of the keys.
     * @param count    of keys.
     */
    public static int shortest(final long least, final long greatest, final int count)
    {
        final long span = greatest - least;
        final int form = span > MAX_32 ? KEYS : span > MAX_16 ? OFFSETS_32 : OFFSETS_16;

        return length(form, count) < length(KEYS, count) ? form : KEYS;
    }

    /** Bytes of the first or least key, or of the hash, which stands before the rest; 0 if all keys are whole. */
    public static int headLength(final int form)
    {
        return KEYS == form ? 0 : Long.BYTES;
    }

    /** Bytes of each row's key after that. */
    public static int lengthPerRow(final int form)
    {
        return switch (form)
        {
            case KEYS -> Long.BYTES;
            case OFFSETS_16 -> Short.BYTES;
            case OFFSETS_32 -> Integer.BYTES;
            default -> 0;
        };
    }

    /** Bytes of the keys of so many rows. */
    public static long length(final int form, final int rowCount)
    {
        return headLength(form) + (long)lengthPerRow(form) * rowCount;
    }

    /**
     * One of the keys.
     *
     * @param offset of the keys in the buffer.
     * @param row    its index.
     */
    public static long read(final int form, final DirectBuffer buffer, final int offset, final int row)
    {
        final int rest = offset + Long.BYTES;

        return switch (form)
        {
            case KEYS -> buffer.getLong(offset + row * Long.BYTES, ORDER);
            case RANGE -> buffer.getLong(offset, ORDER) + row;
            case OFFSETS_16 ->
                buffer.getLong(offset, ORDER) + (buffer.getShort(rest + row * Short.BYTES, ORDER) & MAX_16);
            default -> buffer.getLong(offset, ORDER) + (buffer.getInt(rest + row * Integer.BYTES, ORDER) & MAX_32);
        };
    }

    /**
     * Several of the keys.
     *
     * @param offset of the keys in the buffer.
     * @param from   index of the first row.
     * @param keys   to fill from index 0 on with as many as {@code count}.
     */
    public static void read(
        final int form,
        final DirectBuffer buffer,
        final int offset,
        final int from,
        final int count,
        final long[] keys)
    {
        final int width = lengthPerRow(form);
        final int at = offset + headLength(form) + from * width;
        buffer.boundsCheck(at, count * width);
        final long head = KEYS == form ? 0 : buffer.getLong(offset, ORDER);
        switch (form)
        {
            case KEYS ->
            {
                for (int i = 0; i < count; i++)
                {
                    keys[i] = buffer.getLong(at + i * Long.BYTES, ORDER);
                }
            }
            case RANGE ->
            {
                for (int i = 0; i < count; i++)
                {
                    keys[i] = head + from + i;
                }
            }
            case OFFSETS_16 ->
            {
                for (int i = 0; i < count; i++)
                {
                    keys[i] = head + (buffer.getShort(at + i * Short.BYTES, ORDER) & MAX_16);
                }
            }
            default ->
            {
                for (int i = 0; i < count; i++)
                {
                    keys[i] = head + (buffer.getInt(at + i * Integer.BYTES, ORDER) & MAX_32);
                }
            }
        }
    }

    /**
     * Write keys.
     *
     * @param keys   of the rows; for {@link #RANGE} only the first is looked at.
     * @param from   index of the first.
     * @param count  of keys.
     * @param least  of the keys, for the forms that name it.
     * @param buffer to write to, {@link #length} bytes from {@code offset} on.
     */
    public static void write(
        final int form,
        final long[] keys,
        final int from,
        final int count,
        final long least,
        final MutableDirectBuffer buffer,
        final int offset)
    {
        final int rest = offset + Long.BYTES;
        switch (form)
        {
            case KEYS ->
            {
                for (int i = 0; i < count; i++)
                {
                    buffer.putLong(offset + i * Long.BYTES, keys[from + i], ORDER);
                }
            }
            case RANGE -> buffer.putLong(offset, keys[from], ORDER);
            case OFFSETS_16 ->
            {
                buffer.putLong(offset, least, ORDER);
                for (int i = 0; i < count; i++)
                {
                    buffer.putShort(rest + i * Short.BYTES, (short)(keys[from + i] - least), ORDER);
                }
            }
            default ->
            {
                buffer.putLong(offset, least, ORDER);
                for (int i = 0; i < count; i++)
                {
                    buffer.putInt(rest + i * Integer.BYTES, (int)(keys[from + i] - least), ORDER);
                }
            }
        }
    }
}
