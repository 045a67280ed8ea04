// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three servers are stopped in order and started again, one after the other, each as soon as the one before has
 * printed READY and no chain lacks a copy, while workers push: at no time is the last copy of a partition away.
 * {@code -Dgradstream.rounds=N} does it N times.
 */
@Tag("faults")
@Tag("alone")
class RollingRestartIT
{
    /** Longest time without any acknowledgement of a slot. */
    private static final long MAX_GAP_MS = 1_500;
    private static final long WHOLE_TIMEOUT_MS = 120_000;
    private static final int ROUNDS = Integer.getInteger("gradstream.rounds", 1);

    @Test
    void shouldGoOnWhileServersAreRestartedOneAfterTheOther() throws IOException
    {
        try (FaultCluster cluster = FaultCluster.start(ServiceMode.CHAIN_OF_THREE_SERVERS))
        {
            try
            {
                restartAll(cluster);
            }
            catch (final IOException | RuntimeException | AssertionError ex)
            {
                cluster.printLogs();
                throw ex;
            }
        }
    }

    private static void restartAll(final FaultCluster cluster) throws IOException
    {
        final CountCheck counts = new CountCheck(cluster);
        final List<Long> gapsMs = new ArrayList<>();
        try (Load load = Load.start(cluster, 2))
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                load.awaitFlowing();
                gapsMs.add(restartEach(cluster, load));
            }
            load.drain();
            counts.run(load);
        }
        System.out.printf("rolling restart: gapsMs=%s applied=%d lost=%d doubled=%d%n",
            gapsMs, counts.applied(), counts.lost(), counts.doubled());
        assertThat(counts.differences()).isEmpty();
        assertThat(gapsMs).allMatch((gapMs) -> gapMs <= MAX_GAP_MS);
        cluster.stop();
        assertThat(ReplicaCheck.run(cluster)).isEmpty();
    }

    private static long restartEach(final FaultCluster cluster, final Load load) throws IOException
    {
        try (GapWatch watch = GapWatch.start(load.slots()))
        {
            for (final int node : cluster.all())
            {
                cluster.restartInOrder(node);
                cluster.await("chains are whole", WHOLE_TIMEOUT_MS, cluster::isWhole);
            }
            load.awaitFlowing();
            return watch.longestMs();
        }
    }
}
