// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.WireFrames;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.cache.CachedRows;
import io.gradstream.worker.cache.ProcessCache;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullMessage;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Spool;

/**
 * Asks partitions for the rows of a pull, in as many messages as are needed. Rows that the process cache has are not
 * asked for.
 */
public final class PullWriter
{
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final ProcessCache cache;
    private final int maxKeysPerPull;
    private final PushWriter pushWriter;

    public PullWriter(
        final PartitionSession[] sessions,
        final PullRequests[] pulls,
        final ProcessCache cache,
        final int maxKeysPerPull,
        final PushWriter pushWriter)
    {
        this.pushWriter = pushWriter;
        this.sessions = sessions;
        this.pulls = pulls;
        this.cache = cache;
        this.maxKeysPerPull = maxKeysPerPull;
    }

    /**
     * True if there is room for all messages of a pull now.
     *
     * @throws IllegalArgumentException if there never will be.
     */
    public boolean hasRoom(final PullRequest request)
    {
        final RowPlan plan = request.plan();
        for (int partition = 0; partition < pulls.length; partition++)
        {
            final int messages = messages(request, partition, keysPerPull(request, partition));
            if (messages > pulls[partition].room())
            {
                if (messages > pulls[partition].maxOutstanding())
                {
                    throw new IllegalArgumentException("pull of " +
                        (plan.end(partition) - plan.begin(partition)) + " rows at partition=" + partition +
                        " needs " + messages + " messages at once: pull fewer rows, or raise maxPullsPerPartition");
                }
                return false;
            }
        }

        return true;
    }

    /**
     * Ask a partition for the next rows.
     *
     * @param index of the first of them in the plan.
     * @param clock iterations before the one that they are for.
     * @return index of the first row after them, or {@link Spool#NOT_NOW} if too many pulls are outstanding.
     */
    public int write(
        final PullRequest request, final int index, final int partition, final long ticket, final long clock)
    {
        final CachedRows cached = cachedRows(request, partition);

        return null == cached ? ask(request, index, partition, ticket, clock) :
            takeOrAsk(cached, request, index, partition, ticket, clock);
    }

    /** The cache from which rows may be taken, or null. */
    private CachedRows cachedRows(final PullRequest request, final int partition)
    {
        // rounded rows would answer pulls that ask for all bits
        final boolean isCacheable =
            ValueEncoding.RAW == request.encoding() && cache.isBounded() && !sessions[partition].isSequential();

        return isCacheable ? cache.of(request.spec().tableId()) : null;
    }

    private int ask(
        final PullRequest request, final int index, final int partition, final long ticket, final long clock)
    {
        final PullMessage message = pulls[partition].take();
        if (null == message)
        {
            return Spool.NOT_NOW;
        }
        final RowPlan plan = request.plan();
        final int last = plan.end(partition);
        final boolean isRun = plan.isRun(index, last);
        final int end = isRun ? last : Math.min(last, index + keysPerPull(request, partition));
        message.of(request.spec(), isRun, request.out(), request.encoding());
        if (request.isKeyCached())
        {
            message.cacheKeys(plan.keyForm(partition), plan.leastKey(partition));
        }
        message.show(cache.norms(request.spec().tableId()));
        for (int i = index; i < end; i++)
        {
            message.add(plan.key(i), plan.row(i));
        }
        submit(partition, message, ticket, clock);

        return end;
    }

    private static int messages(final PullRequest request, final int partition, final int keysPerPull)
    {
        final int rows = request.plan().end(partition) - request.plan().begin(partition);

        return (rows + keysPerPull - 1) / keysPerPull;
    }

    /**
     * Most keys of one message. Where keys are cached they are as many as those of a part of a push, so that both have
     * the same lists. They are not if so few keys, of long rows, would make many more messages, or more than may be
     * outstanding.
     */
    private int keysPerPull(final PullRequest request, final int partition)
    {
        final boolean isCutAsPush = request.isKeyCached() && null == cachedRows(request, partition);
        final int ofPush = !isCutAsPush ? 0 : Math.min(WireFrames.MAX_PULL_ROWS,
            pushWriter.rowsOfPart(request.plan().keyForm(partition), request.pushedRowLength()));

        return ofPush > maxKeysPerPull / 2 &&
            messages(request, partition, ofPush) <= pulls[partition].maxOutstanding() ? ofPush : maxKeysPerPull;
    }

    /**
     * Take the next rows that may answer from the cache, and ask for the others.
     *
     * @return as {@link #write}.
     */
    private int takeOrAsk(
        final CachedRows cached,
        final PullRequest request,
        final int index,
        final int partition,
        final long ticket,
        final long clock)
    {
        final RowPlan plan = request.plan();
        final int dim = request.spec().dim();
        final int end = Math.min(plan.end(partition), index + maxKeysPerPull);
        PullMessage message = null;
        int asked = 0;
        long leastClock = Consistency.FINISHED;
        int i = index;
        while (i < end)
        {
            final long minClock = cached.take(partition, plan.key(i), clock, request.out(), plan.row(i) * dim);
            if (CachedRows.UNKNOWN == minClock)
            {
                message = null == message ? pulls[partition].take() : message;
                if (null == message)
                {
                    break;
                }
                message.add(plan.key(i), plan.row(i));
                asked++;
            }
            else
            {
                leastClock = Math.min(leastClock, minClock);
            }
            i++;
        }
        if (asked < i - index && Consistency.FINISHED != clock)
        {
            pulls[partition].onCachedRows(ticket, clock - leastClock);
        }
        if (null != message)
        {
            message.of(request.spec(), asked == i - index && plan.isRun(index, i), request.out(), request.encoding());
            message.show(cache.norms(request.spec().tableId()));
            message.enter(cached);
            cached.onFetched(asked);
            submit(partition, message, ticket, clock);
        }

        return i > index ? i : Spool.NOT_NOW;
    }

    /** Ask a partition for rows of a system table, read as they are; false if too many pulls are outstanding. */
    public boolean writeSystem(
        final int partition, final TableSpec spec, final long[] keys, final long[] out, final long ticket)
    {
        final PullMessage message = pulls[partition].take();
        if (null == message)
        {
            return false;
        }
        message.of(spec, false, out, ValueEncoding.RAW);
        for (int i = 0; i < keys.length; i++)
        {
            message.add(keys[i], i);
        }
        submit(partition, message, ticket, 0);

        return true;
    }

    private void submit(
        final int partition, final PullMessage message, final long ticket, final long readClock)
    {
        message.encode(Math.max(0, sessions[partition].lastSequence()), readClock);
        pulls[partition].submit(message, ticket);
    }
}
