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

/**
 * Finds the events between two samples of a cluster, where no other source reports events. For one thread.
 */
public final class ClusterChanges
{
    private static final int MOST_NAMED = 8;

    private final Map<Integer, Integer> heads = new HashMap<>();
    private final Set<Integer> silent = new HashSet<>();
    private long term = ClusterSample.UNKNOWN;

    /**
     * Compares a sample with the one before.
     *
     * @return the events since the sample before; none for the first sample.
     */
    public List<Mark> since(final ClusterSample sample)
    {
        final List<Mark> marks = new ArrayList<>();
        for (final ClusterSample.Node node : sample.nodes())
        {
            if (node.isSilent() && silent.add(node.id()))
            {
                marks.add(new Mark(sample.timeMs(), Mark.Kind.SILENT, "server " + node.id() + " is not heard"));
            }
            else if (!node.isSilent() && silent.remove(node.id()))
            {
                marks.add(new Mark(sample.timeMs(), Mark.Kind.HEARD, "server " + node.id() + " is heard again"));
            }
        }
        if (ClusterSample.UNKNOWN != term && sample.term() > term)
        {
            marks.add(new Mark(sample.timeMs(), Mark.Kind.ELECTION,
                "coordinator " + sample.leader() + " leads, term " + sample.term()));
        }
        term = Math.max(term, sample.term());
        addFailovers(sample, marks);

        return marks;
    }

    private void addFailovers(final ClusterSample sample, final List<Mark> marks)
    {
        final Map<Integer, List<Integer>> taken = new TreeMap<>();
        for (final ClusterSample.Partition partition : sample.partitions())
        {
            if (!partition.replicas().isEmpty() && ClusterSample.Role.HEAD == partition.replicas().get(0).role())
            {
                final int head = partition.replicas().get(0).node();
                final Integer before = heads.put(partition.id(), head);
                if (null != before && head != before)
                {
                    taken.computeIfAbsent(head, (node) -> new ArrayList<>()).add(partition.id());
                }
            }
        }
        taken.forEach((node, partitions) -> marks.add(new Mark(sample.timeMs(), Mark.Kind.FAILOVER,
            "server " + node + " leads partition" + (1 == partitions.size() ? " " : "s ") + named(partitions))));
    }

    private static String named(final List<Integer> numbers)
    {
        return numbers.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", ")) +
            (numbers.size() > MOST_NAMED ? " and " + (numbers.size() - MOST_NAMED) + " more" : "");
    }
}
