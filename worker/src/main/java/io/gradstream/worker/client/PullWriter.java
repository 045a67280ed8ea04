// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequest;
import io.gradstream.worker.session.PullRequests;

import java.util.function.BooleanSupplier;

/** Asks partitions for the rows of a pull, in as many messages as are needed. */
final class PullWriter
{
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final int maxKeysPerPull;
    private final Wait wait;
    // a field, so that waiting captures nothing
    private PullRequests waitingPulls;
    private final BooleanSupplier isPullFree = this::isPullFree;

    PullWriter(
        final PartitionSession[] sessions,
        final PullRequests[] pulls,
        final int maxKeysPerPull,
        final Wait wait)
    {
        this.sessions = sessions;
        this.pulls = pulls;
        this.maxKeysPerPull = maxKeysPerPull;
        this.wait = wait;
    }

    /**
     * True if there is room for all messages of a pull now.
     *
     * @throws IllegalArgumentException if there never will be.
     */
    boolean hasRoom(final RowPlan plan)
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

    /** Pull the rows of the plan into one of two arrays, for an iteration. */
    void write(
        final TableSpec spec,
        final RowPlan plan,
        final float[] floats,
        final long[] longs,
        final long ticket,
        final long readClock)
    {
        for (int partition = 0; partition < pulls.length; partition++)
        {
            final int end = plan.end(partition);
            int index = plan.begin(partition);
            while (index < end)
            {
                final boolean isRun = plan.isRun(index, end);
                final int pullEnd = isRun ? end : Math.min(end, index + maxKeysPerPull);
                final PullRequest request = take(pulls[partition])
                    .of(spec, isRun)
                    .into(floats, longs);
                while (index < pullEnd)
                {
                    request.add(plan.key(index), plan.row(index));
                    index++;
                }
                submit(partition, request, ticket, readClock);
            }
        }
    }

    /** Pull rows of a system table: its counts are read as they are. */
    void writeSystem(
        final int partition, final TableSpec spec, final long[] keys, final long[] out, final long ticket)
    {
        final PullRequest request = take(pulls[partition]).of(spec, false).into(null, out);
        for (int i = 0; i < keys.length; i++)
        {
            request.add(keys[i], i);
        }
        submit(partition, request, ticket, 0);
    }

    private PullRequest take(final PullRequests requests)
    {
        if (0 == requests.room())
        {
            waitingPulls = requests;
            wait.until("an earlier pull's answer", isPullFree);
        }

        return requests.take();
    }

    private boolean isPullFree()
    {
        return waitingPulls.room() > 0;
    }

    private void submit(
        final int partition, final PullRequest request, final long ticket, final long readClock)
    {
        request.encode(Math.max(0, sessions[partition].lastSequence()), readClock);
        pulls[partition].submit(request, ticket);
    }
}
