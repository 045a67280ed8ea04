/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.server.node;

import io.gradstream.codecs.Refusal;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.ReplicaStorage;
import io.gradstream.recovery.replica.SnapshotSink;
import io.gradstream.server.partition.Partition;
import org.agrona.CloseHelper;

/**
 * One partition at this node: its state machine, the replica that keeps it, and where that keeps it.
 */
final class HostedPartition implements AutoCloseable
{
    private final Partition partition;
    private final ReplicaStorage storage;
    private final Replica replica;
    private final long snapshotLogBytes;
    private long snapshotStartPosition;

    HostedPartition(final Partition partition, final ReplicaStorage storage, final long snapshotLogBytes)
    {
        this.partition = partition;
        this.storage = storage;
        this.snapshotLogBytes = snapshotLogBytes;
        replica = new Replica(storage, partition);
    }

    int number()
    {
        return partition.partition();
    }

    Partition partition()
    {
        return partition;
    }

    boolean isPrimary()
    {
        return replica.isPrimary();
    }

    String haltReason()
    {
        return replica.haltReason();
    }

    int doWork()
    {
        return replica.doWork();
    }

    /**
     * A worker attaches. A process that has sent nothing yet goes on behind the slot's last sequence and counts what
     * is before it as safe: so it waits until that is recorded.
     */
    Refusal onHello(final int slot, final long incarnation, final long oldestKept)
    {
        if (!isPrimary())
        {
            return Refusal.NOT_PRIMARY;
        }
        final Refusal refusal = partition.onHello(slot, incarnation);
        if (Refusal.NONE == refusal && 0 == oldestKept)
        {
            partition.onRecorded(slot, recordedPosition());
            return partition.recordedSequence(slot) < partition.lastSequence(slot) ? Refusal.BUSY : Refusal.NONE;
        }

        return refusal;
    }

    long recordedPosition()
    {
        return replica.log().recordedPosition();
    }

    /**
     * Take a snapshot each time the log has grown by so many bytes: a decision by position, so it is the same
     * whenever the same log is run again.
     *
     * @return true if one was started.
     */
    boolean startSnapshotIfDue()
    {
        final long position = partition.cursor().position();
        final long last = Math.max(snapshotStartPosition, partition.snapshotPosition());
        if (!isPrimary() || partition.isSnapshotUnderWay() || position - last < snapshotLogBytes)
        {
            return false;
        }
        final SnapshotSink sink = storage.openSnapshotSink(position);
        if (null == sink)
        {
            return false;
        }
        partition.startSnapshot(sink);
        snapshotStartPosition = position;

        return true;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(replica, storage, partition);
    }
}
