// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Refusal;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The entries that one slot has sent for clocks that are not summed yet, in the order of its sequences: parts, parts
 * refused for their content, and the ends of clocks. They are in memory only, and never acknowledged: a failover
 * forgets them, and the worker sends them again.
 */
final class BufferedUpdates
{
    /** Takes the sections of a part. */
    @FunctionalInterface
    interface PartConsumer
    {
        void onPart(DirectBuffer buffer, int offset, int length);
    }

    /** The kinds of entries. */
    enum Kind
    {
        PART,
        REFUSED,
        CLOCK;

        private static final Kind[] ALL = values();
    }

    /** Most entries: together with as many that are applied but not recorded they fill {@link Slot#MAX_UNRECORDED}. */
    static final int MAX_ENTRIES = Slot.MAX_UNRECORDED / 2;

    /** Longer than a process that takes a slot over waits for all partitions to say what they hold. */
    static final long ORPHAN_TIMEOUT_NS = 150_000_000_000L;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private static final int KIND_OFFSET = 0;
    private static final int LENGTH_OFFSET = 4;
    private static final int ACKNOWLEDGED_OFFSET = 8;
    private static final int INCARNATION_OFFSET = 16;
    /** A clock's number, a refusal's code, or a part's number of rows. */
    private static final int VALUE_OFFSET = 24;
    private static final int HEADER_LENGTH = 32;
    private static final int ALIGNMENT = 8;
    /** Bytes that a row counts for besides its own: it is looked up by its key where sums are made, and sorted. */
    static final int ROW_BYTES = 64;

    /** Most bytes for which the room is kept for the next clock. */
    static final int MAX_KEPT_BYTES = 256 * 1024;

    private ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
    private int begin;
    private int end;
    private int entries;
    private int clocks;
    private long rows;
    private long last;
    private boolean isOrphan;
    private long orphanSinceNs = UNKNOWN;
    private long lastClock;

    boolean isEmpty()
    {
        return 0 == entries;
    }

    int entries()
    {
        return entries;
    }

    /** Clocks of which the end is held. */
    int clocks()
    {
        return clocks;
    }

    /**
     * The process that sent these entries is replaced. The next process either ends the clock that they are part of,
     * because that has happened at other partitions, or pushes the clock anew. So the entries of later clocks are
     * forgotten, and the end of this clock.
     */
    void orphan()
    {
        int offset = begin;
        int kept = 0;
        rows = 0;
        while (kept < entries && Kind.CLOCK.ordinal() != bytes.getInt(offset + KIND_OFFSET))
        {
            rows += rowsAt(offset);
            offset += HEADER_LENGTH + align(bytes.getInt(offset + LENGTH_OFFSET));
            kept++;
        }
        last -= entries - kept;
        end = offset;
        entries = kept;
        clocks = 0;
        isOrphan = kept > 0;
        orphanSinceNs = UNKNOWN;
    }

    /** True if the new process has not yet decided what becomes of these entries. */
    boolean isOrphan()
    {
        return isOrphan;
    }

    /**
     * True if it is too late for a process to decide what becomes of these entries. To be called repeatedly from the
     * moment on at which that becomes possible.
     */
    boolean isAbandoned(final long nowNs)
    {
        orphanSinceNs = UNKNOWN == orphanSinceNs ? nowNs : orphanSinceNs;

        return isOrphan && nowNs - orphanSinceNs >= ORPHAN_TIMEOUT_NS;
    }

    /** The new process goes on after these entries. */
    void adopt()
    {
        isOrphan = false;
    }

    /** Number of the last clock whose end was held; meaningless if {@link #clocks()} is 0. */
    long lastClock()
    {
        return lastClock;
    }

    /** Sequence of the last entry; meaningless if there is none. */
    long last()
    {
        return last;
    }

    /** True if a part of so many bytes and rows may be added, where all that is held may count for {@code maxBytes}. */
    boolean hasRoomFor(final int length, final int rowCount, final long maxBytes)
    {
        return entries < MAX_ENTRIES &&
            (long)end - begin + HEADER_LENGTH + align(length) + (rows + rowCount) * ROW_BYTES <= maxBytes;
    }

