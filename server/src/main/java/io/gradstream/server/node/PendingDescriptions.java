// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.Refusal;
import io.gradstream.server.partition.HostedPartition;

import java.util.ArrayList;
import java.util.List;

/**
 * Questions for what a partition has that have been taken and not yet answered: each waits for the primary's lease and
 * for room on the worker's response stream, as a pull does.
 */
final class PendingDescriptions
{
    /** Most questions that wait: as many as one client asks that describes the largest job. */
    static final int MAX_DESCRIPTIONS = JobSpec.MAX_PARTITIONS;
    /** Most answers of one duty cycle, so that pushes are not held up. */
    static final int ANSWERS_PER_CYCLE = 4;

    private final DescriptionPublisher publisher;
    private final List<PendingDescription> waiting = new ArrayList<>();

    PendingDescriptions(final DescriptionPublisher publisher)
    {
        this.publisher = publisher;
    }

    /**
     * Take a question. It replaces an earlier one of the same worker about the same partition.
     *
     * @return NONE, or BUSY.
     */
    Refusal onDescribe(final PendingDescription question)
    {
        waiting.removeIf((other) -> other.connection() == question.connection() && other.copy() == question.copy());
        if (waiting.size() >= MAX_DESCRIPTIONS)
        {
            return Refusal.BUSY;
        }
        waiting.add(question);

        return Refusal.NONE;
    }

    int waitingCount()
    {
        return waiting.size();
    }

    int doWork()
    {
        int workCount = 0;
        int answers = 0;
        for (int i = 0; i < waiting.size() && answers < ANSWERS_PER_CYCLE; i++)
        {
            final PendingDescription question = waiting.get(i);
            final boolean isVoid = question.isVoid();
            final boolean isAnswered = !isVoid && question.mayBeAnswered() && publisher.description(question);
            answers += isAnswered ? 1 : 0;
            if (isVoid || isAnswered)
            {
                waiting.remove(i--);
                workCount++;
            }
        }

        return workCount;
    }

    /**
     * A worker's question for one page of what a partition has.
     *
     * @param connection of the worker.
     * @param copy       that holds the partition.
     * @param epoch      the worker believes in.
     * @param requestId  of the question.
     * @param firstTable index of the first table wanted.
     * @param firstSlot  first slot wanted.
     */
    record PendingDescription(
        WorkerConnection connection,
        HostedPartition copy,
        long epoch,
        long requestId,
        int firstTable,
        int firstSlot)
    {
        /** Nobody waits for it any more: the worker has gone, or asks the partition's new primary. */
        boolean isVoid()
        {
            return connection.responses().isClosed() || !copy.isPrimary() || epoch != copy.partition().epoch();
        }

        boolean mayBeAnswered()
        {
            return copy.isAnswering() && connection.responses().isConnected();
        }
    }
}
