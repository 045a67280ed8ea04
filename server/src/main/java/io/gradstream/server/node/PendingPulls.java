// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.table.RowKeys;
import org.agrona.DirectBuffer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Pulls that have been taken and not yet answered: each waits until its slot's sequence is applied, and then goes out
 * in chunks of whole rows as the response stream has room. Each chunk says which epoch and position it shows.
 */
final class PendingPulls
{
    /** Most pulls that wait. */
    static final int MAX_PULLS = 1024;
    /**
     * Number of waiting pulls from which on a pull is refused if it would wait for slots that are behind: the pulls of
     * those slots must find room.
     */
    static final int MAX_HELD_PULLS = MAX_PULLS / 2;
    /** Most bytes of keys that wait. */
    static final long MAX_KEY_BYTES = 16L * 1024 * 1024;
    /** Most frames of one pull in one duty cycle, unless one chunk has more, so that pushes are not held up. */
    static final int FRAMES_PER_CYCLE = 16;
    /** Most frames of a chunk whose rows would leave much of single frames empty. */
    static final int FRAMES_PER_CHUNK = 8;
    /** Much of a frame is empty if more than its room divided by this number stays unused. */
    static final int MIN_WASTE = 8;
    /** Most bytes of a pull's rows in one duty cycle, unless one chunk has more: over IPC chunks are long. */
    static final int BYTES_PER_CYCLE = 128 * 1024;

    private final EgressPublisher egress;
    private final NodeCounters counters;
    private final List<PendingPull> waiting = new ArrayList<>();
    private final ArrayDeque<PendingPull> free = new ArrayDeque<>();
    private long keyBytes;

    PendingPulls(final EgressPublisher egress, final NodeCounters counters)
    {
        this.egress = egress;
        this.counters = counters;
    }

    /** Take a pull, or say why not. */
    Refusal onPull(
        final WorkerConnection connection,
        final HostedPartition copy,
        final PullDecoder pull,
        final DirectBuffer buffer,
        final int keysOffset)
    {
        final PendingPull asked = find(connection, pull.requestId());
        if (null != asked)
        {
            // its worker has heard nothing for long: answer from the beginning, in the same place
            asked.epoch = pull.epoch();
            asked.nextRow = 0;
            return Refusal.NONE;
        }
        final TableSpec spec = copy.partition().tableSpec(pull.tableId());
        if (null == spec)
        {
            return Refusal.NO_SUCH_TABLE;
        }
        if (free.isEmpty())
        {
            free.add(new PendingPull());
        }
        final PendingPull pending = free.peekLast();
        final long newKeyBytes = keyBytes + (long)pull.rowCount() * Long.BYTES;
        final boolean isHalfFull = waiting.size() >= MAX_HELD_PULLS || newKeyBytes > MAX_KEY_BYTES / 2;
        if (waiting.size() >= MAX_PULLS || newKeyBytes > MAX_KEY_BYTES ||
            isHalfFull && !copy.isFresh(connection.slot(), pull.clock()))
        {
            return Refusal.BUSY;
        }
        pending.keys(pull.keyForm(), pull.rowCount(), buffer, keysOffset);
        if (!pending.areOf(copy.partition(), spec))
        {
            pending.release();
            return Refusal.BAD_KEY;
        }

        free.removeLast();
        pending.connection = connection;
        pending.copy = copy;
        pending.epoch = pull.epoch();
        pending.requestId = pull.requestId();
        pending.lastSequence = pull.lastSequence();
        pending.clock = pull.clock();
        pending.heldNs = 0;
        pending.isHeld = false;
        pending.tableId = pull.tableId();
        pending.encoding =
            ElementType.FLOAT32 == spec.elementType() ? ValueEncoding.ofWire(pull.encoding()) : ValueEncoding.RAW;
        keyBytes += pending.keyBytes();
        waiting.add(pending);

        return Refusal.NONE;
    }

