// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.stream.IntStream;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Places move while partitions wait for nodes that are lost, and alone have everything. */
class MovesBesideLostNodesTest
{
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;
    private static final int E = 4;

    /** A gets a place elsewhere, and is to lead the partition that waits: that is said of places on living nodes. */
    @Test
    void shouldKeepThePlaceOfALostNodeForWhichAPartitionWaits()
    {
        final TestCluster cluster = new TestCluster(List.of(
            List.of(D, B, A), List.of(B, A, C), List.of(C, B, E), List.of(E, B, C), List.of(C, E, B)));
        cluster.state.jobs.first().spec = new JobSpec(
            5, 3, 5, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        cluster.suspects(D, 0, B);
        cluster.suspects(D, 0, A);
        cluster.confirm(0);
        cluster.nodes.nowMs += Rebalance.HEARD_MS;
        cluster.tick(D);

        assertThat(IntStream.range(2, 5).filter((partition) -> cluster.assignment(partition).contains(A)))
            .as("places move").hasSize(1);
        assertThat(cluster.assignment(0)).containsExactly(D, B, A);
        assertThat(cluster.chain(0).members()).containsExactly(D);
    }

    @Test
    void shouldMovePlacesWhileAPartitionWaitsForItsOnlyCopyAndItsOtherNodeIsLostToo()
    {
        final TestCluster cluster = new TestCluster(List.of(List.of(A, B), List.of(C, D), List.of(C, D)));
        cluster.state.jobs.first().spec = new JobSpec(
            3, 2, 4, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        cluster.start(E);
        cluster.suspects(A, 0, B);
        cluster.confirm(0);
        cluster.nodes.nowMs += Rebalance.HEARD_MS;
        cluster.pass(2_000, A, B);

        assertThat(cluster.assignment(0)).as("with the copy of B a user may go on").containsExactly(A, B);
        assertThat(cluster.state.clusterMap().assignment()).anyMatch((places) -> places.contains(E));
        cluster.state.drain(0, C, true);
        cluster.pass(2_000, A, B);
        assertThat(IntStream.range(1, 3).filter((partition) -> cluster.assignment(partition).contains(C)))
            .as("places move away from C").hasSizeLessThan(2);
    }
}
