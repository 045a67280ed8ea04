// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.console.ClusterState;
import io.gradstream.driver.DriverProfile;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.server.aeron.ServerNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is seen of a living coordinator and server.
 */
@Timeout(60)
class ClusterWatchTest
{
    private static final int MAX_SAMPLES = 200;

    @TempDir
    private Path directory;

    @Test
    void shouldSeeWhoServesWithTheStatesOfTheCounters() throws IOException
    {
        final JobSpec job = new JobSpec(
            2, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);
        final List<ClusterState> states = new ArrayList<>();
        try (LocalCoordinator coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, job);
            ServerNode server = ServerNode.launch(new ServerNode.Context().coordinators(coordinator.endpoints())
                .ingressEndpoint(LoopbackPorts.free(1).get(0)).dir(directory.resolve("server"))))
        {
            assertThat(server.awaitServing(TimeUnit.SECONDS.toNanos(20))).isTrue();
            final ClusterWatch.LocalServers servers = new ClusterWatch.LocalServers(
                List.of(Path.of(server.aeronDirectoryName()), directory.resolve("none")), (node) -> true);
            new ClusterWatch(new ClusterAccess(
                coordinator.endpoints(), null, null, DriverProfile.DEV, 0), servers,
                () -> states.size() == MAX_SAMPLES || !states.isEmpty() && isServed(states.get(states.size() - 1)))
                .run(ClusterWatch.MIN_INTERVAL_MS, states::add, (line) ->
                {
                    throw new AssertionError(line);
                });
            assertThat(servers.withoutDriver()).singleElement().asString()
                .startsWith("no media driver runs in " + directory.resolve("none"));
        }

        final ClusterState last = states.get(states.size() - 1);
        assertThat(last.partitions()).hasSize(2).allMatch(ClusterState.Partition::served)
            .allMatch((partition) -> 1 == partition.epoch())
            .allMatch((partition) -> partition.replicas().get(0).applied() > 0);
        assertThat(last.partitions().get(0).replicas()).singleElement()
            .matches((replica) -> "PRIMARY".equals(replica.state()) && 1 == replica.epoch());
    }

    private static boolean isServed(final ClusterState state)
    {
        return 2 == state.partitions().size() && 0 == state.notServed() &&
            "PRIMARY".equals(state.partitions().get(0).replicas().get(0).state());
    }
}
