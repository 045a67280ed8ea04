// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;

import java.util.ArrayList;
import java.util.List;

/**
 * The tables of a client and which partitions have yet to answer that they have them. Answers may be lost, so
 * questions are repeated: the same table again is success.
 */
public final class TableRequests
{
    /**
     * A partition will never take a table.
     *
     * @param detail  which partition, which table and why.
     * @param refusal of the partition.
     */
    public record Failure(String detail, Refusal refusal)
    {
    }

    private static final class Request
    {
        final long id;
        final TableSpec spec;
        final int partition;
        long dueNs;
        boolean isSent;

        Request(final long id, final TableSpec spec, final int partition)
        {
            this.id = id;
            this.spec = spec;
            this.partition = partition;
        }
    }

    private final long retryNs;
    private final List<TableSpec> specs = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private long lastId;
    private Failure failure;

    TableRequests(final WorkerIdentity identity, final long retryNs)
    {
        this.retryNs = retryNs;
        lastId = -identity.firstRequest();
    }

    public void create(final TableSpec spec, final int partitionCount)
    {
        failure = null;
        specs.removeIf((known) -> known.tableId() == spec.tableId());
        specs.add(spec);
        requests.removeIf((request) -> request.spec.tableId() == spec.tableId());
        for (int i = 0; i < partitionCount; i++)
        {
            // negative, so that an answer can never be taken for a pull's
            requests.add(new Request(--lastId, spec, i));
        }
    }

    void createAgain(final int partition)
    {
        for (final TableSpec spec : specs)
        {
            if (!isPending(spec.tableId(), partition))
            {
                requests.add(new Request(--lastId, spec, partition));
            }
        }
    }

    int send(final PartitionSession[] sessions, final RoutingTable routes, final long nowNs)
    {
        int sent = 0;
        for (int i = 0; i < requests.size(); i++)
        {
            final Request request = requests.get(i);
            final PartitionSession session = sessions[request.partition];
            if (PartitionSession.State.ATTACHED == session.state() &&
                (!request.isSent || nowNs - request.dueNs >= 0) &&
                routes.of(request.partition).publisher()
                    .createTable(request.spec, request.partition, session.epoch(), request.id))
            {
                request.isSent = true;
                request.dueNs = nowNs + retryNs;
                sent++;
            }
        }

        return sent;
    }

    void onTableCreated(final long requestId)
    {
        requests.removeIf((request) -> request.id == requestId);
    }

    boolean onRefused(final long requestId, final Refusal refusal)
    {
        for (final Request request : requests)
        {
            if (request.id == requestId)
            {
                if (!isTransient(refusal))
                {
                    fail(request, refusal, "");
                }
                return true;
            }
        }

        return false;
    }

    /** A partition will never take the table, and says why. */
    void onTableRefused(final long requestId, final Refusal refusal, final String reason)
    {
        for (final Request request : requests)
        {
            if (request.id == requestId)
            {
                fail(request, refusal, ": " + reason);
            }
        }
    }

    public boolean isPending(final int tableId)
    {
        return requests.stream().anyMatch((request) -> request.spec.tableId() == tableId);
    }

    public List<Integer> pendingPartitions(final int tableId)
    {
        return requests.stream()
            .filter((request) -> request.spec.tableId() == tableId)
            .map((request) -> request.partition)
            .toList();
    }

    /** True if {@link #takeFailure()} has one. */
    public boolean hasFailed()
    {
        return null != failure;
    }

    /** Why a table cannot be created, once; null if nothing is known against it. */
    public Failure takeFailure()
    {
        final Failure taken = failure;
        failure = null;

        return taken;
    }

    public void forget(final int tableId)
    {
        specs.removeIf((spec) -> spec.tableId() == tableId);
        requests.removeIf((request) -> request.spec.tableId() == tableId);
    }

    private void fail(final Request request, final Refusal refusal, final String reason)
    {
        failure = new Failure("partition=" + request.partition + " refused table " + request.spec.tableId() +
            " '" + request.spec.name() + "' with " + refusal + reason, refusal);
    }

    private boolean isPending(final int tableId, final int partition)
    {
        return requests.stream()
            .anyMatch((request) -> request.spec.tableId() == tableId && request.partition == partition);
    }

    private static boolean isTransient(final Refusal refusal)
    {
        return switch (refusal)
        {
            case NOT_PRIMARY, NOT_CONNECTED, BUSY, FENCED -> true;
            default -> false;
        };
    }
}
