// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Refusal;
import io.gradstream.server.partition.ConsistentExport;
import io.gradstream.server.partition.HostedPartition;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Clients that take the model out of partitions: each waits for the last slot to end an iteration, and then for its
 * rows. One client at a time for each partition.
 */
final class PendingModels
{
    /** A client that takes no frame for so long is given up: rows that change wait for it. */
    static final long STALL_NS = 5_000_000_000L;
    /** Most bytes sent to one client in one duty cycle, give or take a frame. */
    static final int BYTES_PER_CYCLE = 512 * 1024;
    /** Most frames: each row that changes is one. */
    static final int FRAMES_PER_CYCLE = 2048;

    /** Workers that were not connected for so long end no iterations: after a failover they come a little later. */
    static final long ABSENCE_NS = 5_000_000_000L;

    private final List<PendingModel> all = new ArrayList<>();

    /**
     * Take a request. The same one again is heard once; another one of the same client replaces it.
     *
     * @return NONE, BUSY if another client takes the model out, or CLOCK_PASSED.
     */
    Refusal onTakeModel(final PendingModel model, final long clock, final long nowNs)
    {
        for (int i = all.size() - 1; i >= 0; i--)
        {
            final PendingModel other = all.get(i);
            if (other.copy != model.copy)
            {
                continue;
            }
            if (other.connection == model.connection && other.requestId == model.requestId)
            {
                // it is asked again until its first frame comes
                other.movedNs = nowNs;
                return Refusal.NONE;
            }
            if (other.connection != model.connection && !other.isVoid())
            {
                return Refusal.BUSY;
            }
            remove(i);
        }
        if (!model.copy.partition().export().ask(clock))
        {
            return Refusal.CLOCK_PASSED;
        }
        model.movedNs = nowNs;
        model.workerNs = nowNs;
        all.add(model);

        return Refusal.NONE;
    }

    /**
     * One duty cycle.
     *
     * @param hasWorker true for the number of a job of which a worker is connected, who may end an iteration.
     */
    int doWork(final long nowNs, final IntPredicate hasWorker)
    {
        int workCount = 0;
        for (int i = all.size() - 1; i >= 0; i--)
        {
            final PendingModel model = all.get(i);
            final ConsistentExport export = model.copy.partition().export();
            if (model.isVoid() || nowNs - model.movedNs > STALL_NS)
            {
                remove(i);
                continue;
            }
            model.workerNs = hasWorker.test(model.copy.jobId()) ? nowNs : model.workerNs;
            if (nowNs - model.workerNs > ABSENCE_NS)
            {
                export.beginNow();
            }
            if (export.isAwaitingClock())
            {
                continue;
            }
            workCount += model.send(nowNs);
            if (export.isDone() && model.stream.isDrained())
            {
                remove(i);
            }
        }

        return workCount;
    }

    private void remove(final int index)
    {
        all.remove(index).copy.partition().export().giveUp();
    }

    /** One client and one partition. */
    static final class PendingModel
    {
        private final WorkerConnection connection;
        private final HostedPartition copy;
        private final long epoch;
        private final long requestId;
        private final ModelStream stream;
        private boolean hasBegun;
        private long movedNs;
        /** When a worker of the job was connected last. */
        private long workerNs;

        PendingModel(
            final WorkerConnection connection, final HostedPartition copy, final long epoch, final long requestId)
        {
            this.connection = connection;
            this.copy = copy;
            this.epoch = epoch;
            this.requestId = requestId;
            stream = new ModelStream(connection.responses());
        }

        /** Nobody waits for it any more: the client has gone, or the partition has another primary. */
        private boolean isVoid()
        {
            return connection.responses().isClosed() || !copy.isPrimary() || epoch != copy.partition().epoch();
        }

        private int send(final long nowNs)
        {
            final ConsistentExport export = copy.partition().export();
            if (!hasBegun)
            {
                hasBegun = true;
                stream.begin(epoch, requestId, export.clock(), copy.numberInJob());
            }
            // what is not replicated may be gone after a failover, and then the model must not count
            final boolean mayEnd =
                copy.isAnswering() && copy.replica().replicatedPosition() >= export.position();
            int sent = 0;
            int bytes = 0;
            while (sent < FRAMES_PER_CYCLE && bytes < BYTES_PER_CYCLE)
            {
                export.doWork(stream);
                final int length = stream.length();
                if (!stream.send(mayEnd))
                {
                    break;
                }
                sent++;
                bytes += length;
            }
            movedNs = sent > 0 || !mayEnd ? nowNs : movedNs;

            return sent;
        }
    }
}
