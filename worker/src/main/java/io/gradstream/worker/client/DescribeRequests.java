// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.wire.DescriptionDecoder;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;

import java.util.ArrayList;
import java.util.List;

/**
 * The requests of a client for descriptions of partitions: each partition is asked for one page after the other.
 * Answers may be lost, so requests are repeated.
 */
public final class DescribeRequests
{
    /** Below the ids of every other request, so that an answer can never be taken for another request's. */
    private static final long FIRST_ID = Long.MIN_VALUE;

    private static final class Request
    {
        final PartitionAnswer answer;
        long id;
        long dueNs;
        boolean isSent;

        Request(final int partition)
        {
            answer = new PartitionAnswer(partition);
        }
    }

    private final long retryNs;
    private final List<Request> requests = new ArrayList<>();
    private long nextId;

    DescribeRequests(final WorkerIdentity identity, final long retryNs)
    {
        this.retryNs = retryNs;
        nextId = FIRST_ID + identity.firstRequest();
    }

    public void begin(final int partitionCount)
    {
        requests.clear();
        for (int i = 0; i < partitionCount; i++)
        {
            final Request request = new Request(i);
            request.id = nextId++;
            requests.add(request);
        }
    }

    public boolean isComplete()
    {
        return requests.stream().allMatch((request) -> request.answer.isComplete());
    }

    /** End the requests, and return the answers. A partition that has not answered whole has an empty answer. */
    public List<PartitionAnswer> end()
    {
        final List<PartitionAnswer> answers = new ArrayList<>();
        for (final Request request : requests)
        {
            if (!request.answer.isComplete())
            {
                request.answer.restart();
            }
            answers.add(request.answer);
        }
        requests.clear();

        return answers;
    }

    int send(final PartitionSession[] sessions, final RoutingTable routes, final long nowNs)
    {
        int sent = 0;
        for (int i = 0; i < requests.size(); i++)
        {
            final Request request = requests.get(i);
            if (request.answer.isComplete() || PartitionSession.State.ATTACHED != sessions[i].state() ||
                request.isSent && nowNs - request.dueNs < 0)
            {
                continue;
            }
            if (0 != request.answer.epoch() && sessions[i].epoch() != request.answer.epoch())
            {
                request.answer.restart();
                request.id = nextId++;
            }
            if (routes.of(i).publisher().describe(
                i, sessions[i].epoch(), request.id, request.answer.nextTable(), request.answer.nextSlot()))
            {
                request.isSent = true;
                request.dueNs = nowNs + retryNs;
                sent++;
            }
        }

        return sent;
    }

    void onDescription(final DescriptionDecoder page)
    {
        final int partition = page.partition();
        final Request request = partition < requests.size() ? requests.get(partition) : null;
        if (null != request && request.id == page.requestId() && !request.answer.isComplete())
        {
            request.id = nextId++;
            request.isSent = false;
            request.answer.onPage(page);
        }
    }

    /**
     * Take the refusal of a request: the client repeats the request when it is due, to the primary at that time. False
     * if there is no such request.
     */
    boolean onRefused(final long requestId, final Refusal refusal)
    {
        return Refusal.NONE != refusal && requests.stream().anyMatch((request) -> request.id == requestId);
    }
}