    /** The pull that waits with a request's id, or null. */
    private PendingPull find(final WorkerConnection connection, final long requestId)
    {
        for (int i = 0; i < waiting.size(); i++)
        {
            final PendingPull pull = waiting.get(i);
            if (pull.requestId == requestId && pull.connection == connection)
            {
                return pull;
            }
        }

        return null;
    }

    private void free(final PendingPull pull)
    {
        keyBytes -= pull.keyBytes();
        pull.release();
        free.addLast(pull);
    }

    int waitingCount()
    {
        return waiting.size();
    }

    /**
     * How long the oldest pull of a partition has waited for slots that are behind.
     *
     * @return ns, 0 if none waits; a pull does not count if it waits only until a clock that all have ended is logged.
     */
    long heldNs(final HostedPartition copy)
    {
        final Consistency consistency = copy.partition().consistency();
        final long slowest = copy.contents().slowestEnded();
        long oldestNs = 0;
        for (int i = 0; i < waiting.size(); i++)
        {
            final PendingPull pull = waiting.get(i);
            if (pull.copy == copy && pull.isHeld && !consistency.allows(pull.clock, slowest))
            {
                oldestNs = Math.max(oldestNs, pull.heldNs);
            }
        }

        return oldestNs;
    }

    int doWork(final long nowNs)
    {
        int workCount = 0;
        int kept = 0;
        for (int i = 0, size = waiting.size(); i < size; i++)
        {
            final PendingPull pull = waiting.get(i);
            final int row = pull.nextRow;
            final boolean isOver = isVoid(pull) || mayReturn(pull, nowNs) && send(pull);
            workCount += isOver ? 1 : pull.nextRow - row;
            if (isOver)
            {
                free(pull);
            }
            else
            {
                waiting.set(kept++, pull);
            }
        }
        while (waiting.size() > kept)
        {
            waiting.remove(waiting.size() - 1);
        }

        return workCount;
    }

    /** True if no worker waits for a pull any longer: the worker has gone, or asks the partition's new primary. */
    private static boolean isVoid(final PendingPull pull)
    {
        return pull.connection.responses().isClosed() || !pull.copy.isPrimary() ||
            pull.epoch != pull.copy.partition().epoch();
    }

    /**
     * True if a pull may be answered. Its rows must be those of a primary that may answer, and must hold all pushes
     * that the slot made before, and enough of the pushes of every other slot. An answer that has begun goes on: a
     * bound that is lowered meanwhile applies to later answers.
     */
    private static boolean mayReturn(final PendingPull pull, final long nowNs)
    {
        final boolean isDue = pull.copy.isAnswering() &&
            pull.copy.partition().hasApplied(pull.connection.slot(), pull.lastSequence);
        if (!isDue || pull.nextRow > 0)
        {
            return isDue;
        }
        final boolean isFresh = pull.copy.isFresh(pull.connection.slot(), pull.clock);
        if (!isFresh && !pull.isHeld)
        {
            pull.isHeld = true;
            pull.heldSinceNs = nowNs;
        }
        pull.heldNs = pull.isHeld ? nowNs - pull.heldSinceNs : 0;

        return isFresh;
    }

    private boolean send(final PendingPull pull)
    {
        final Partition partition = pull.copy.partition();
        if (!pull.connection.responses().isConnected())
        {
            return false;
        }
        final TableSpec spec = partition.tableSpec(pull.tableId);
        final int valuesLength =
            ValueEncoding.RAW == pull.encoding ? spec.valuesLength() : spec.dim() * pull.encoding.elementLength();
        // they are encoded where they are read
        final int rowsPerChunk = Math.min(rowsPerChunk(pull.connection.responses(), valuesLength), Math.max(1,
            (egress.maxMessageLength() - EgressPublisher.ROWS_HEADER_LENGTH) / spec.valuesLength()));
        final int bytesPerCycle = Math.min(
            BYTES_PER_CYCLE, FRAMES_PER_CYCLE * pull.connection.responses().maxPayloadLength());
        final int rowsPerCycle = Math.max(rowsPerChunk, bytesPerCycle / valuesLength);
        final int end = Math.min(pull.rowCount, pull.nextRow + rowsPerCycle);
        while (pull.nextRow < end)
        {
            if (!sendChunk(pull, partition, Math.min(rowsPerChunk, end - pull.nextRow), valuesLength))
            {
                return false;
            }
        }
        if (pull.nextRow < pull.rowCount)
        {
            return false;
        }
        counters.increment(Counter.ANSWERED_PULLS);

        return true;
    }

