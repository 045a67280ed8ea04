// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.aeron.driver.status.SenderPos;
import io.aeron.driver.status.StreamCounter;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Streams;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.MappedByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * What servers send their standbys of a sequential job in which n slots push the same rows: a n-th of a push for each,
 * by the counters of the servers' media drivers.
 */
@Tag("faults")
class ReplicationBytesIT
{
    private static final int MOST_SLOTS = 8;
    private static final int DIM = 4096;
    private static final int CLOCKS = 4;
    /** Records have headers, and the last of a sum says who contributed. */
    private static final double OVERHEAD = 0.05;
    private static final int SPOOL_BYTES = 1 << 20;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long TIMEOUT_MS = 30_000;
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<GradstreamClient> workers = new ArrayList<>();
    private final List<Table> tables = new ArrayList<>();
    private final float[] gradients = new float[FaultCluster.PARTITIONS * DIM];
    private long askedNs = System.nanoTime() - ASK_NS;
    private ClusterMap map;

    @Test
    void shouldSendAnNthOfEachPushToStandbys() throws Exception
    {
        try (FaultCluster cluster = FaultCluster.start(ServiceMode.CHAIN);
            DriverConnection driver = DriverConnection.open(cluster.workersAeronDirectory(), (error) -> {});
            CoordinatorLink link =
                ClusterChannel.link(driver, cluster.coordinators(), "127.0.0.1:0", (error) -> {}))
        {
            bind(MOST_SLOTS, cluster, driver, link);
            final double[] bytesPerPush = new double[MOST_SLOTS + 1];
            try
            {
                start(cluster);
                // fewer and fewer, for a slot that begins later would have to catch up
                for (int slots = MOST_SLOTS; slots > 0; slots /= 2)
                {
                    keep(slots);
                    bind(slots, cluster, driver, link);
                    // partitions log that there are fewer
                    iterate(cluster);
                    bytesPerPush[slots] = bytesPerPush(cluster);
                }
            }
            finally
            {
                CloseHelper.quietCloseAll(workers);
            }
            for (int slots = 1; slots <= MOST_SLOTS; slots *= 2)
            {
                final double ratio = bytesPerPush[slots] / bytesPerPush[1];
                System.out.printf("slots=%d replication bytes per push=%.0f ratio=%.3f%n",
                    slots, bytesPerPush[slots], ratio);
                assertThat(ratio).as("slots=%d", slots).isCloseTo(1.0 / slots, within(OVERHEAD));
            }
            assertThat(bytesPerPush[1]).as("every row is sent").isGreaterThan(gradients.length * Float.BYTES);
        }
    }

    private double bytesPerPush(final FaultCluster cluster)
    {
        final long before = sentToStandbys(cluster);
        for (int i = 0; i < CLOCKS; i++)
        {
            iterate(cluster);
        }

        return (double)(sentToStandbys(cluster) - before) / (CLOCKS * workers.size());
    }

    /** All slots push the same rows and end the clock; returns when standbys have applied it. */
    private void iterate(final FaultCluster cluster)
    {
        final long[] keys = FaultCluster.keyOfEach();
        for (int slot = 0; slot < workers.size(); slot++)
        {
            Arrays.fill(gradients, slot + 0.5f);
            tables.get(slot).push(keys, gradients);
            workers.get(slot).clock();
        }
        cluster.await("all slots are acknowledged", TIMEOUT_MS, () ->
        {
            workers.forEach(GradstreamClient::poll);
            return workers.stream().allMatch((worker) -> 0 == worker.outstandingTickets());
        });
    }

    private void start(final FaultCluster cluster)
    {
        for (int slot = 0; slot < MOST_SLOTS; slot++)
        {
            final GradstreamClient worker = GradstreamClient.connect(cluster.clientContext()
                .slot(slot)
                .spoolBytesPerPartition(SPOOL_BYTES)
                .idleStrategy(new SleepingIdleStrategy(PARK_NS)));
            workers.add(worker);
            tables.add(worker.createTable(TableSpec.dense(0, "weights", 1 << 12, DIM, "add/1")));
        }
    }

    private void keep(final int slots)
    {
        while (workers.size() > slots)
        {
            workers.remove(workers.size() - 1).close();
            tables.remove(tables.size() - 1);
        }
    }

    /** Bind so many slots by a staleness of 0. */
    private void bind(
        final int slots, final FaultCluster cluster, final DriverConnection driver, final CoordinatorLink link)
    {
        final Consistency wanted = new Consistency(slots, 0);
        cluster.await("the coordinator binds " + slots + " slots", TIMEOUT_MS, () ->
        {
            driver.poll();
            link.doWork(System.nanoTime());
            workers.forEach(GradstreamClient::poll);
            final ClusterMap newest = link.poll();
            map = null == newest ? map : newest;
            if (null == map || null == map.job())
            {
                return false;
            }
            if (System.nanoTime() - askedNs >= ASK_NS && link.setConsistency(map.clusterId(), wanted))
            {
                askedNs = System.nanoTime();
            }
            return wanted.equals(map.job().consistency());
        });
    }

    /** Bytes of records that the servers have sent each other, without what was lost and sent again. */
    private static long sentToStandbys(final FaultCluster cluster)
    {
        return cluster.all().stream().mapToLong((node) -> sentToStandbys(cluster.serverAeronDirectory(node))).sum();
    }

    private static long sentToStandbys(final String aeronDirectory)
    {
        final MappedByteBuffer mapped =
            new CommonContext().aeronDirectoryName(aeronDirectory).conclude().mapExistingCncFile(null);
        try
        {
            final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(mapped);
            final CountersReader counters = new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(mapped, metaData),
                CncFileDescriptor.createCountersValuesBuffer(mapped, metaData));
            final long[] bytes = new long[1];
            counters.forEach((counterId, typeId, key, label) ->
            {
                if (SenderPos.SENDER_POSITION_TYPE_ID == typeId &&
                    Streams.CHAIN == key.getInt(StreamCounter.STREAM_ID_OFFSET))
                {
                    bytes[0] += counters.getCounterValue(counterId);
                }
            });
            return bytes[0];
        }
        finally
        {
            BufferUtil.free(mapped);
        }
    }
}
