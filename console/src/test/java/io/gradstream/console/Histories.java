// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.List;

import io.gradstream.console.ClusterSample.Node;
import io.gradstream.console.ClusterSample.Partition;
import io.gradstream.console.ClusterSample.Replica;
import io.gradstream.console.ClusterSample.Role;

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
    static ClusterSample cluster(final int number, final int head, final boolean isHeadSilent, final long applied)
    {
        return new ClusterSample(BEGAN_MS + 500L * number, "2 partitions", 0, 3, 1, 0,
            List.of(node(0, 0 == head && isHeadSilent, head), node(1, 1 == head && isHeadSilent, head)),
            List.of(partition(0, head, isHeadSilent, applied), partition(1, head, isHeadSilent, applied)));
    }

    private static Node node(final int id, final boolean isSilent, final int head)
    {
        return new Node(id, "127.0.0.1:" + (20_010 + id), 12, isSilent, id == head ? 2 : 0, 2);
    }

    private static Partition partition(final int id, final int head, final boolean isHeadSilent, final long applied)
    {
        return new Partition(id, 4, 2, 2, !isHeadSilent, List.of(
            new Replica(head, Role.HEAD, "PRIMARY", 4, applied, 0),
            new Replica(1 - head, Role.STANDBY, "", ClusterSample.UNKNOWN, applied - 96, 96)));
    }
}
