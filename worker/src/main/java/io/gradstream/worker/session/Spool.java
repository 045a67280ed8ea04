// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Check;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one slot to one partition that may have to be sent again: a ring of bytes and a ring of entries.
 * <p>
 * Both rings begin small and are doubled when they are full. The ring of bytes takes nothing before the first message;
 * its bytes beyond the first {@link #STEP} are counted in a {@link Memory}, which all spools of a client share.
 * <p>
 * Messages are contiguous, begin at multiples of {@link #ALIGNMENT}, and never wrap: bytes left at the end of the ring
 * are skipped. Entries are named by their sequence, without gaps from {@link #oldest()} to {@link #next()} - 1.
 */
public final class Spool
{
    /** No room now. */
    public static final int NOT_NOW = -1;
    /** Messages begin at multiples of this. */
    public static final int ALIGNMENT = 8;
    /** Smallest ring of bytes. */
    public static final int MIN_CAPACITY = 1024;
    /** First size of the ring of bytes. Holds the end of a clock with all the empty parts that may go before it. */
    public static final int STEP = 16 * 1024;

    private static final int BULK_MIN = 8;
    private static final int FIRST_ENTRIES = 64;

    private final Memory memory;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final FloatBuffer[] floatViews = new FloatBuffer[Float.BYTES];
    private final LongBuffer[] longViews = new LongBuffer[Long.BYTES];
    private final int maxCapacity;
    private final int maxEntries;
    private ByteBuffer bytes;
    // 0 before the first message, then STEP <= capacity <= maxCapacity
    private int capacity;
    private int indexMask;
    private long[] beginOf;
    private int[] lengthOf;
    private long[] ticketOf;
    private byte[] refusalOf;

    // headPosition <= the begin of every entry < tailPosition <= headPosition + capacity
    private long headPosition;
    private long tailPosition;
    // oldest <= next <= oldest + maxEntries
    private long oldest = 1;
    private long next = 1;
    private long claimBegin = -1;
    private int claimLength;
    private int peakBytes;
    private boolean isRoomAwaited;
    private boolean isMemoryShort;
    private long pinnedRound;

    /** An empty spool of at most so many bytes, which it does not share; its next sequence is 1. */
    public Spool(final int maxCapacity, final int maxEntries)
    {
        this(maxCapacity, maxEntries, new Memory(maxCapacity, 1));
    }

    /**
     * An empty spool whose next sequence is 1.
     *
     * @param maxCapacity bytes, a power of two, at least {@link #MIN_CAPACITY}.
     * @param memory      that the spools of a client share.
     */
    public Spool(final int maxCapacity, final int maxEntries, final Memory memory)
    {
        Check.that(maxCapacity >= MIN_CAPACITY && BitUtil.isPowerOfTwo(maxCapacity), "spoolBytesPerPartition",
            maxCapacity, "a power of two, at least " + MIN_CAPACITY);
        Check.range("maxInFlight", maxEntries, 1, 1 << 24);
        this.maxCapacity = maxCapacity;
        this.maxEntries = maxEntries;
        this.memory = memory;
        final int indexCapacity = BitUtil.findNextPositivePowerOfTwo(Math.min(maxEntries, FIRST_ENTRIES));
        indexMask = indexCapacity - 1;
        beginOf = new long[indexCapacity];
        lengthOf = new int[indexCapacity];
        ticketOf = new long[indexCapacity];
        refusalOf = new byte[indexCapacity];
        memory.add(this);
    }

    /**
     * Begin to count at another sequence.
     *
     * @throws IllegalStateException if a message is kept.
     */
    public void startAt(final long sequence)
    {
        if (!isEmpty())
        {
            throw new IllegalStateException("spool is not empty: oldest=" + oldest + " next=" + next);
        }
        oldest = sequence;
        next = sequence;
    }

    /**
     * Claim room for the message with sequence {@link #next()}. Claiming again before {@link #commit} replaces the
     * claim.
     *
     * @return offset in {@link #buffer()}, or {@link #NOT_NOW}.
     * @throws IllegalArgumentException if the message could never fit.
     */
    public int claim(final int length)
    {
        final int aligned = BitUtil.align(length, ALIGNMENT);
        if (length < 1 || aligned > maxCapacity)
        {
            throw new IllegalArgumentException(
                "message of " + length + " bytes never fits spoolBytesPerPartition=" + maxCapacity + ": raise it");
        }
        // at least the next size: the rest at the ring's end may be too short
        if (next - oldest >= maxEntries || !fits(aligned) &&
            !(grow(Math.max((long)usedBytes() + aligned, capacity + 1L)) && fits(aligned)))
        {
            return NOT_NOW;
        }
        if (next - oldest > indexMask)
        {
            growIndex();
        }
        claimBegin = begin(aligned);
        claimLength = length;

        return offset(claimBegin);
    }

    private boolean fits(final int aligned)
    {
        return capacity > 0 && begin(aligned) + aligned - headPosition <= capacity;
    }

    /** Position of the next message. */
    private long begin(final int aligned)
    {
        if (isEmpty())
        {
            // nothing refers to the bytes, so begin at the ring's begin and skip nothing
            tailPosition = BitUtil.align(tailPosition, (long)capacity);
            headPosition = tailPosition;
        }
        final int toEnd = capacity - offset(tailPosition);

        return aligned > toEnd ? tailPosition + toEnd : tailPosition;
    }

    /** Make room for so many bytes in all, those in use included, if that is allowed and there is memory. */
    private boolean grow(final long needed)
    {
        isMemoryShort = false;
        if (needed > maxCapacity)
        {
            return false;
        }
        final int target = Math.min(maxCapacity, Math.max(STEP, BitUtil.findNextPositivePowerOfTwo((int)needed)));
        isMemoryShort = target > capacity && !memory.reserve(this, beyondStep(target) - beyondStep(capacity));
        if (target > capacity && !isMemoryShort)
        {
            resize(target);
        }

        return !isMemoryShort;
    }

    private static int beyondStep(final int bytes)
    {
        return Math.max(0, bytes - STEP);
    }

    /**
     * Give memory back, because another spool lacks it. The ring keeps the bytes in use and one {@link #STEP}, rounded
     * up to a power of two, or one {@link #STEP} if it is empty. In a round, a spool keeps the room that it was found
     * to have.
     */
    void shrink()
    {
        final int target = Math.max(STEP, BitUtil.findNextPositivePowerOfTwo(usedBytes() + (isEmpty() ? 0 : STEP)));
        final boolean isPinned = memory.round() != Memory.NO_ROUND && memory.round() == pinnedRound;
        if (target < capacity && !isPinned)
        {
            memory.giveBack(beyondStep(capacity) - beyondStep(target));
            resize(target);
        }
    }

    /** Copy the kept messages, without gaps, to the begin of another ring. A claimed message must be claimed again. */
    private void resize(final int newCapacity)
    {
        final ByteBuffer newBytes = ByteBuffer.allocateDirect(newCapacity);
        final UnsafeBuffer to = new UnsafeBuffer(newBytes);
        int end = 0;
        for (long sequence = oldest; sequence < next; sequence++)
        {
            final int index = (int)sequence & indexMask;
            to.putBytes(end, buffer, offset(beginOf[index]), lengthOf[index]);
            beginOf[index] = end;
            end += BitUtil.align(lengthOf[index], ALIGNMENT);
        }
        headPosition = 0;
        tailPosition = end;
        claimBegin = -1;
        capacity = newCapacity;
        buffer.wrap(newBytes);
        BufferUtil.free(bytes);
        bytes = newBytes;
        for (int i = 0; i < longViews.length; i++)
        {
            final ByteBuffer slice = bytes.slice(i, capacity - i).order(ByteOrder.LITTLE_ENDIAN);
            longViews[i] = slice.asLongBuffer();
            if (i < floatViews.length)
            {
                floatViews[i] = slice.asFloatBuffer();
            }
        }
    }

    private void growIndex()
    {
        final int newLength = 2 * beginOf.length;
        final int oldMask = indexMask;
        final long[] oldBeginOf = beginOf;
        final int[] oldLengthOf = lengthOf;
        final long[] oldTicketOf = ticketOf;
        final byte[] oldRefusalOf = refusalOf;
        beginOf = new long[newLength];
        lengthOf = new int[newLength];
        ticketOf = new long[newLength];
        refusalOf = new byte[newLength];
        indexMask = newLength - 1;
        for (long sequence = oldest; sequence < next; sequence++)
        {
            final int from = (int)sequence & oldMask;
            final int to = (int)sequence & indexMask;
            beginOf[to] = oldBeginOf[from];
            lengthOf[to] = oldLengthOf[from];
            ticketOf[to] = oldTicketOf[from];
            refusalOf[to] = oldRefusalOf[from];
        }
    }

    public long commit(final long ticket)
    {
        if (claimBegin < 0)
        {
            throw new IllegalStateException("nothing is claimed: next=" + next);
        }
        final int index = (int)next & indexMask;
        beginOf[index] = claimBegin;
        lengthOf[index] = claimLength;
        ticketOf[index] = ticket;
        refusalOf[index] = 0;
        tailPosition = claimBegin + BitUtil.align(claimLength, ALIGNMENT);
        claimBegin = -1;
        final long sequence = next++;
        peakBytes = Math.max(peakBytes, usedBytes());

        return sequence;
    }

    public void release()
    {
        if (isEmpty())
        {
            throw new IllegalStateException("spool is empty: next=" + next);
        }
        oldest++;
        headPosition = isEmpty() ? tailPosition : beginOf[(int)oldest & indexMask];
    }

    /**
     * Make room for so many messages, whatever is skipped at the ring's end. In a round of the {@link Memory} the room
     * stays until the round ends.
     *
     * @param alignedBytes of all, each rounded up to {@link #ALIGNMENT}.
     * @param largest      bytes of the largest, rounded up.
     * @return true if they fit now.
     */
    public boolean hasRoom(final int entries, final long alignedBytes, final int largest)
    {
        isMemoryShort = false;
        final long needed = isEmpty() ? alignedBytes : usedBytes() + alignedBytes + largest;
        final boolean hasRoom = next - oldest + entries <= maxEntries && (needed <= capacity || grow(needed));
        if (hasRoom)
        {
            pinnedRound = memory.round();
        }

        return hasRoom;
    }

    /** True if the last request for room would fit, but the memory of all spools together is used up. */
    public boolean isMemoryShort()
    {
        return isMemoryShort;
    }

    /** The memory that this spool shares with others. */
    public Memory memory()
    {
        return memory;
    }

    /** True if an empty spool could hold so many messages, of so many bytes with each rounded up. */
    public boolean couldHold(final int entries, final long alignedBytes)
    {
        return entries <= maxEntries && alignedBytes <= maxCapacity;
    }

    /** Copy floats to a place in {@link #buffer()} that need not be aligned, little endian. */
    public void putFloats(final int offset, final float[] source, final int from, final int count)
    {
        if (count >= BULK_MIN)
        {
            floatViews[offset & 3].put(offset >> 2, source, from, count);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            buffer.putFloat(offset + (i << 2), source[from + i], ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Copy longs to a place in {@link #buffer()} that need not be aligned, little endian. */
    public void putLongs(final int offset, final long[] source, final int from, final int count)
    {
        if (count >= BULK_MIN)
        {
            longViews[offset & 7].put(offset >> 3, source, from, count);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            buffer.putLong(offset + (i << 3), source[from + i], ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** The ring of bytes, off heap. {@link #claim} and {@link #hasRoom} may replace the ring, but not this object. */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Where a message begins in {@link #buffer()}. */
    public int offsetOf(final long sequence)
    {
        return offset(beginOf[index(sequence)]);
    }

    /** Length of a message that is kept. */
    public int lengthOf(final long sequence)
    {
        return lengthOf[index(sequence)];
    }

    /** The ticket of a message that is kept. */
    public long ticketOf(final long sequence)
    {
        return ticketOf[index(sequence)];
    }

    /** Remember that a message that is kept was refused for its content. */
    public void refuse(final long sequence, final int code)
    {
        refusalOf[index(sequence)] = (byte)code;
    }

    /**
     * Forget the refusals of messages: the primary that refused them is no longer primary, and another may take them.
     */
    void forgetRefusals()
    {
        for (long sequence = oldest; sequence < next; sequence++)
        {
            refusalOf[index(sequence)] = 0;
        }
    }

    /** Code of the refusal of a message, 0 if it is not known as refused. */
    public int refusalOf(final long sequence)
    {
        return refusalOf[index(sequence)];
    }

    /** Oldest sequence that is kept, {@link #next()} if the spool is empty. */
    public long oldest()
    {
        return oldest;
    }

    /** Sequence of the next message: one more than the youngest that is kept. */
    public long next()
    {
        return next;
    }

    public boolean isEmpty()
    {
        return oldest == next;
    }

    /** Set whether a push waits for more room than there is. */
    public void isRoomAwaited(final boolean isAwaited)
    {
        isRoomAwaited = isAwaited;
    }

    public boolean isRoomAwaited()
    {
        return isRoomAwaited;
    }

    /** True if half of the bytes or messages that may be kept are in use, or another spool waits for memory. */
    public boolean isHalfFull()
    {
        return usedBytes() >= maxCapacity / 2 || next - oldest >= (maxEntries + 1) / 2 ||
            !isEmpty() && memory.isShort();
    }

    /** Bytes in use, those skipped at the ring's end included. */
    public int usedBytes()
    {
        return isEmpty() ? 0 : (int)(tailPosition - headPosition);
    }

    public int peakBytes()
    {
        return peakBytes;
    }

    private int offset(final long position)
    {
        return (int)position & (capacity - 1);
    }

    private int index(final long sequence)
    {
        if (sequence < oldest || sequence >= next)
        {
            throw new IllegalStateException("sequence=" + sequence + " oldest=" + oldest + " next=" + next);
        }

        return (int)sequence & indexMask;
    }

    /**
     * The bytes that the spools of one client take together. Each may always take its first {@link #STEP}; the bytes
     * beyond that have one limit. A spool that finds no memory makes the others give back the bytes that they do not
     * use.
     */
    public static final class Memory
    {
        /** No round is under way. */
        static final long NO_ROUND = 0;

        private final List<Spool> spools = new ArrayList<>();
        private final long totalBytes;
        private final long limit;
        // 0 <= used <= limit
        private long used;
        private boolean isShort;
        private long rounds;
        private long round = NO_ROUND;

        /**
         * Memory of which nothing is taken.
         *
         * @param totalBytes of all spools together.
         * @param count      of the spools.
         */
        public Memory(final long totalBytes, final int count)
        {
            this.totalBytes = totalBytes;
            limit = Math.max(0, totalBytes - (long)count * STEP);
        }

        /** Bytes of all spools together. */
        public long totalBytes()
        {
            return totalBytes;
        }

        /**
         * Begin a round: a spool that is found to have room keeps that room until the round ends, whatever other spools
         * lack.
         */
        public void beginRound()
        {
            round = ++rounds;
        }

        /** End the round. */
        public void endRound()
        {
            round = NO_ROUND;
        }

        long round()
        {
            return round;
        }

        /** True if a spool has found no memory, and none has found any since. */
        boolean isShort()
        {
            return isShort;
        }

        /** Bytes that spools have taken beyond their first steps. */
        long used()
        {
            return used;
        }

        void add(final Spool spool)
        {
            spools.add(spool);
        }

        boolean reserve(final Spool asker, final int bytes)
        {
            for (int i = 0; used + bytes > limit && i < spools.size(); i++)
            {
                if (spools.get(i) != asker)
                {
                    spools.get(i).shrink();
                }
            }
            isShort = used + bytes > limit;
            used += isShort ? 0 : bytes;

            return !isShort;
        }

        void giveBack(final int bytes)
        {
            used -= bytes;
        }
    }
}
