// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.cache.PulledNorms;
import io.gradstream.worker.client.Requests;
import io.gradstream.worker.filter.FilterCounts;
import io.gradstream.worker.filter.InfiniteGradientException;
import io.gradstream.worker.filter.PushFilter;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.session.Tickets;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The pushes of a table's handle after its filters, and the sum of what these hold back.
 * <p>
 * Nothing changes before a push is made: which rows are left out is decided on copies. If partitions ran out of room on
 * the way, what is held back of the rows that were pushed is forgotten, and all else is as before.
 */
final class FilteredPushes
{
    /** Most floats, and most rows, that a handle holds back. A row beyond is pushed. */
    private static final int MAX_FLOATS = 1 << 26;
    private static final int MAX_ROWS = 1 << 20;

    private final GradstreamClient client;
    private final Requests requests;
    private final PushRequest push;
    private final TableSpec spec;
    private final int dim;
    private int maxHeld;
    private final PushFilter.Significant significant;
    private final PushFilter.RandomSkip skip;
    private final PushFilter.Kkt kkt;
    private final float mostAtZero;
    /** Null without a filter that looks at rows. */
    private final PulledNorms norms;
    private final GradientSum held;
    /** By row of what is held: the iteration of its first gradient. */
    private long[] since = new long[0];
    /** The rows of a call that pass the first filters, each once. */
    private final GradientSum call;
    private final float[] sum;
    private final Rows passed = new Rows();
    private final Rows kept = new Rows();
    private final Rows sent = new Rows();
    /** The rows of the push, by their index in it, that are nothing but what was held back of them. */
    private final BitSet alone = new BitSet();
    private final BitSet rowsPushed = new BitSet();
    private ValueEncoding encoding = ValueEncoding.RAW;
    private long rowsHeld;
    private long heldBytesSaved;
    private long rowsSkipped;
    private long skippedBytesSaved;
    private long rowsAtZero;
    private long zeroBytesSaved;
    private long clock;
    private int pushesOfClock;
    private long pushes;
    /** Parts of pushes that only {@link #release} has made. */
    private long partsReleased;
    private int skipped;
    private int atZero;
    private long[] rangeKeys = new long[0];
    private float[] ofBuffer = new float[0];

    FilteredPushes(
        final GradstreamClient client,
        final Requests requests,
        final PushRequest push,
        final TableSpec spec,
        final PushFilter... filters)
    {
        this.client = client;
        this.requests = requests;
        this.push = push;
        this.spec = spec;
        dim = spec.dim();
        maxHeld = Math.min(MAX_ROWS, MAX_FLOATS / dim);
        significant = only(PushFilter.Significant.class, filters);
        skip = only(PushFilter.RandomSkip.class, filters);
        kkt = only(PushFilter.Kkt.class, filters);
        for (final PushFilter filter : filters)
        {
            final String problem = filter.problem(spec);
            if (null != problem)
            {
                throw new IllegalArgumentException("table '" + spec.name() + "': " + problem);
            }
            requests.requireFilter(
                filter.toString(), significant == filter, !(filter instanceof PushFilter.RandomSkip));
        }
        sum = new float[dim];
        mostAtZero = null == kkt ? 0 : kkt.most(spec.function());
        norms = null == significant && null == kkt ? null : requests.cache().addNorms(spec);
        held = null == significant ? null : new GradientSum(dim, maxHeld);
        call = null == significant ? null : new GradientSum(dim, (Integer.MAX_VALUE - 8) / dim);
    }

    private static <T extends PushFilter> T only(final Class<T> kind, final PushFilter... filters)
    {
        T found = null;
        for (final PushFilter filter : filters)
        {
            if (kind.isInstance(filter))
            {
                if (null != found)
                {
                    throw new IllegalArgumentException("filters " + found + " and " + filter + " are of one kind");
                }
                found = kind.cast(filter);
            }
        }

        return found;
    }

    /** True if a filter asks whether a pulled row is 0. */
    boolean looksAtZeros()
    {
        return null != kkt;
    }

    /** True if nothing is held back. */
    boolean isEmpty()
    {
        return null == held || held.isEmpty();
    }