    void addPart(
        final PushPartHeader part, final int rowCount, final DirectBuffer buffer, final int offset, final int length)
    {
        add(part, Kind.PART, rowCount, length);
        rows += rowCount;
        bytes.putBytes(end - align(length), buffer, offset, length);
    }

    void addRefused(final PushPartHeader part, final Refusal refusal)
    {
        add(part, Kind.REFUSED, refusal.code(), 0);
    }

    void addClock(final PushPartHeader part)
    {
        add(part, Kind.CLOCK, part.clock, 0);
        clocks++;
        lastClock = part.clock;
    }

    private void add(final PushPartHeader part, final Kind kind, final long value, final int length)
    {
        compact();
        bytes.checkLimit(end + HEADER_LENGTH + align(length));
        bytes.putInt(end + KIND_OFFSET, kind.ordinal());
        bytes.putInt(end + LENGTH_OFFSET, length);
        bytes.putLong(end + ACKNOWLEDGED_OFFSET, part.acknowledgedThrough);
        bytes.putLong(end + INCARNATION_OFFSET, part.incarnation);
        bytes.putLong(end + VALUE_OFFSET, value);
        end += HEADER_LENGTH + align(length);
        entries++;
        last = part.sequence;
    }

    private void compact()
    {
        if (begin > 0 && begin >= end - begin)
        {
            bytes.putBytes(0, bytes, begin, end - begin);
            end -= begin;
            begin = 0;
        }
    }

    /** Sequence of the first entry. */
    long firstSequence()
    {
        return last - entries + 1;
    }

    Kind firstKind()
    {
        return Kind.ALL[bytes.getInt(begin + KIND_OFFSET)];
    }

    long firstAcknowledgedThrough()
    {
        return bytes.getLong(begin + ACKNOWLEDGED_OFFSET);
    }

    long firstIncarnation()
    {
        return bytes.getLong(begin + INCARNATION_OFFSET);
    }

    /** The first entry's value: a clock's number, a refusal's code, or a part's number of rows. */
    long firstValue()
    {
        return bytes.getLong(begin + VALUE_OFFSET);
    }

    /** Where the sections of a first entry that is a part begin in {@link #buffer()}. */
    int firstOffset()
    {
        return begin + HEADER_LENGTH;
    }

    int firstLength()
    {
        return bytes.getInt(begin + LENGTH_OFFSET);
    }

    DirectBuffer buffer()
    {
        return bytes;
    }

    void forEachPart(final PartConsumer consumer)
    {
        int offset = begin;
        for (int i = 0; i < entries; i++)
        {
            final int length = bytes.getInt(offset + LENGTH_OFFSET);
            if (Kind.PART.ordinal() == bytes.getInt(offset + KIND_OFFSET))
            {
                consumer.onPart(bytes, offset + HEADER_LENGTH, length);
            }
            offset += HEADER_LENGTH + align(length);
        }
    }

    void removeFirst()
    {
        clocks -= Kind.CLOCK == firstKind() ? 1 : 0;
        rows -= rowsAt(begin);
        begin += HEADER_LENGTH + align(firstLength());
        entries--;
        if (0 == entries)
        {
            giveBack();
        }
    }

    /** Begin anew once nothing is held, and keep no more room than most clocks need. */
    private void giveBack()
    {
        begin = 0;
        end = 0;
        bytes = bytes.capacity() > MAX_KEPT_BYTES ? new ExpandableArrayBuffer() : bytes;
    }

    /** Bytes of its buffer, which keeps room for entries that are no longer held. */
    int capacity()
    {
        return bytes.capacity();
    }

    void clear()
    {
        giveBack();
        entries = 0;
        clocks = 0;
        rows = 0;
        isOrphan = false;
    }

    private long rowsAt(final int offset)
    {
        return Kind.PART.ordinal() == bytes.getInt(offset + KIND_OFFSET) ? bytes.getLong(offset + VALUE_OFFSET) : 0;
    }

    private static int align(final int length)
    {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
