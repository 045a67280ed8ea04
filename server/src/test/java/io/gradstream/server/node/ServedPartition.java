// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.LoneChain;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.share.ConnectionLimit;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;

/**
 * One partition without a standby, in memory, with what takes the requests of workers and keeps the answers.
 */
final class ServedPartition
{
    /** Bytes of the lists of keys of a test. */
    static final long KEY_LIST_BYTES = 1024 * 1024;

    private static final int CAPACITY = 4;

    final InMemoryStorage storage = new InMemoryStorage();
    final Partition partition = new Partition(
        1, 0, 0, new PartitionFunction(1), (p, spec, length) -> new InMemoryRowStore(length, CAPACITY));
    final LoneChain chain = new LoneChain();
    final Replica replica = new Replica(0, 1, 0, storage, partition, chain);
    final HostedPartition copy =
        new HostedPartition(partition, storage, replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
    final NodeCounters counters = new NodeCounters();
    final KeptStream stream = new KeptStream();
    final WorkerConnections connections =
        new WorkerConnections((id) -> 1 == id, new ConnectionLimit(64), (endpoint, streamId) -> stream,
        KEY_LIST_BYTES, counters);
    final WorkerRequests requests;
    final IngressAdapter adapter;
    private final HostedPartitions partitions = new HostedPartitions();

    /** Its replica has loaded nothing yet. */
    ServedPartition(final int maxResponseLength)
    {
        requests = new WorkerRequests(new NodeIdentity(1, 0, 1, "127.0.0.1:1"), partitions,
            connections, maxResponseLength, NodeTiming.SIGN_OF_LIFE_NS, (copy) -> {}, counters);
        adapter = new IngressAdapter(requests);
    }

    /** Climb to the primary's role. */
    ServedPartition serve()
    {
        partitions.add(copy);
        while (!copy.isPrimary())
        {
            chain.drive(replica);
            storage.recordAll();
        }

        return this;
    }
}