    /** Rows that are held back now. */
    int rowsHeld()
    {
        return null == held ? 0 : held.rows();
    }

    /**
     * Pushes that were made, also those of which nothing was sent, less the parts that {@link #release} has sent. The
     * sum of this number and of all parts of the client changes with the caller's pushes alone.
     */
    long pushes()
    {
        return pushes - partsReleased;
    }

    /** Counts of the rows that were left out of pushes. */
    FilterCounts counts()
    {
        return new FilterCounts(
            rowsHeld, heldBytesSaved, rowsSkipped, skippedBytesSaved, rowsAtZero, zeroBytesSaved);
    }

    /** The rows of the last call, by their index there, that stay pushed although it failed. */
    BitSet rowsPushed()
    {
        return rowsPushed;
    }

    /** Hold back so many rows at most, which are no more than otherwise. */
    void maxHeld(final int rows)
    {
        maxHeld = rows;
    }

    /** How gradients are sent from here on. */
    void encoding(final ValueEncoding newEncoding)
    {
        encoding = newEncoding;
    }

    /** Push the gradients of consecutive rows. */
    long pushRange(final long begin, final int rows, final float[] gradients, final boolean isPolled)
    {
        push.ofRange(spec, begin, rows).values(gradients);
        return push(range(begin, rows), 0, rows, gradients, isPolled);
    }

    /** Push the gradients of consecutive rows out of a buffer. */
    long pushRange(final long begin, final int rows, final DirectBuffer values, final int offset)
    {
        push.ofRange(spec, begin, rows).values(values, offset);
        return push(range(begin, rows), 0, rows, floats(values, offset, rows), false);
    }

    /** Push gradients out of a buffer. */
    long push(final long[] keys, final int from, final int count, final DirectBuffer values, final int offset)
    {
        push.of(spec, keys, from, count).values(values, offset);
        return push(keys, from, count, floats(values, offset, count), false);
    }

    /**
     * Push those of the gradients that the filters let through.
     *
     * @param isPolled true to push nothing, and return {@link GradstreamClient#NOT_NOW}, where there is no room now.
     * @return ticket; it is done where nothing is left to push.
     */
    long push(
        final long[] keys, final int from, final int count, final float[] gradients, final boolean isPolled)
    {
        rowsPushed.clear();
        // as it would be refused without filters
        push.of(spec, keys, from, count).as(encoding).values(gradients).release();
        requests.requireUnderWay();
        if (clock != client.clocksDone())
        {
            clock = client.clocksDone();
            pushesOfClock = 0;
        }
        select(keys, from, count, gradients);
        if (null != significant && !isPolled)
        {
            addOld();
        }
        if (sent.size > 0)
        {
            final long ticket = sendOf(keys, from, count, isPolled);
            if (GradstreamClient.NOT_NOW != ticket)
            {
                commit();
            }
            return ticket;
        }
        commit();

        return Tickets.NONE;
    }

    /**
     * Push the sums of rows that are held back since an iteration, or one before it.
     *
     * @throws OperationTimeoutException if there is no room in time; rows that found none are still held back.
     */
    void release(final long through)
    {
        sent.size = 0;
        alone.clear();
        for (int i = 0, rows = rowsHeld(); i < rows; i++)
        {
            if (since[i] <= through)
            {
                addAlone(i);
            }
        }
        if (sent.size > 0)
        {
            final long partsBefore = client.pushesSent();
            try
            {
                send(false);
                forgetSent();
            }
            catch (final RuntimeException ex)
            {
                forgetWritten();
                throw ex;
            }
            finally
            {
                partsReleased += client.pushesSent() - partsBefore;
            }
        }
    }

    /** Push the sums of rows that may not be held back for longer than the iteration that is about to end. */
    void releaseOld(final long ending)
    {
        if (null != significant)
        {
            release(ending - significant.age());
        }
    }

