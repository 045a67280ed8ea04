// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three hosts with an address of their own, and one for workers, lose each other in many ways.
 * {@code -Dgradstream.scenarios=deaf,mute} takes some of them, {@code all} takes all: {@code namespaces.sh} does it.
 */
@Tag("namespaces")
class NamespacesIT
{
    private static final int LONG_PUSHES = 20;
    private static final long HEAL_TIMEOUT_MS = 120_000;
    private static final String FEW = "isolate,leader-alone,loss";

    @ParameterizedTest
    @MethodSource("splits")
    void shouldServeAgainInTimeAndLoseNothingWhenHostsLoseEachOther(final Netsplit split) throws IOException
    {
        final NetsplitRun run = NetsplitRun.run(split);
        System.out.println(run.json());

        assumeTrue(run.skipped().isEmpty(), run.skipped());
        assertThat(run.differences()).as("lost=%d doubled=%d", run.lost(), run.doubled()).isEmpty();
        assertThat(run.replicas()).as("replicas that differ").isEmpty();
        assertThat(run.hasBitten()).as("the lead has moved").isTrue();
        assertThat(run.gapMs()).as("longest gap").isLessThanOrEqualTo(run.boundMs());
        assertThat(run.fragments()).as("IP fragments").isZero();
    }

    @Test
    void shouldSendNoDatagramThatIpMustCutWhenRowsAreLong() throws IOException
    {
        final String obstacle = Namespaces.obstacle();
        assumeTrue(obstacle.isEmpty(), obstacle);
        try (Namespaces hosts = Namespaces.create(ServiceMode.CHAIN_OF_THREE_COORDINATORS.servers() + 1);
            FaultCluster cluster = FaultCluster.start(ServiceMode.CHAIN_OF_THREE_COORDINATORS, hosts);
            LongRows rows = new LongRows(cluster))
        {
            // pushes, the chain
            for (int i = 0; i < LONG_PUSHES; i++)
            {
                rows.push();
            }
            // a member that has lost everything is given all again
            cluster.restartEmpty(cluster.standby());
            cluster.await("all is whole", HEAL_TIMEOUT_MS, cluster::isWhole);
            rows.push();
            final int wrong = rows.countWrong();
            final long fragments = hosts.fragments();
            System.out.println("{\"scenario\":\"long-rows\",\"wrong\":" + wrong +
                ",\"ipFragments\":" + fragments + '}');

            assertThat(wrong).isZero();
            assertThat(fragments).isZero();
        }
    }

    static Stream<Netsplit> splits()
    {
        final String asked = System.getProperty("gradstream.scenarios", FEW);
        final List<String> labels = Arrays.asList(asked.split(","));
        final List<Netsplit> splits = Arrays.stream(Netsplit.values())
            .filter((split) -> "all".equals(asked) || labels.contains(split.label())).toList();
        if (!"all".equals(asked) && splits.size() < labels.size())
        {
            throw new IllegalArgumentException("invalid gradstream.scenarios=" + asked + ": must be all, or of " +
                Arrays.stream(Netsplit.values()).map(Netsplit::label).toList());
        }

        return splits.stream();
    }
}
