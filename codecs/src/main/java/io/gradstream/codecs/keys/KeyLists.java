// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.keys;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * The lists of keys that one end of a connection keeps for one partition, each under a number.
 * <p>
 * Both ends add the same lists in the same order, and each keeps the newest ones: as many as are at most
 * {@link #MAX_LISTS}, of at most {@link #MAX_BYTES} together. So an end that began later, or missed the first of what
 * was added, never has a list that the other end lacks. If a message between is lost, or an end has no memory for as
 * much, the ends differ: a number and a hash are compared before a list is used.
 * <p>
 * Keys stay in the form in which they came, in a ring of bytes in which a list may go on at the begin.
 */
public final class KeyLists
{
    /** No list. */
    public static final long NONE = 0;
    /** In place of the number of a list, in a message that is not sent yet: its keys are to be a list. */
    public static final long WANTED = -1;
    /** Most lists. */
    public static final int MAX_LISTS = 256;
    /** Most bytes of all lists. */
    public static final int MAX_BYTES = 1024 * 1024;
    /** Keys that take fewer bytes are no list: the hash in their place takes as many, or nearly. */
    public static final int MIN_LENGTH = 12;
    /** Keys that take more bytes are no list: they would leave no room for others. */
    public static final int MAX_LENGTH = MAX_BYTES / 4;
    /** Bytes of the hash that a message has in the place of the keys. */
    public static final int HASH_LENGTH = Long.BYTES;

    /** First size of the ring; it is doubled when it is full. */
    static final int FIRST_BYTES = 1024;
    /** Lists for which there is place at first; places are doubled when they are taken. */
    static final int FIRST_LISTS = 8;
    /** Bytes that a place takes. */
    static final int PLACE_BYTES = 3 * Long.BYTES + 3 * Integer.BYTES;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final Memory memory;
    // as many places in each, 0 or a power of two
    private long[] numbers = new long[0];
    private long[] hashes = new long[0];
    private long[] begins = new long[0];
    private int[] lengths = new int[0];
    private int[] counts = new int[0];
    private int[] forms = new int[0];
    private final UnsafeBuffer ring = new UnsafeBuffer(0, 0);
    /** Number of the list that was added last, whether or not it is kept. */
    private long newest;
    /** Place of the oldest list in the arrays. */
    private int oldest;
    private int size;
    // usedBytes <= ring.capacity() <= MAX_BYTES
    private int usedBytes;
    /** Position of the next byte; that of a list's first byte modulo the capacity is its place in the ring. */
    private long end;

    /** No lists yet; those that are added take their bytes from a memory. */
    public KeyLists(final Memory memory)
    {
        this.memory = memory;
    }

    /** True if keys that take so many bytes in their form can be a list. */
    public static boolean isList(final int form, final int length)
    {
        return KeyForm.isKnown(form) && KeyForm.RANGE != form && length >= MIN_LENGTH && length <= MAX_LENGTH;
    }

    /** A hash of keys in their form. */
    public static long hash(
        final int form, final int count, final DirectBuffer buffer, final int offset, final int length)
    {
        long hash = PartitionFunction.mix(((long)form << Integer.SIZE) + count);
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            hash = PartitionFunction.mix(hash ^ buffer.getLong(offset + i, ORDER));
        }
        for (; i < length; i++)
        {
            hash = PartitionFunction.mix(hash ^ buffer.getByte(offset + i));
        }

        return hash;
    }

    /** True if a list with this number can be added. The list of a message that is delivered again cannot. */
    public boolean isNew(final long number)
    {
        return number > newest;
    }

    /**
     * Add a list, unless it is one that was added before, or no list. The oldest lists make room for it, also where
     * there is no memory for more than those that are there. A list that would need more memory alone is not kept.
     *
     * @param number above those of all lists before; one that is not is that of a message delivered again.
     * @param form   of the keys.
     * @param count  of keys.
     * @param hash   of the keys.
     */
    public void add(
        final long number,
        final int form,
        final int count,
        final long hash,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (!isNew(number) || !isList(form, length))
        {
            return;
        }
        newest = number;
        while (size == MAX_LISTS || usedBytes + length > MAX_BYTES)
        {
            removeOldest();
        }
        if (isFull(length) && !grow(usedBytes + length) && length > ring.capacity() && !grow(length))
        {
            return;
        }
        while (isFull(length))
        {
            removeOldest();
        }
        final int place = placeAt(size);
        numbers[place] = number;
        forms[place] = form;
        counts[place] = count;
        hashes[place] = hash;
        begins[place] = end;
        lengths[place] = length;
        final int at = at(end);
        final int first = Math.min(length, ring.capacity() - at);
        ring.putBytes(at, buffer, offset, first);
        ring.putBytes(0, buffer, offset + first, length - first);
        end += length;
        usedBytes += length;
        size++;
    }

    /** The number of the list that has exactly these keys, or {@link #NONE}. */
    public long find(
        final int form,
        final int count,
        final long hash,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        for (int i = size - 1; i >= 0; i--)
        {
            final int place = placeAt(i);
            if (hashes[place] == hash && forms[place] == form && counts[place] == count && lengths[place] == length &&
                isEqual(begins[place], buffer, offset, length))
            {
                return numbers[place];
            }
        }

        return NONE;
    }

    /**
     * The place of a list.
     *
     * @return to be given to {@link #form}, {@link #length} and {@link #copy} before anything is added, or -1 if there
     * is no list with this number, count of keys and hash.
     */
    public int placeOf(final long number, final int count, final long hash)
    {
        for (int i = size - 1; i >= 0 && numbers[placeAt(i)] >= number; i--)
        {
            final int place = placeAt(i);
            if (numbers[place] == number)
            {
                return counts[place] == count && hashes[place] == hash ? place : -1;
            }
        }

        return -1;
    }

    /** The form of a list's keys. */
    public int form(final int place)
    {
        return forms[place];
    }

    /** Bytes that a list's keys take. */
    public int length(final int place)
    {
        return lengths[place];
    }

    /** Copy the keys of a list in their form. */
    public void copy(final int place, final MutableDirectBuffer to, final int offset)
    {
        final int at = at(begins[place]);
        final int first = Math.min(lengths[place], ring.capacity() - at);
        to.putBytes(offset, ring, at, first);
        to.putBytes(offset + first, ring, 0, lengths[place] - first);
    }

    /** Number of lists. */
    public int size()
    {
        return size;
    }

    /** Forget all lists. Their numbers may come again: the other end may be another process. The memory is kept. */
    public void clear()
    {
        newest = NONE;
        size = 0;
        usedBytes = 0;
    }

    /** Forget all lists, and give the memory back. */
    public void close()
    {
        clear();
        memory.giveBack(bytes());
        ring.wrap(0, 0);
        oldest = 0;
        numbers = new long[0];
        hashes = new long[0];
        begins = new long[0];
        lengths = new int[0];
        counts = new int[0];
        forms = new int[0];
    }

    /** Bytes of the memory that are taken. */
    public int bytes()
    {
        return ring.capacity() + numbers.length * PLACE_BYTES;
    }

    private void removeOldest()
    {
        usedBytes -= lengths[oldest];
        oldest = placeAt(1);
        size--;
    }

    /** True if a list of so many bytes has no place, or not enough bytes in the ring. */
    private boolean isFull(final int length)
    {
        return size == numbers.length || usedBytes + length > ring.capacity();
    }

    private boolean grow(final int needed)
    {
        final int capacity = needed <= ring.capacity() ? ring.capacity() :
            Math.max(FIRST_BYTES, BitUtil.findNextPositivePowerOfTwo(needed));
        final int places = size < numbers.length ? numbers.length : Math.max(FIRST_LISTS, 2 * size);
        if (!memory.reserve(capacity - ring.capacity() + (places - numbers.length) * PLACE_BYTES))
        {
            return false;
        }
        final UnsafeBuffer grown = new UnsafeBuffer(new byte[capacity]);
        final long[] grownBegins = new long[places];
        int to = 0;
        for (int i = 0; i < size; i++)
        {
            grownBegins[i] = to;
            copy(placeAt(i), grown, to);
            to += lengths[placeAt(i)];
        }
        ring.wrap(grown);
        end = to;
        begins = grownBegins;
        numbers = inOrder(numbers, places);
        hashes = inOrder(hashes, places);
        lengths = inOrder(lengths, places);
        counts = inOrder(counts, places);
        forms = inOrder(forms, places);
        oldest = 0;

        return true;
    }

    private long[] inOrder(final long[] values, final int places)
    {
        final long[] ordered = new long[places];
        for (int i = 0; i < size; i++)
        {
            ordered[i] = values[placeAt(i)];
        }

        return ordered;
    }

    private int[] inOrder(final int[] values, final int places)
    {
        final int[] ordered = new int[places];
        for (int i = 0; i < size; i++)
        {
            ordered[i] = values[placeAt(i)];
        }

        return ordered;
    }

    /** The place of a list, counted from the oldest one. */
    private int placeAt(final int index)
    {
        return oldest + index & numbers.length - 1;
    }

    private int at(final long position)
    {
        return (int)(position & ring.capacity() - 1);
    }

    private boolean isEqual(final long begin, final DirectBuffer buffer, final int offset, final int length)
    {
        final int at = at(begin);
        final int first = Math.min(length, ring.capacity() - at);

        return isEqual(at, first, buffer, offset) && isEqual(0, length - first, buffer, offset + first);
    }

    private boolean isEqual(final int at, final int length, final DirectBuffer buffer, final int offset)
    {
        int i = 0;
        while (i + Long.BYTES <= length && ring.getLong(at + i) == buffer.getLong(offset + i))
        {
            i += Long.BYTES;
        }
        while (i < length && ring.getByte(at + i) == buffer.getByte(offset + i))
        {
            i++;
        }

        return i >= length;
    }

    /** The bytes that the lists of one process take together. */
    public static final class Memory
    {
        private final long limit;
        // 0 <= used <= limit
        private long used;

        /** Memory of which nothing is taken. */
        public Memory(final long limit)
        {
            this.limit = limit;
        }

        /** Bytes that are taken. */
        public long used()
        {
            return used;
        }

        boolean reserve(final int bytes)
        {
            final boolean isRoom = used + bytes <= limit;
            used += isRoom ? bytes : 0;

            return isRoom;
        }

        void giveBack(final int bytes)
        {
            used -= bytes;
        }
    }
}
