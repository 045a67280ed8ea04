// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.console.ClusterSample;
import io.gradstream.console.ClusterSample.Replica;
import io.gradstream.console.ClusterSample.Role;
import io.gradstream.coordinator.client.CoordinatorStatus;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the console shows of what coordinators say.
 */
class ClusterPictureTest
{
    private static final JobSpec JOB = new JobSpec(2, 2, 2, 16, 1000, 3000, RecoveryMode.CHAIN);
    private static final long NOW_MS = 1_800_000_000_000L;
    private static final List<Path> NO_DRIVER = List.of(Path.of("no-such-directory"));

    @Test
    void shouldShowRolesLagsAndWhoHasFewerCopies()
    {
        final ClusterSample sample = new ClusterPicture(NO_DRIVER, (node) -> true).of(status(20), NOW_MS);

        assertThat(sample.job()).isEqualTo("2 partitions, 2 copies, mode chain");
        assertThat(sample.served()).isEqualTo(2);
        assertThat(sample.degraded()).isEqualTo(1);
        assertThat(sample.nodes()).extracting(ClusterSample.Node::heads).containsExactly(1, 1);
        assertThat(sample.partitions().get(0).replicas()).containsExactly(
            new Replica(0, Role.HEAD, "", ClusterSample.UNKNOWN, 1_000, 0),
            new Replica(1, Role.STANDBY, "", ClusterSample.UNKNOWN, 900, 100));
        assertThat(sample.partitions().get(1).replicas()).extracting(Replica::role)
            .containsExactly(Role.HEAD, Role.JOINER);
        assertThat(sample.maxLag()).isEqualTo(100);
    }

    @Test
    void shouldShowAtOnceThatAProcessIsGone()
    {
        final ClusterSample sample = new ClusterPicture(NO_DRIVER, (node) -> 0 != node).of(status(20), NOW_MS);

        assertThat(sample.served()).isEqualTo(1);
        assertThat(sample.partitions().get(0).isServed()).isFalse();
        assertThat(sample.nodes()).extracting(ClusterSample.Node::isSilent).containsExactly(true, false);
    }

    @Test
    void shouldShowThatANodeWasNotHeardForLong()
    {
        final ClusterSample sample =
            new ClusterPicture(NO_DRIVER, (node) -> true).of(status(StatusSample.SILENT_MS + 1), NOW_MS);

        assertThat(sample.served()).isEqualTo(1);
        assertThat(sample.nodes()).extracting(ClusterSample.Node::isSilent).containsExactly(true, false);
    }

    @Test
    void shouldShowNoPartitionsBeforeTheyArePlaced()
    {
        final ClusterMap map = new ClusterMap(null, List.of(), List.of(), new ChainMap(1, List.of(), List.of()));
        final ClusterSample sample = new ClusterPicture(List.of(), (node) -> true).of(
            new StatusSample(0, map, new CoordinatorStatus(1, 0, 0, 0, 0, List.of(), List.of())), NOW_MS);

        assertThat(sample.partitions()).isEmpty();
        assertThat(sample.nodes()).isEmpty();
        assertThat(sample.job()).isEmpty();
    }

    private static StatusSample status(final long heardMs)
    {
        final ClusterMap map = new ClusterMap(JOB, List.of("127.0.0.1:9100", "127.0.0.1:9101"),
            List.of(List.of(0, 1), List.of(1, 0)), new ChainMap(7, Collections.nCopies(2, 1L), List.of(
                new Chain(1, 2, List.of(0, 1), Chain.NONE, 2), new Chain(3, 5, List.of(1), 0, 2))));

        return new StatusSample(0, map, new CoordinatorStatus(7, 1, 0, 4, 0, List.of(heardMs, 12L), List.of(
            new CoordinatorStatus.Replica(0, 0, 1_000, 900, 800),
            new CoordinatorStatus.Replica(1, 0, 900, 900, 800))));
    }
}
