// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.client.Requests;
import org.agrona.DirectBuffer;

/**
 * A table as a worker sees it: push gradients for rows, pull rows.
 * <p>
 * Gradients and rows are row-major: row i of the call takes elements [i * dim, (i + 1) * dim). Keys need not be sorted,
 * and a key that appears twice is applied twice, in order. Dimension, keys and finiteness are checked before anything
 * is pushed; a wrong one causes an {@link IllegalArgumentException} that names the value. Gradients are copied by the
 * call. An observer's push, and every call after the client was closed, causes an {@link IllegalStateException}. Calls
 * return a ticket for {@link GradstreamClient#await(long)}. Under {@code SpoolPolicy.DROP_NEWEST} a push that finds a
 * spool full is not made, is counted, and returns {@link GradstreamClient#NOT_NOW}.
 */
public final class Table
{
    private final GradstreamClient client;
    private final Requests requests;
    private final TableSpec spec;

    Table(final GradstreamClient client, final Requests requests, final TableSpec spec)
    {
        this.client = client;
        this.requests = requests;
        this.spec = spec;
    }

    /**
     * The specification of this table.
     *
     * @return specification.
     */
    public TableSpec spec()
    {
        return spec;
    }

    /**
     * Push gradients of floats; waits while spools are full.
     *
     * @param keys      of rows.
     * @param from      index of the first key.
     * @param count     of keys.
     * @param gradients count * dim elements; those of keys[from] begin at 0.
     * @return ticket.
     * @throws OperationTimeoutException if there is no room in time; parts that found room stay pushed.
     */
    public long push(final long[] keys, final int from, final int count, final float[] gradients)
    {
        requests.plan().ofKeys(spec, keys, from, count);
        requests.source().of(gradients);
        return requests.pushBlocking(spec, count, client.nowNs());
    }

    /**
     * As {@link #push(long[], int, int, float[])} with all keys.
     *
     * @param keys      of rows.
     * @param gradients keys.length * dim elements.
     * @return ticket.
     */
    public long push(final long[] keys, final float[] gradients)
    {
        return push(keys, 0, keys.length, gradients);
    }

    /**
     * As {@link #push(long[], int, int, float[])} for a table of longs.
     *
     * @param keys   of rows.
     * @param from   index of the first key.
     * @param count  of keys.
     * @param values count * dim elements.
     * @return ticket.
     */
    public long push(final long[] keys, final int from, final int count, final long[] values)
    {
        requests.plan().ofKeys(spec, keys, from, count);
        requests.source().of(values);
        return requests.pushBlocking(spec, count, client.nowNs());
    }

    /**
     * As {@link #push(long[], int, int, float[])} from a buffer of raw little-endian elements.
     *
     * @param keys   of rows.
     * @param from   index of the first key.
     * @param count  of keys.
     * @param values count * dim elements.
     * @param offset of the first element.
     * @return ticket.
     */
    public long push(
        final long[] keys, final int from, final int count, final DirectBuffer values, final int offset)
    {
        requests.plan().ofKeys(spec, keys, from, count);
        requests.source().of(values, offset);
        return requests.pushBlocking(spec, count, client.nowNs());
    }

    /**
     * Push gradients of consecutive rows; waits while spools are full.
     *
     * @param begin     key of the first row.
     * @param rows      count.
     * @param gradients rows * dim elements.
     * @return ticket.
     */
    public long pushRange(final long begin, final int rows, final float[] gradients)
    {
        requests.plan().ofRange(spec, begin, rows);
        requests.source().of(gradients);
        return requests.pushBlocking(spec, rows, client.nowNs());
    }

    /**
     * As {@link #pushRange(long, int, float[])} for a table of longs.
     *
     * @param begin  key of the first row.
     * @param rows   count.
     * @param values rows * dim elements.
     * @return ticket.
     */
    public long pushRange(final long begin, final int rows, final long[] values)
    {
        requests.plan().ofRange(spec, begin, rows);
        requests.source().of(values);
        return requests.pushBlocking(spec, rows, client.nowNs());
    }

    /**
     * As {@link #pushRange(long, int, float[])} from a buffer of raw little-endian elements.
     *
     * @param begin  key of the first row.
     * @param rows   count.
     * @param values rows * dim elements.
     * @param offset of the first element.
     * @return ticket.
     */
    public long pushRange(final long begin, final int rows, final DirectBuffer values, final int offset)
    {
        requests.plan().ofRange(spec, begin, rows);
        requests.source().of(values, offset);
        return requests.pushBlocking(spec, rows, client.nowNs());
    }

    /**
     * Push all of the rows if there is room now, else none.
     *
     * @param keys      of rows.
     * @param from      index of the first key.
     * @param count     of keys.
     * @param gradients count * dim elements.
     * @return ticket, or {@link GradstreamClient#NOT_NOW}.
     */
    public long tryPush(final long[] keys, final int from, final int count, final float[] gradients)
    {
        requests.plan().ofKeys(spec, keys, from, count);
        requests.source().of(gradients);
        return requests.tryPush(spec, count, client.nowNs());
    }

