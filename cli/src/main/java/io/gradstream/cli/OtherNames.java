// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.util.List;

import picocli.CommandLine.Model.CommandSpec;

/** Names that other tools have for options of ours, so that an unknown option is answered with the right one. */
final class OtherNames
{
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
        return ours(name).stream().filter((option) -> null != command.findOption(option)).findFirst().orElse(null);
    }

    /** Our options for a name in other tools, without dashes; the likeliest first. */
    private static List<String> ours(final String name)
    {
        return switch (name)
        {
            case "epochs", "num-epochs", "iterations" -> List.of("--passes");
            case "batch-size" -> List.of("--batch");
            case "lr", "learning-rate", "eta", "optimizer", "momentum" -> List.of("--function");
            case "gradient-clip" -> List.of("--clip");
            case "copies", "replication-factor" -> List.of("--replicas");
            case "num-workers" -> List.of("--workers");
            case "num-servers" -> List.of("--servers");
            case "num-partitions", "shards" -> List.of("--partitions");
            case "sync" -> List.of("--staleness", "--coordinator-sync");
            case "input", "train", "dataset" -> List.of("--data");
            case "file" -> List.of("--data", "--out");
            case "valid", "validation", "test-data" -> List.of("--test");
            case "output", "model-out", "save-model" -> List.of("--out");
            case "load-model" -> List.of("--from", "--model");
            case "checkpoint" -> List.of("--resume", "--dir");
            case "restore" -> List.of("--resume");
            case "target", "label-column" -> List.of("--label");
            case "sep", "delimiter" -> List.of("--separator");
            case "host", "port" -> List.of("--endpoint", "--coordinator");
            case "id" -> List.of("--node-id", "--slot", "--member");
            case "rank" -> List.of("--slot");
            case "heap" -> List.of("--worker-heap");
            case "coordinators" -> List.of("--coordinator", "--members");
            case "bootstrap-server" -> List.of("--coordinator");
            case "log-dir" -> List.of("--log");
            case "web" -> List.of("--ui");
            default -> List.of();
        };
    }
}