    /**
     * As many rows as fit one frame, so that the client need not assemble them, unless whole rows leave much of a frame
     * empty.
     */
    private int rowsPerChunk(final ResponseStream responses, final int valuesLength)
    {
        final int frameLength = responses.maxPayloadLength();
        final int room = frameLength - EgressPublisher.ROWS_HEADER_LENGTH;
        final int rowsPerFrame = room / valuesLength;
        if (room - rowsPerFrame * valuesLength <= room / MIN_WASTE)
        {
            return rowsPerFrame;
        }
        final int longest = Math.min(
            Math.min(responses.maxMessageLength(), egress.maxMessageLength()), FRAMES_PER_CHUNK * frameLength);

        return Math.max(1, (longest - EgressPublisher.ROWS_HEADER_LENGTH) / valuesLength);
    }

    private boolean sendChunk(
        final PendingPull pull, final Partition partition, final int rowCount, final int valuesLength)
    {
        partition.rows().read(
            pull.tableId, pull, pull.nextRow, rowCount, egress.rowsBuffer(), EgressPublisher.ROWS_HEADER_LENGTH);
        pull.encoding.encodeInPlace(egress.rowsBuffer(), EgressPublisher.ROWS_HEADER_LENGTH,
            rowCount * valuesLength / pull.encoding.elementLength());
        if (!egress.rows(pull, partition, rowCount, rowCount * valuesLength))
        {
            return false;
        }
        pull.nextRow += rowCount;

        return true;
    }

    /** A pull that waits for its sequence, or for room on the worker's response stream. Reused. */
    static final class PendingPull implements RowKeys
    {
        private static final long[] NO_KEYS = {};
        /** Keys kept allocated between uses; larger pulls allocate. */
        private static final int KEPT_KEYS = 1024;

        WorkerConnection connection;
        HostedPartition copy;
        long epoch;
        long requestId;
        long lastSequence;
        long clock;
        /** Time for which it waited for slots that were behind; since when, if it ever did. */
        long heldNs;
        long heldSinceNs;
        boolean isHeld;
        int tableId;
        ValueEncoding encoding;
        int rowCount;
        /** First row not yet sent. Invariant: 0 ≤ nextRow ≤ rowCount. */
        int nextRow;
        private boolean isRange;
        private long firstKey;
        private long[] keys = NO_KEYS;

        void keys(final int keyForm, final int count, final DirectBuffer buffer, final int offset)
        {
            rowCount = count;
            nextRow = 0;
            isRange = KeyForm.RANGE == keyForm;
            if (isRange)
            {
                firstKey = KeyForm.read(keyForm, buffer, offset, 0);
                return;
            }
            if (keys.length < count)
            {
                keys = new long[Math.max(count, KEPT_KEYS)];
            }
            KeyForm.read(keyForm, buffer, offset, 0, count, keys);
        }

        boolean areOf(final Partition partition, final TableSpec spec)
        {
            return isRange ? partition.rows().holdsRange(spec, firstKey, rowCount) :
                partition.rows().holdsKeys(spec, keys, rowCount);
        }

        @Override
        public void copyKeys(final int from, final int count, final long[] to)
        {
            if (!isRange)
            {
                System.arraycopy(keys, from, to, 0, count);
                return;
            }
            for (int i = 0; i < count; i++)
            {
                to[i] = firstKey + from + i;
            }
        }

        int keyBytes()
        {
            return isRange ? Long.BYTES : rowCount * Long.BYTES;
        }

        void release()
        {
            connection = null;
            copy = null;
            if (keys.length > KEPT_KEYS)
            {
                keys = NO_KEYS;
            }
        }
    }
}
