// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterPlanTest
{
    private static final Path DIR = Path.of("m0");

    @Test
    void shouldTellCoordinatorsToForceDecisionsToDiskOnlyWhenAsked()
    {
        assertThat(plan().coordinator(0, DIR, DIR)).doesNotContain("--coordinator-sync");
        assertThat(plan().coordinatorSync(true).coordinator(0, DIR, DIR)).contains("--coordinator-sync");
    }

    @Test
    void shouldTellThemOnHostsOfTheirOwnToo()
    {
        assertThat(plan().coordinatorSync(true)
            .onHosts(List.of("b:1"), List.of("b:9"), List.of(List.of("ssh"), List.of("ssh")))
            .coordinator(0, DIR, DIR)).contains("--coordinator-sync", "--accept-plaintext");
    }

    @Test
    void shouldStartTheJobWithoutTheSpareServers()
    {
        final ClusterPlan plan = new ClusterPlan(List.of("a:1", "a:2", "a:3"), List.of("a:9"), 4, 1,
            ServerPlan.chain("dev", ServerPlan.DEFAULT), null).spares(1);

        assertThat(plan.servers()).isEqualTo(2);
        assertThat(plan.job().nodes()).isEqualTo(2);
        assertThat(plan.coordinator(0, DIR, DIR)).contains("--servers=2");
        assertThat(plan.server(2, DIR, DIR)).contains("--endpoint=a:3");
    }

    private static ClusterPlan plan()
    {
        return new ClusterPlan(
            List.of("a:1"), List.of("a:9"), 1, 1, ServerPlan.chain("dev", ServerPlan.DEFAULT), null);
    }
}
