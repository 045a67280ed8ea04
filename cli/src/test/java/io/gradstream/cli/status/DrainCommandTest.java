// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.console.ClusterState.Node;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Says which servers a drain lacks: those that are not heard may come back by themselves. */
class DrainCommandTest
{
    @Test
    void shouldNeedAsManyOtherServersAsThereAreCopies()
    {
        assertThat(DrainCommand.problem(0, List.of(node(0, false, false), node(1, false, false)), 1)).isNull();
        assertThat(DrainCommand.problem(0, List.of(node(0, false, false), node(1, false, false)), 2))
            .isEqualTo("server 0 cannot be emptied now: 2 copies of each partition are wanted, and servers [1] would" +
                " be left; start another server first");
    }

    @Test
    void shouldNameServersThatAreNotHeard()
    {
        final List<Node> nodes =
            List.of(node(0, true, false), node(1, false, false), node(2, false, true), node(3, false, false));

        assertThat(DrainCommand.problem(1, nodes, 2))
            .isEqualTo("server 1 cannot be emptied now: 2 copies of each partition are wanted, and servers [3] would" +
                " be left, while servers [0] are not heard; wait until they are, or start another server first");
        assertThat(DrainCommand.problem(0, nodes, 2)).as("itself is not heard").isNull();
    }

    private static Node node(final int id, final boolean isSilent, final boolean isDraining)
    {
        return new Node(id, "127.0.0.1:" + (20_010 + id), 0, "", 12, isSilent, 2, 0, isDraining, 2);
    }
}
