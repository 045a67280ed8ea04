// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullMessage;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Spool;

/** Asks partitions for the rows of a pull, in as many messages as are needed. */
public final class PullWriter
{
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final int maxKeysPerPull;

    public PullWriter(final PartitionSession[] sessions, final PullRequests[] pulls, final int maxKeysPerPull)
    {
        this.sessions = sessions;
        this.pulls = pulls;
        this.maxKeysPerPull = maxKeysPerPull;
    }

    /**
     * True if there is room for all messages of a pull now.
     *
     * @throws IllegalArgumentException if there never will be.
     */
    public boolean hasRoom(final RowPlan plan)
    {
        for (int partition = 0; partition < pulls.length; partition++)
        {
            final int rows = plan.end(partition) - plan.begin(partition);
            final int messages = (rows + maxKeysPerPull - 1) / maxKeysPerPull;
            if (messages > pulls[partition].room())
            {
                if (messages > pulls[partition].maxOutstanding())
                {
                    throw new IllegalArgumentException("pull of " + rows + " rows at partition=" + partition +
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
        final PullMessage message = pulls[partition].take();
        if (null == message)
        {
            return Spool.NOT_NOW;
        }
        final RowPlan plan = request.plan();
        final int last = plan.end(partition);
        final boolean isRun = plan.isRun(index, last);
        final int end = isRun ? last : Math.min(last, index + maxKeysPerPull);
        message.of(request.spec(), isRun, request.out(), request.encoding());
        for (int i = index; i < end; i++)
        {
            message.add(plan.key(i), plan.row(i));
        }
        submit(partition, message, ticket, clock);

        return end;
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
