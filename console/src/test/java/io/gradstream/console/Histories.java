// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.List;

import io.gradstream.console.ClusterState.Job;
import io.gradstream.console.ClusterState.Node;
import io.gradstream.console.ClusterState.Partition;
import io.gradstream.console.ClusterState.Replica;
import io.gradstream.console.ClusterState.Role;

/**
 * Samples for tests.
 */
final class Histories
{
    static final long BEGAN_MS = 1_800_000_000_000L;

    static final long INTERVAL_MS = 2_000;

    private Histories()
    {
    }

    static RunHistory empty()
    {
        return new RunHistory("a run", BEGAN_MS, INTERVAL_MS);
    }

    static ProgressSample sample(final int number, final double loss)
    {
        return new ProgressSample(BEGAN_MS + 500L * number, 10L * number, 1_000, 640L * number, 1_280, loss, 250, 900,
            Double.NaN);
    }

    /** Two servers, of which one leads both partitions. */
    static ClusterState cluster(final int number, final int head, final boolean isHeadSilent, final long applied)
    {
        return cluster(number,
            List.of(node(0, 0 == head && isHeadSilent, head), node(1, 1 == head && isHeadSilent, head)),
            List.of(partition(0, head, isHeadSilent, applied), partition(1, head, isHeadSilent, applied)));
    }

    /** A state of one coordinator in its third term, which knows of one failover. */
    static ClusterState cluster(final int number, final List<Node> nodes, final List<Partition> partitions)
    {
        return new ClusterState(BEGAN_MS + 500L * number, 0, "127.0.0.1:20000", 1, 3, 7, 1, 0,
            new Job("default", partitions.size(), 2, 2, 16, 1_000, 3_000, "chain", 0, "unbounded", false, 0, 0), true,
            nodes, partitions, null, null, null, null,
            new ClusterState.Work(7, 100, 40, 2, 1, 3, 1, List.of(new ClusterState.Lease(0, true, 9, 12, 5),
                new ClusterState.Lease(1, false, 8, 12_000, 0))));
    }

    private static Node node(final int id, final boolean isSilent, final int head)
    {
        return new Node(id, "127.0.0.1:" + (20_010 + id), 0, "", 12, isSilent, 2, id == head ? 2 : 0, false, 2);
    }

    private static Partition partition(final int id, final int head, final boolean isHeadSilent, final long applied)
    {
        return partition(id, !isHeadSilent, List.of(
            new Replica(head, Role.HEAD, "PRIMARY", 4, applied, applied, applied, 0),
            new Replica(1 - head, Role.STANDBY, "", ClusterState.UNKNOWN, applied - 96, applied, applied, 96)));
    }

    /** A partition with all its copies, whose log grows by as many bytes in a second as its number says, plus one. */
    static Partition partition(final int id, final boolean isServed, final List<Replica> replicas)
    {
        return new Partition(id, 4, 5, replicas.stream().map(Replica::node).toList(), -1, 2, List.of(), List.of(),
            List.of(0, 1), false, isServed, replicas, id + 1.0);
    }
}