    private void select(final long[] keys, final int from, final int count, final float[] gradients)
    {
        skipped = 0;
        atZero = 0;
        alone.clear();
        kept.size = 0;
        sent.size = 0;
        passed.size = 0;
        final float factor = null == skip ? 1 : skip.factor();
        final Rows first = null == significant ? sent : passed;
        for (int i = 0; i < count; i++)
        {
            final long key = keys[from + i];
            if (null != kkt && staysAtZero(key, gradients, i * dim))
            {
                atZero++;
            }
            else if (null != skip && skip.skips(spec.tableId(), key, client.slot(), clock, pushesOfClock))
            {
                skipped++;
            }
            else
            {
                first.add(key, gradients, i * dim, factor);
            }
        }
        if (null != significant)
        {
            holdBack();
        }
    }

    /**
     * Add what would have to be pushed before the iteration ends: a push of its own would be another message. A push
     * that is made whole or not at all stays as small as the caller has made it, so that it fits a spool.
     */
    private void addOld()
    {
        for (int i = 0, rows = held.rows(); 0 == pushesOfClock && i < rows; i++)
        {
            if (isOld(i) && call.indexOf(held.keys()[i]) < 0)
            {
                addAlone(i);
            }
        }
    }

    /** Add to the push what is held of a row, and nothing else. */
    private void addAlone(final int index)
    {
        alone.set(sent.size);
        sent.add(held.keys()[index], held.gradients(), index * dim, 1);
    }

    /** True if what is held of a row must be pushed before the iteration under way ends. */
    private boolean isOld(final int index)
    {
        return since[index] <= clock - significant.age();
    }

    private boolean staysAtZero(final long key, final float[] gradients, final int at)
    {
        boolean isSmall = 0 == norms.of(key);
        for (int i = at; isSmall && i < at + dim; i++)
        {
            isSmall = Math.abs(gradients[i]) <= mostAtZero;
        }

        return isSmall;
    }

    private void holdBack()
    {
        call.clear();
        call.add(passed.keys, 0, passed.size, passed.floats);
        int room = maxHeld - held.rows();
        for (int i = 0; i < call.rows(); i++)
        {
            final long key = call.keys()[i];
            final int index = held.indexOf(key);
            System.arraycopy(call.gradients(), i * dim, sum, 0, dim);
            for (int j = 0; j < dim; j++)
            {
                sum[j] = index < 0 ? sum[j] : held.gradients()[index * dim + j] + sum[j];
            }
            final boolean isKeepable = firstInfinite(sum, 0, dim) < 0;
            final double known = norms.of(key);
            final boolean isDue = index < 0 ? 0 == room : 0 == pushesOfClock && isOld(index);
            if (!isKeepable && index >= 0 && firstInfinite(call.gradients(), i * dim, dim) < 0)
            {
                // each of the two can be pushed, but not their sum: what is new takes the place of what is held
                addAlone(index);
                kept.add(key, call.gradients(), i * dim, 1);
            }
            else if (!isKeepable || isDue || significant.isSignificant(
                PulledNorms.norm(sum, 0, dim), Double.isNaN(known) ? norms.mean() : known))
            {
                sent.add(key, sum, 0, 1);
            }
            else
            {
                room -= index < 0 ? 1 : 0;
                kept.add(key, call.gradients(), i * dim, 1);
            }
        }
    }

    /** Index, after the first one, of a float that would be infinite as it is sent; below 0 if there is none. */
    private int firstInfinite(final float[] floats, final int from, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (!encoding.keepsFinite(floats[from + i]))
            {
                return i;
            }
        }

