// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.util.List;
import java.util.Map;

import picocli.CommandLine.Model.CommandSpec;

/** Names that other tools have for options of ours, so that an unknown option is answered with the right one. */
final class OtherNames
{
    /** Name in other tools, without dashes, to our options, the likeliest first. */
    private static final Map<String, List<String>> OPTIONS = Map.ofEntries(
        Map.entry("epochs", List.of("--passes")),
        Map.entry("num-epochs", List.of("--passes")),
        Map.entry("iterations", List.of("--passes")),
        Map.entry("batch-size", List.of("--batch")),
        Map.entry("lr", List.of("--function")),
        Map.entry("learning-rate", List.of("--function")),
        Map.entry("eta", List.of("--function")),
        Map.entry("optimizer", List.of("--function")),
        Map.entry("momentum", List.of("--function")),
        Map.entry("gradient-clip", List.of("--clip")),
        Map.entry("copies", List.of("--replicas")),
        Map.entry("replication-factor", List.of("--replicas")),
        Map.entry("num-workers", List.of("--workers")),
        Map.entry("num-servers", List.of("--servers")),
        Map.entry("num-partitions", List.of("--partitions")),
        Map.entry("shards", List.of("--partitions")),
        Map.entry("sync", List.of("--staleness", "--coordinator-sync")),
        Map.entry("input", List.of("--data")),
        Map.entry("file", List.of("--data", "--out")),
        Map.entry("train", List.of("--data")),
        Map.entry("dataset", List.of("--data")),
        Map.entry("valid", List.of("--test")),
        Map.entry("validation", List.of("--test")),
        Map.entry("test-data", List.of("--test")),
        Map.entry("output", List.of("--out")),
        Map.entry("model-out", List.of("--out")),
        Map.entry("save-model", List.of("--out")),
        Map.entry("load-model", List.of("--from", "--model")),
        Map.entry("checkpoint", List.of("--resume", "--dir")),
        Map.entry("restore", List.of("--resume")),
        Map.entry("target", List.of("--label")),
        Map.entry("label-column", List.of("--label")),
        Map.entry("sep", List.of("--separator")),
        Map.entry("delimiter", List.of("--separator")),
        Map.entry("host", List.of("--endpoint", "--coordinator")),
        Map.entry("port", List.of("--endpoint", "--coordinator")),
        Map.entry("id", List.of("--node-id", "--slot", "--member")),
        Map.entry("rank", List.of("--slot")),
        Map.entry("heap", List.of("--worker-heap")),
        Map.entry("coordinators", List.of("--coordinator", "--members")),
        Map.entry("bootstrap-server", List.of("--coordinator")),
        Map.entry("log-dir", List.of("--log")),
        Map.entry("web", List.of("--ui")));

    private OtherNames()
    {
    }

    /**
     * Name the option that is meant, for the first argument that the command does not know and another tool does.
     *
     * @param args    of the command line.
     * @param command that was to read them.
     * @return a clause for an error, or null if no argument is such a name.
     */
    static String explain(final String[] args, final CommandSpec command)
    {
        for (final String arg : args)
        {
            final String typed = arg.indexOf('=') < 0 ? arg : arg.substring(0, arg.indexOf('='));
            final String meant = typed.startsWith("--") && null == command.findOption(typed) ?
                of(typed.substring(2), command) : null;
            if (null != meant)
            {
                return typed + " is " + meant + " here";
            }
        }

        return null;
    }

    private static String of(final String name, final CommandSpec command)
    {
        return OPTIONS.getOrDefault(name, List.of()).stream()
            .filter((option) -> null != command.findOption(option)).findFirst().orElse(null);
    }
}
