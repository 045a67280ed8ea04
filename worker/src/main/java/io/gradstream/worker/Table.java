// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.client.Requests;
import io.gradstream.worker.filter.PushFilter;
import io.gradstream.worker.request.PullRequest;
import io.gradstream.worker.request.PushRequest;
import org.agrona.DirectBuffer;

import java.util.BitSet;

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
    private final PushRequest push;
    private final PullRequest pull;
    private final TableSpec spec;
    private ValueEncoding pushEncoding = ValueEncoding.RAW;
    private ValueEncoding pullEncoding = ValueEncoding.RAW;
    private boolean isKeyCached;
    /** Null without filters. */
    private FilteredPushes filtered;

    Table(
        final GradstreamClient client,
        final Requests requests,
        final PushRequest push,
        final PullRequest pull,
        final TableSpec spec)
    {
        this.client = client;
        this.requests = requests;
        this.push = push;
        this.pull = pull;
        this.spec = spec;
    }

    /** The specification of this table. */
    public TableSpec spec()
    {
        return spec;
    }

    /**
     * Have servers send the rows of later pulls in an encoding of 2 bytes a float in place of 4. Rows are rounded as
     * they are sent; what servers hold stays as it is. Such rows are not kept for outages.
     *
     * @param newEncoding for pulls into floats by this handle; {@link ValueEncoding#RAW} is what a handle begins with.
     * @return this handle.
     * @throws IllegalArgumentException if the table holds longs.
     */
    public Table pullEncoding(final ValueEncoding newEncoding)
    {
        if (null != filtered)
        {
            requireZeros(filtered, checked(newEncoding));
        }
        pullEncoding = checked(newEncoding);

        return this;
    }

    /**
     * Send the gradients of later pushes in an encoding of 2 bytes a float in place of 4. The log and the messages
     * between replicas hold them so, too, except for a job with a staleness bound of 0, whose log has sums. A server
     * applies the rounded gradients.
     *
     * @param newEncoding for pushes by this handle; {@link ValueEncoding#RAW} is what a handle begins with. A finite
     *                    gradient that would be infinite causes an {@link IllegalArgumentException} when it is pushed.
     * @return this handle.
     * @throws IllegalArgumentException if the table holds longs.
     * @throws IllegalStateException    if a filter of this handle holds rows back.
     */
    public Table pushEncoding(final ValueEncoding newEncoding)
    {
        if (null != filtered)
        {
            requireNothingHeld();
            filtered.encoding(checked(newEncoding));
        }
        pushEncoding = checked(newEncoding);

        return this;
    }

    /**
     * Have servers keep the lists of keys of later pulls and pushes, so that a list which comes again need not be sent
     * again: its number takes its place. So the push of a batch does not carry the keys of its pull, nor do
     * those of the next passes over the same batches as long as the server has their keys. Only the way from the
     * worker to a server is shorter; the log and the messages between replicas hold keys. Ranges have no list.
     * <p>
     * A list is the keys of one message to one partition, in order. A pull and a push of the same keys have the same
     * lists, unless a message has room for fewer than half as many rows as keys. Worker and server keep the newest
     * lists of each partition, at most 256 and 1 MiB.
     *
     * @param isCached for pulls and pushes by this handle; false is what a handle begins with.
     * @return this handle.
     * @throws IllegalStateException if this handle has a {@link #pushFilter}, whose pushes have other keys than pulls.
     */
    public Table cacheKeys(final boolean isCached)
    {
        requireNoFilter(isCached && null != filtered);
        isKeyCached = isCached;

        return this;
    }

    /**
     * Leave rows out of later pushes by this handle, or hold them back. The client pushes what is held back when
     * {@link GradstreamClient#pushHeld()}, {@code finish}, {@code awaitAll} or {@code barrier} is called, and
     * {@code clock} pushes what is old. In a job with a staleness bound of 0, and at the end of a unit of work,
     * {@code clock} pushes all of it. It is lost with this process, as pushes are that were not made. Pulls do not show
     * it before.
     *
     * @param filters at most one of each kind; none is what a handle begins with.
     * @return this handle.
     * @throws IllegalArgumentException if a filter does not suit the table or {@link #pullEncoding}; it says why.
     * @throws IllegalStateException    if a filter of this handle holds rows back, or {@link #cacheKeys} is on; if the
     *                                  client is an observer, drops pushes, or has a slot that is backed up, in which
     *                                  only random skips are allowed.
     */
    public Table pushFilter(final PushFilter... filters)
    {
        requireNoFilter(isKeyCached && filters.length > 0);
        if (null != filtered)
        {
            requireNothingHeld();
        }
        final FilteredPushes pushes =
            0 == filters.length ? null : new FilteredPushes(client, requests, push, spec, filters);
        if (null != pushes)
        {
            requireZeros(pushes, pullEncoding);
            pushes.encoding(pushEncoding);
        }
        client.replace(filtered, pushes);
        filtered = pushes;

        return this;
    }

    /**
     * Keep pulled rows of this table in this process, and answer later pulls with them while the staleness bound of the
     * job allows it. Servers are asked for the other rows only. All handles of the table in this client use these rows
     * until the client is closed. Rows may then be older than others that the same worker has pulled before. Pulls with
     * a {@link #pullEncoding} go the whole way, and their rows are not kept.
     *
     * @param maxBytes  of the rows, and 64 bytes for each; beyond it rows that no pull has used lately make room.
     * @param ownPushes when these rows show what this worker pushes.
     * @return this table.
     * @throws IllegalArgumentException if not one row has room.
     * @throws IllegalStateException    if the job has no staleness bound of 1 or more, the table is cached already, or
     *                                  the client is an observer or has a slot that is backed up.
     */
    public Table cacheRows(final long maxBytes, final OwnPushes ownPushes)
    {
        requests.cacheRows(spec, maxBytes, ownPushes, client.consistency());
        return this;
    }

    /** Hold back so many rows at most, which are no more than otherwise. There is a filter. */
    Table maxHeld(final int rows)
    {
        filtered.maxHeld(rows);
        return this;
    }

    /** The rows of the last push by any handle, by their index in the call, that stay pushed although it failed. */
    BitSet rowsPushed()
    {
        return null == filtered ? push.rowsWritten() : filtered.rowsPushed();
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
        return null != filtered ? filtered.push(keys, from, count, gradients, false) :
            requests.push(gradients(keys, from, count).values(gradients), client.nowNs());
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
        return requests.push(gradients(keys, from, count).values(values), client.nowNs());
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
        return null != filtered ? filtered.push(keys, from, count, values, offset) :
            requests.push(gradients(keys, from, count).values(values, offset), client.nowNs());
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
        return null != filtered ? filtered.pushRange(begin, rows, gradients, false) :
            requests.push(gradientsOfRange(begin, rows).values(gradients), client.nowNs());
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
        return requests.push(gradientsOfRange(begin, rows).values(values), client.nowNs());
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
        return null != filtered ? filtered.pushRange(begin, rows, values, offset) :
            requests.push(gradientsOfRange(begin, rows).values(values, offset), client.nowNs());
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
        return null != filtered ? filtered.push(keys, from, count, gradients, true) :
            requests.tryPush(gradients(keys, from, count).values(gradients), client.nowNs());
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
        return null != filtered ? filtered.pushRange(begin, rows, gradients, true) :
            requests.tryPush(gradientsOfRange(begin, rows).values(gradients), client.nowNs());
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
        return requests.tryPush(gradients(keys, from, count).values(values), client.nowNs());
    }

    /**
     * Ask for rows; they reflect every push made before, except what filters hold back of it. Waits while too many
     * pulls are outstanding.
     *
     * @param keys  of rows.
     * @param count of keys, from index 0.
     * @param out   filled with count * dim elements when the ticket is done. Until then rows may be written to it at
     *              any time, unless this call throws.
     * @return ticket.
     * @throws OperationTimeoutException if earlier pulls are not answered in time.
     */
    public long pull(final long[] keys, final int count, final float[] out)
    {
        return requests.pull(rowsOf(keys, count).as(pullEncoding).into(out), client.nowNs());
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
        return requests.pull(rowsOf(keys, count).into(out), client.nowNs());
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
        return requests.pull(pull.ofRange(spec, begin, rows).as(pullEncoding).into(out), client.nowNs());
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
        return requests.pull(pull.ofRange(spec, begin, rows).into(out), client.nowNs());
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
        return requests.tryPull(rowsOf(keys, count).as(pullEncoding).into(out), client.nowNs());
    }

    /**
     * Pull rows and wait for them.
     *
     * @param keys  of rows.
     * @param count of keys, from index 0.
     * @param out   filled with count * dim elements. If this call throws, some of them may be written, and none will be
     *              later.
     * @throws OperationTimeoutException if they do not come in time.
     */
    public void pullAndAwait(final long[] keys, final int count, final float[] out)
    {
        await(pull(keys, count, out));
    }

    /**
     * Pull consecutive rows and wait for them; as {@link #pullAndAwait}.
     *
     * @param begin key of the first row.
     * @param rows  count.
     * @param out   filled with rows * dim elements.
     */
    public void pullRangeAndAwait(final long begin, final int rows, final float[] out)
    {
        await(pullRange(begin, rows, out));
    }

    private void await(final long pulled)
    {
        boolean isDone = false;
        try
        {
            client.await(pulled);
            isDone = true;
        }
        finally
        {
            if (!isDone)
            {
                requests.giveBack(pulled);
            }
        }
    }

    private PushRequest gradients(final long[] keys, final int from, final int count)
    {
        return push.of(spec, keys, from, count).as(pushEncoding).cacheKeys(isKeyCached);
    }

    private PullRequest rowsOf(final long[] keys, final int count)
    {
        return pull.of(spec, keys, 0, count).cacheKeys(isKeyCached, pushEncoding);
    }

    private PushRequest gradientsOfRange(final long begin, final int rows)
    {
        return push.ofRange(spec, begin, rows).as(pushEncoding);
    }

    private void requireNoFilter(final boolean isContradiction)
    {
        if (isContradiction)
        {
            throw new IllegalStateException("cacheKeys(true) contradicts pushFilter at one handle of table '" +
                spec.name() + "': pushes after a filter have other keys each time, and nothing would be saved; use a" +
                " handle without filters for pulls");
        }
    }

    private void requireNothingHeld()
    {
        if (!filtered.isEmpty())
        {
            throw new IllegalStateException("a filter of table '" + spec.name() + "' holds back " +
                filtered.rowsHeld() + " rows: call pushHeld() of the client first");
        }
    }

    private void requireZeros(final FilteredPushes pushes, final ValueEncoding pulled)
    {
        if (pushes.looksAtZeros() && ValueEncoding.FLOAT16 == pulled)
        {
            throw new IllegalArgumentException("table '" + spec.name() + "': filter " + PushFilter.KKT +
                " contradicts pullEncoding FLOAT16, in which small weights are pulled as 0; pull RAW or BFLOAT16");
        }
    }

    private ValueEncoding checked(final ValueEncoding encoding)
    {
        if (ElementType.FLOAT32 != spec.elementType() && ValueEncoding.RAW != encoding)
        {
            throw new IllegalArgumentException("table '" + spec.name() + "' holds " + spec.elementType() +
                ": only floats have the encoding " + encoding);
        }

        return encoding;
    }
}