        return -1;
    }

    private long sendOf(final long[] keys, final int from, final int count, final boolean isPolled)
    {
        try
        {
            return send(isPolled);
        }
        catch (final RuntimeException ex)
        {
            final BitSet written = push.rowsWritten();
            final LongHashSet writtenKeys = new LongHashSet();
            written.andNot(alone);
            written.stream().forEach((i) -> writtenKeys.add(sent.keys[i]));
            for (int i = 0; i < count; i++)
            {
                rowsPushed.set(i, writtenKeys.contains(keys[from + i]));
            }
            forgetWritten();
            throw ex;
        }
    }

    private long send(final boolean isPolled)
    {
        try
        {
            push.of(spec, sent.keys, 0, sent.size).as(encoding).values(sent.floats);
        }
        catch (final IllegalArgumentException ex)
        {
            final int index = firstInfinite(sent.floats, 0, sent.size * dim);
            throw index < 0 ? ex : new InfiniteGradientException(infiniteText(index), ex);
        }
        return isPolled ? requests.tryPush(push, client.nowNs()) : requests.push(push, client.nowNs());
    }

    /** The caller's gradients were all right: filters have made others of them. */
    private String infiniteText(final int index)
    {
        return "table '" + spec.name() + "': gradient " + sent.floats[index] + " of key=" + sent.keys[index / dim] +
            " element " + (index % dim) + " is infinite" + (ValueEncoding.RAW == encoding ? "" : " as " + encoding) +
            ", after filter " + (null == skip ? significant + " has added up those of the key in one push" :
            skip + " has multiplied it by " + skip.factor()) + ": push " +
            switch (encoding)
            {
                case FLOAT16 -> "BFLOAT16 or RAW, or ";
                case BFLOAT16 -> "RAW, or ";
                case RAW -> "";
            } + "smaller gradients";
    }

    /** The push is made. */
    private void commit()
    {
        pushesOfClock++;
        pushes++;
        rowsHeld += kept.size;
        heldBytesSaved += (long)kept.size * rowBytes();
        rowsSkipped += skipped;
        skippedBytesSaved += (long)skipped * rowBytes();
        rowsAtZero += atZero;
        zeroBytesSaved += (long)atZero * rowBytes();
        if (null == held)
        {
            return;
        }
        forgetSent();
        final int before = held.rows();
        held.add(kept.keys, 0, kept.size, kept.floats);
        if (since.length < held.rows())
        {
            since = Arrays.copyOf(since, Math.max(held.rows(), 2 * since.length));
        }
        Arrays.fill(since, before, held.rows(), clock);
    }

    private void forgetSent()
    {
        for (int i = 0; i < sent.size; i++)
        {
            forget(sent.keys[i]);
        }
        heldBytesSaved -= (long)alone.cardinality() * rowBytes();
    }

    /** Forget what is held of the rows of a push that are in spools although it failed. */
    private void forgetWritten()
    {
        final BitSet written = push.rowsWritten();
        written.stream().forEach((i) -> forget(sent.keys[i]));
        written.and(alone);
        heldBytesSaved -= (long)written.cardinality() * rowBytes();
    }

    private void forget(final long key)
    {
        final int index = null == held ? -1 : held.indexOf(key);
        if (index >= 0)
        {
            held.remove(index);
            since[index] = since[held.rows()];
        }
    }

    private int rowBytes()
    {
        return ValueEncoding.RAW == encoding ? spec.valuesLength() : dim * encoding.elementLength();
    }

    private long[] range(final long begin, final int rows)
    {
        rangeKeys = rangeKeys.length < rows ? new long[rows] : rangeKeys;
        for (int i = 0; i < rows; i++)
        {
            rangeKeys[i] = begin + i;
        }

        return rangeKeys;
    }

    private float[] floats(final DirectBuffer values, final int offset, final int rows)
    {
        final int elements = rows * dim;
        ofBuffer = ofBuffer.length < elements ? new float[elements] : ofBuffer;
        for (int i = 0; i < elements; i++)
        {
            ofBuffer[i] = values.getFloat(offset + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
        }

        return ofBuffer;
    }

    /** Rows one after the other, in arrays that grow. */
    private final class Rows
    {
        private long[] keys = new long[0];
        private float[] floats = new float[0];
        private int size;

        private void add(final long key, final float[] from, final int at, final float factor)
        {
            if (size == keys.length)
            {
                final int grown = Math.max(64, 2 * size);
                keys = Arrays.copyOf(keys, grown);
                floats = Arrays.copyOf(floats, Math.multiplyExact(grown, dim));
            }
            keys[size] = key;
            for (int i = 0, to = size * dim; i < dim; i++)
            {
                floats[to + i] = factor * from[at + i];
            }
            size++;
        }
    }
}