    /**
     * Push all of consecutive rows if there is room now, else none.
     *
     * @param begin     key of the first row.
     * @param rows      count.
     * @param gradients rows * dim elements.
     * @return ticket, or {@link GradstreamClient#NOT_NOW}.
     */
    public long tryPushRange(final long begin, final int rows, final float[] gradients)
    {
        requests.plan().ofRange(spec, begin, rows);
        requests.source().of(gradients);
        return requests.tryPush(spec, rows, client.nowNs());
    }

    /**
     * As {@link #tryPush(long[], int, int, float[])} for a table of longs.
     *
     * @param keys   of rows.
     * @param from   index of the first key.
     * @param count  of keys.
     * @param values count * dim elements.
     * @return ticket, or {@link GradstreamClient#NOT_NOW}.
     */
    public long tryPush(final long[] keys, final int from, final int count, final long[] values)
    {
        requests.plan().ofKeys(spec, keys, from, count);
        requests.source().of(values);
        return requests.tryPush(spec, count, client.nowNs());
    }

    /**
     * Ask for rows; they reflect every push made before. Waits while too many pulls are outstanding.
     *
     * @param keys  of rows.
     * @param count of keys, from index 0.
     * @param out   filled with count * dim elements when the ticket is done.
     * @return ticket.
     */
    public long pull(final long[] keys, final int count, final float[] out)
    {
        checkOut(ElementType.FLOAT32, count, out.length);
        requests.plan().ofKeys(spec, keys, 0, count);
        return requests.pullBlocking(spec, out, null, client.nowNs());
    }

    /**
     * As {@link #pull(long[], int, float[])} for a table of longs.
     *
     * @param keys  of rows.
     * @param count of keys, from index 0.
     * @param out   filled with count * dim elements when the ticket is done.
     * @return ticket.
     */
    public long pull(final long[] keys, final int count, final long[] out)
    {
        checkOut(ElementType.INT64, count, out.length);
        requests.plan().ofKeys(spec, keys, 0, count);
        return requests.pullBlocking(spec, null, out, client.nowNs());
    }

    /**
     * Ask for consecutive rows; as {@link #pull(long[], int, float[])}.
     *
     * @param begin key of the first row.
     * @param rows  count.
     * @param out   filled with rows * dim elements when the ticket is done.
     * @return ticket.
     */
    public long pullRange(final long begin, final int rows, final float[] out)
    {
        checkOut(ElementType.FLOAT32, rows, out.length);
        requests.plan().ofRange(spec, begin, rows);
        return requests.pullBlocking(spec, out, null, client.nowNs());
    }

    /**
     * As {@link #pullRange(long, int, float[])} for a table of longs.
     *
     * @param begin key of the first row.
     * @param rows  count.
     * @param out   filled with rows * dim elements when the ticket is done.
     * @return ticket.
     */
    public long pullRange(final long begin, final int rows, final long[] out)
    {
        checkOut(ElementType.INT64, rows, out.length);
        requests.plan().ofRange(spec, begin, rows);
        return requests.pullBlocking(spec, null, out, client.nowNs());
    }

    /**
     * Ask for rows if there is room now.
     *
     * @param keys  of rows.
     * @param count of keys, from index 0.
     * @param out   filled with count * dim elements when the ticket is done.
     * @return ticket, or {@link GradstreamClient#NOT_NOW}.
     */
    public long tryPull(final long[] keys, final int count, final float[] out)
    {
        checkOut(ElementType.FLOAT32, count, out.length);
        requests.plan().ofKeys(spec, keys, 0, count);
        return requests.tryPull(spec, out, null, client.nowNs());
    }

    /**
     * Pull rows and wait for them.
     *
     * @param keys  of rows.
     * @param count of keys, from index 0.
     * @param out   filled with count * dim elements.
     */
    public void pullAndAwait(final long[] keys, final int count, final float[] out)
    {
        client.await(pull(keys, count, out));
    }

    /**
     * Pull consecutive rows and wait for them.
     *
     * @param begin key of the first row.
     * @param rows  count.
     * @param out   filled with rows * dim elements.
     */
    public void pullRangeAndAwait(final long begin, final int rows, final float[] out)
    {
        client.await(pullRange(begin, rows, out));
    }

    private void checkOut(final ElementType elementType, final int rows, final int length)
    {
        if (elementType != spec.elementType())
        {
            throw new IllegalArgumentException("table '" + spec.name() + "' holds " + spec.elementType());
        }
        if (length < (long)rows * spec.dim())
        {
            throw new IllegalArgumentException("invalid out.length=" + length + ": " + rows + " rows of " +
                spec.dim() + " need " + (long)rows * spec.dim());
        }
    }
}
