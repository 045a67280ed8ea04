// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullEncoder;
import io.gradstream.worker.cache.CachedRows;
import io.gradstream.worker.cache.PulledNorms;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * One pull at one partition: its message, kept until it is answered, and the destination of its rows. Used again and
 * again.
 */
public final class PullMessage
{
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int BODY =
        MessageHeaderEncoder.ENCODED_LENGTH + PullEncoder.BLOCK_LENGTH + PullEncoder.bodyHeaderLength();

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final PullEncoder encoder = new PullEncoder();
    private final ExpandableArrayBuffer message = new ExpandableArrayBuffer(256);
    /** The keys of the rows; in a range only the first counts. */
    private long[] keys = new long[16];
    private int[] destinationRows = new int[16];
    private int messageLength;
    private long id;
    private int partition;
    private long ticket;
    private boolean isQueued;
    private boolean isUncached;
    private TableSpec table;
    private ValueEncoding encoding;
    private boolean isRange;
    private long leastKey;
    private long greatestKey;
    /** The form of keys that are to be a list; 0 where they are not. */
    private int listForm;
    private long listHead;
    private int rowCount;
    private Object out;
    private long answerEpoch;
    private long clock;
    private long minClock;
    private long askedEpoch;
    private long askedNs;
    private long progressNs;
    private int rowsTaken;
    /** Into which its rows enter, or null. */
    private CachedRows cachedRows;
    private long cacheAskedAt;
    /** To which its rows are shown, or null. */
    private PulledNorms norms;

    PullMessage()
    {
    }

    void begin(final long newId, final int newPartition)
    {
        id = newId;
        partition = newPartition;
        rowCount = 0;
        listForm = 0;
        leastKey = Long.MAX_VALUE;
        greatestKey = 0;
        rowsTaken = 0;
        answerEpoch = -1;
        askedEpoch = -1;
        isUncached = false;
        cachedRows = null;
        norms = null;
    }

    /**
     * Set the table to pull from, and the destination of its rows.
     *
     * @param newIsRange  true if the keys are consecutive.
     * @param array       of floats or of longs, as the table has them.
     * @param newEncoding that a server may use for floats.
     */
    public void of(
        final TableSpec spec, final boolean newIsRange, final Object array, final ValueEncoding newEncoding)
    {
        encoding = newEncoding;
        table = spec;
        isRange = newIsRange;
        out = array;
    }

    /** Give the destination back to the caller: rows that come from here on go to a copy, where caches find them. */
    void giveBack()
    {
        out = out instanceof float[] ? ((float[])out).clone() : ((long[])out).clone();
    }

    /**
     * Its keys are to be a list, which the server has once it was sent. They have the form that a push has them in.
     *
     * @param form of the keys.
     * @param head the least key that the form begins with.
     */
    public void cacheKeys(final int form, final long head)
    {
        listForm = form;
        listHead = head;
    }

    /** Its rows enter a cache once they have come. No own push may be made from here until it is submitted. */
    public void enter(final CachedRows cache)
    {
        cachedRows = cache;
        cacheAskedAt = cache.onAsked();
    }

    /** The norms of its rows are kept once they have come, or null for none. */
    public void show(final PulledNorms newNorms)
    {
        norms = newNorms;
    }

    /**
     * Ask for one more row. In a range, keys must be consecutive.
     *
     * @param destinationRow its place, counted in rows: after that of the row before.
     */
    public void add(final long key, final int destinationRow)
    {
        if (rowCount == destinationRows.length)
        {
            destinationRows = Arrays.copyOf(destinationRows, rowCount * 2);
            keys = Arrays.copyOf(keys, rowCount * 2);
        }
        keys[rowCount] = key;
        leastKey = Math.min(leastKey, key);
        greatestKey = Math.max(greatestKey, key);
        destinationRows[rowCount++] = destinationRow;
    }

    /**
     * Complete the message.
     *
     * @param lastSequence of the slot at the partition: the answer must reflect it.
     * @param clock        iterations before the one that it is for: the answer must not be staler than the job allows.
     */
    public void encode(final long lastSequence, final long clock)
    {
        final boolean isList = !isRange && 0 != listForm;
        final int keyForm = isRange ? KeyForm.RANGE :
            isList ? listForm : KeyForm.shortest(leastKey, greatestKey, rowCount);
        final int bodyLength = (int)KeyForm.length(keyForm, rowCount);
        message.checkLimit(BODY + bodyLength);
        encoder.wrapAndApplyHeader(message, 0, headerEncoder)
            .epoch(0)
            .requestId(id)
            .lastSequence(lastSequence)
            .incarnation(0)
            .partition(partition)
            .slot(0)
            .tableId(table.tableId())
            .rowCount(rowCount)
            .keyForm((short)keyForm)
            .clock(clock)
            .encoding((short)encoding.wire())
            .keyList(isList ? KeyLists.WANTED : KeyLists.NONE);
        this.clock = clock;
        message.putInt(BODY - PullEncoder.bodyHeaderLength(), bodyLength, ORDER);
        KeyForm.write(keyForm, keys, 0, rowCount, isList ? listHead : leastKey, message, BODY);
        messageLength = BODY + bodyLength;
    }

    void stamp(final long epoch, final WorkerIdentity identity, final long nowNs)
    {
        progressNs = nowNs;
        if (epoch != askedEpoch)
        {
            // any of several requests in one epoch may be the answered one: the rows count as old as the first request
            askedEpoch = epoch;
            askedNs = nowNs;
        }
        encoder.wrap(message, MessageHeaderEncoder.ENCODED_LENGTH)
            .epoch(epoch)
            .incarnation(identity.incarnation())
            .slot(identity.slot());
    }

