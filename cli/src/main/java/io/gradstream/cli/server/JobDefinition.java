// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.JobShape;
import io.gradstream.codecs.JobSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;


/** Options that say what a job is to its coordinator. */
final class JobDefinition
{
    @Mixin
    JobShape shape;

    @Option(names = "--servers", paramLabel = "N", defaultValue = "2",
        description = "Servers that must have registered before partitions are placed. Default: ${DEFAULT-VALUE}.")
    int servers;

    @Option(names = "--virtual-nodes", paramLabel = "N", defaultValue = "128",
        description = "Points of each server on the ring that places partitions. Default: ${DEFAULT-VALUE}.")
    int virtualNodes;

    @Option(names = "--node-timeout", paramLabel = "DURATION", defaultValue = "30s",
        converter = DurationConverter.class,
        description = "A server that is silent for so long loses its places to others. Default: ${DEFAULT-VALUE}.")
    long nodeTimeoutMs;

    /** The job. */
    JobSpec spec()
    {
        CommonOptions.checkRange("servers", servers, shape.replicas(), JobSpec.MAX_NODES);
        CommonOptions.checkRange(
            "node-timeout in ms", nodeTimeoutMs, JobSpec.MIN_REPAIR_DELAY_MS, JobSpec.MAX_REPAIR_DELAY_MS);

        return shape.spec(servers, virtualNodes, (int)nodeTimeoutMs);
    }
}
