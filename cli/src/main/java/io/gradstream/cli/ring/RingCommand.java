// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.ring;

import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.coordinator.state.Placement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Shows how partitions are placed on nodes, and what a join or a leave would move. It only calculates: nothing needs to
 * run, and nothing is changed.
 */
@Command(name = "ring", description = "Show how partitions are placed on nodes, and what a join or leave would move.")
public final class RingCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--nodes", paramLabel = "ID,...", split = CommonOptions.COMMA, required = true,
        description = "Ids of the nodes.")
    private List<Integer> nodes;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "64",
        description = "Number of partitions. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--replicas", paramLabel = "N", defaultValue = "2",
        description = "Replicas of each partition, the primary included. Default: ${DEFAULT-VALUE}.")
    private int replicas;

    @Option(names = "--virtual-nodes", paramLabel = "N", defaultValue = "" + Placement.DEFAULT_VIRTUAL_NODES,
        description = "Points of each node on the ring. Default: ${DEFAULT-VALUE}.")
    private int virtualNodes;

    @Option(names = "--join", paramLabel = "ID", description = "Say what would move to this node if it joined.")
    private Integer join;

    @Option(names = "--leave", paramLabel = "ID", description = "Say what would move if this node left or died.")
    private Integer leave;

    @Option(names = "--moves", description = "List each move; with --join or --leave only.")
    private boolean isMoves;

    @Option(names = "--json", description = "Print one JSON object instead.")
    private boolean isJson;

    @Override
    public Integer call()
    {
        validate();
        final Placement before = Placement.initial(nodes, partitions, replicas, virtualNodes);
        final RingReport report = new RingReport(before, virtualNodes, changed(before));
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson)
        {
            out.println(report.json(isMoves));
        }
        else
        {
            out.print(report.text(isMoves));
        }
        out.flush();

        return 0;
    }

    private Placement changed(final Placement before)
    {
        if (null != join)
        {
            return before.with(join);
        }

        return null != leave ? before.without(leave) : null;
    }

    private void validate()
    {
        final String list = String.join(",", nodes.stream().map(String::valueOf).toList());
        UsageException.refuseIf(nodes.size() > Placement.MAX_NODES || nodes.stream().anyMatch((node) -> node < 0) ||
            new HashSet<>(nodes).size() != nodes.size(),
            "invalid --nodes=" + list + ": must be 1.." + Placement.MAX_NODES +
                " different ids from 0");
        CommonOptions.checkRange("partitions", partitions, 1, PartitionFunction.MAX_PARTITIONS);
        CommonOptions.checkRange("replicas", replicas, 1, Placement.MAX_COPIES);
        CommonOptions.checkRange("virtual-nodes", virtualNodes, 1, Placement.MAX_VIRTUAL_NODES);
        UsageException.refuseIf(null != join && null != leave,
            "--join contradicts --leave: ask for one after the other");
        UsageException.refuseIf(isMoves && null == join && null == leave,
            "--moves without --join or --leave: name the node that joins or leaves");
        if (null != join && (join < 0 || nodes.contains(join) || nodes.size() == Placement.MAX_NODES))
        {
            throw new UsageException("invalid --join=" + join + ": must be an id from 0 that is not of --nodes " +
                list + ", which may be " + Placement.MAX_NODES + " with it");
        }
        UsageException.refuseIf(null != leave && (!nodes.contains(leave) || 1 == nodes.size()),
            "invalid --leave=" + leave + ": must be one of several --nodes, which are " +
                list);
    }
}
