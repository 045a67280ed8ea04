// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds the events between two states of a cluster, where no other source reports events. For one thread. */
public final class ClusterChanges
{
    private static final int MOST_NAMED = 8;

    private final Map<Integer, Integer> heads = new HashMap<>();
    private final Set<Integer> silent = new HashSet<>();
    private long term = ClusterState.UNKNOWN;

    /** Compares a state with the one before: the events between the two; none for the first state. */
    public List<Mark> since(final ClusterState state)
    {
        final List<Mark> marks = new ArrayList<>();
        for (final ClusterState.Node node : state.nodes())
        {
            if (node.silent() ? silent.add(node.id()) : silent.remove(node.id()))
            {
                marks.add(new Mark(state.timeMs(), node.silent() ? Mark.Kind.SILENT : Mark.Kind.HEARD,
                    "server " + node.id() + (node.silent() ? " is not heard" : " is heard again")));
            }
        }
        if (ClusterState.UNKNOWN != term && state.term() > term)
        {
            marks.add(new Mark(state.timeMs(), Mark.Kind.ELECTION,
                "coordinator " + state.leader() + " leads, term " + state.term()));
        }
        term = Math.max(term, state.term());
        final Map<Integer, List<Integer>> taken = new TreeMap<>();
        for (final ClusterState.Partition partition : state.partitions())
        {
            if (null != partition.head())
            {
                final int head = partition.head().node();
                final Integer before = heads.put(partition.id(), head);
                if (null != before && head != before)
                {
                    taken.computeIfAbsent(head, (node) -> new ArrayList<>()).add(partition.id());
                }
            }
        }
        taken.forEach((node, partitions) -> marks.add(new Mark(state.timeMs(), Mark.Kind.FAILOVER,
            "server " + node + " leads partition" + (1 == partitions.size() ? " " : "s ") + named(partitions))));

        return marks;
    }

    private static String named(final List<Integer> numbers)
    {
        return numbers.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", ")) +
            (numbers.size() > MOST_NAMED ? " and " + (numbers.size() - MOST_NAMED) + " more" : "");
    }
}
