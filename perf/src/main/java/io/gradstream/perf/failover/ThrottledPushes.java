// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.DriverProfile;
import io.gradstream.launcher.Audit;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.OutageListener;
import io.gradstream.worker.session.PushCounts;
import org.agrona.concurrent.IdleStrategy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A worker in this process that pushes one row to each partition at an even rate, whether or not earlier pushes are
 * acknowledged. For one thread.
 */
final class ThrottledPushes implements AutoCloseable
{
    /** Rows that the keys of a partition are looked for among. */
    static final int MAX_KEY = 1 << 20;

    private static final TableSpec TABLE = TableSpec.sparse(0, "failover", 16, "sgd/1 rate=0.001");
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final float GRADIENT = 0.5f;

    private final long[] keys;
    private final float[] gradient = new float[TABLE.dim()];
    private final GradstreamClient client;
    private final IdleStrategy idleStrategy;
    private final long intervalNs;
    private Table table;
    private long dueNs;
    private int nextPartition;

    ThrottledPushes(
        final DriverProfile profile,
        final int partitions,
        final double rate,
        final List<String> coordinators,
        final String aeronDirectory,
        final OutageListener outageListener)
    {
        keys = keysOf(partitions);
        Arrays.fill(gradient, GRADIENT);
        intervalNs = (long)(TimeUnit.SECONDS.toNanos(1) / (rate * keys.length));
        idleStrategy = profile.newIdleStrategy();
        client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(aeronDirectory)
            .slot(0)
            .coordinators(coordinators)
            .audit(true)
            .ackLevel(AckLevel.REPLICATED)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .idleStrategy(profile.newIdleStrategy())
            .outageListener(outageListener));
    }

    /** Make the table. The chains must be whole. */
    void begin()
    {
        table = client.createTable(TABLE);
        dueNs = System.nanoTime();
    }

    /** One duty cycle, with a rest if there is nothing to do. */
    void poll()
    {
        final long nowNs = System.nanoTime();
        int workCount = client.poll();
        if (nowNs - dueNs >= 0 &&
            GradstreamClient.NOT_NOW != table.tryPush(keys, nextPartition, 1, gradient))
        {
            nextPartition = (nextPartition + 1) % keys.length;
            // No burst after a pause: what counts is that each partition has something outstanding.
            dueNs = Math.max(dueNs + intervalNs, nowNs);
            workCount++;
        }
        idleStrategy.idle(workCount);
    }

    /** Wait until all is acknowledged, and compare what was sent with what the partitions have counted. */
    Audit audit()
    {
        client.awaitAll();
        final Audit audit = new Audit();
        final long[] row = new long[TableSpec.AUDIT.dim()];
        for (int partition = 0; partition < keys.length; partition++)
        {
            client.await(client.pullSystem(partition, TableSpec.AUDIT, new long[]{0}, row));
            final PushCounts sent = client.pushCounts(partition);
            audit.add("partition " + partition,
                new Audit.Sums(sent.count(), sent.sequenceSum(), sent.sequenceSquareSum(), sent.contentSum()),
                new Audit.Sums(row[0], row[1], row[2], row[3]));
        }

        return audit;
    }

    @Override
    public void close()
    {
        client.close();
    }

    private static long[] keysOf(final int partitions)
    {
        final PartitionFunction placement = new PartitionFunction(partitions);
        final long[] keys = new long[partitions];
        Arrays.fill(keys, -1);
        int missing = partitions;
        for (long key = 0; missing > 0 && key < MAX_KEY; key++)
        {
            final int partition = placement.partitionOf(TABLE.tableId(), key);
            missing -= keys[partition] < 0 ? 1 : 0;
            keys[partition] = keys[partition] < 0 ? key : keys[partition];
        }
        if (missing > 0)
        {
            throw new IllegalStateException("no key below " + MAX_KEY + " for some of partitions=" + partitions);
        }

        return keys;
    }
}