    void restart(final long epoch, final long newMinClock)
    {
        answerEpoch = epoch;
        minClock = newMinClock;
        rowsTaken = 0;
    }

    /**
     * True if the staleness of its rows counts. It does not for system tables, which are read as they are, nor for a
     * slot that has finished.
     */
    boolean isOfIteration()
    {
        return !table.isSystem() && Consistency.FINISHED != clock;
    }

    /** Iterations before the one that it is for. */
    long clock()
    {
        return clock;
    }

    /** Iterations by which the slowest slot was behind when the first rows were read; below 0 if it was ahead. */
    long staleness()
    {
        return clock - minClock;
    }

    boolean take(final long epoch, final PullRequests.RowsChunk chunk)
    {
        final int rows = chunk.rowCount();
        final ValueEncoding used = chunk.encoding();
        final int rowLength =
            ValueEncoding.RAW == used ? table.valuesLength() : table.dim() * used.elementLength();
        if (epoch != answerEpoch || chunk.rowOffset() != rowsTaken || rows < 0 || rows > rowCount - rowsTaken ||
            chunk.valuesLength() != (long)rows * rowLength ||
            chunk.isLast() != (rowsTaken + rows == rowCount))
        {
            return false;
        }
        final DirectBuffer values = chunk.values();
        int offset = chunk.valuesOffset();
        if (rows > 0 && destinationRows[rowsTaken + rows - 1] - destinationRows[rowsTaken] == rows - 1)
        {
            copyRows(values, offset, used, destinationRows[rowsTaken], rows);
        }
        else
        {
            for (int i = 0; i < rows; i++)
            {
                copyRows(values, offset, used, destinationRows[rowsTaken + i], 1);
                offset += rowLength;
            }
        }
        rowsTaken += rows;

        return true;
    }

    /** Epoch of the primary that was asked last. */
    long askedEpoch()
    {
        return askedEpoch;
    }

    /**
     * Keep the rows of a complete answer for later. They count as of the time of the request: the server read them
     * later than that.
     */
    void remember(final RowCache cache)
    {
        // rounded rows would answer pulls that ask for all bits
        final RowCache.Rows rows = ValueEncoding.RAW == encoding ? cache.of(table) : null;
        for (int i = 0; null != rows && i < rowCount; i++)
        {
            rows.put(keys[i], out, destinationRows[i] * table.dim(), askedNs);
        }
    }

    /**
     * Take all rows from those pulled earlier, or none: an answer may have begun.
     *
     * @return time as of which the oldest of them counts, or {@link RowCache#UNKNOWN} if one is not known.
     */
    long takeFrom(final RowCache cache)
    {
        final RowCache.Rows rows = cache.of(table);
        if (null == rows)
        {
            return RowCache.UNKNOWN;
        }
        long oldestNs = Long.MAX_VALUE;
        for (int i = 0; i < rowCount && RowCache.UNKNOWN != oldestNs; i++)
        {
            oldestNs = Math.min(oldestNs, rows.trueNs(keys[i]));
        }
        for (int i = 0; i < rowCount && RowCache.UNKNOWN != oldestNs; i++)
        {
            rows.get(keys[i], out, destinationRows[i] * table.dim());
        }

        return oldestNs;
    }

    /** Let the rows of a complete answer answer later pulls, too, and keep their norms. */
    void cacheRows()
    {
        for (int i = 0; null != norms && i < rowCount; i++)
        {
            norms.onRow(
                keys[i], (float[])out, destinationRows[i] * table.dim(), ValueEncoding.FLOAT16 == encoding);
        }
        // where every slot has finished but this one, which does not count, nothing says how old rows become
        final boolean isBound = Consistency.FINISHED != minClock || Consistency.FINISHED == clock;
        for (int i = 0; isBound && null != cachedRows && i < rowCount; i++)
        {
            cachedRows.put(partition, keys[i], out, destinationRows[i] * table.dim(), minClock, cacheAskedAt);
        }
    }

    void end()
    {
        if (null != cachedRows)
        {
            cachedRows.onOver();
            cachedRows = null;
        }
        out = null;
        table = null;
    }

    private void copyRows(
        final DirectBuffer values, final int offset, final ValueEncoding used, final int row, final int count)
    {
        final int elements = count * table.dim();
        final int to = row * table.dim();
        if (out instanceof float[] floats)
        {
            used.decode(values, offset, floats, to, elements);
            return;
        }
        final long[] longs = (long[])out;
        for (int i = 0; i < elements; i++)
        {
            longs[to + i] = values.getLong(offset + (i << 3), ORDER);
        }
    }

    /** The request was sent, or a part of the answer has come. */
    void onProgress(final long nowNs)
    {
        progressNs = nowNs;
    }

    long progressNs()
    {
        return progressNs;
    }

    DirectBuffer message()
    {
        return message;
    }

    int messageLength()
    {
        return messageLength;
    }

    long id()
    {
        return id;
    }

    long ticket()
    {
        return ticket;
    }

    void ticket(final long newTicket)
    {
        ticket = newTicket;
    }

    /**
     * True if a row of it is known to be missing in the cache. No row comes into the cache while the partition is away.
     */
    boolean isUncached()
    {
        return isUncached;
    }

    void isUncached(final boolean newUncached)
    {
        isUncached = newUncached;
    }

    boolean isQueued()
    {
        return isQueued;
    }

    void isQueued(final boolean newQueued)
    {
        isQueued = newQueued;
    }
}
