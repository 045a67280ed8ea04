/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command lines of a local cluster's processes.
 *
 * @param job              what is learned, and by how many workers.
 * @param profile          how processes wait.
 * @param endpoints        of the servers, host:port.
 * @param isDriverExternal does each server have its driver in a process of its own?
 * @param keepLog          all or needed.
 * @param rows             most rows of the table of weights.
 * @param holdBatches      last batches that each worker holds back.
 */
record ClusterPlan(
    JobOptions job,
    String profile,
    List<String> endpoints,
    boolean isDriverExternal,
    String keepLog,
    long rows,
    int holdBatches)
{
    private static final String STOP_ON_EOF = "--stop-on-eof";

    int servers()
    {
        return endpoints.size();
    }

    int workers()
    {
        return job.workers;
    }

    List<String> workersDriver(final Path aeronDirectory)
    {
        return List.of("media-driver", "--profile=" + profile, "--aeron-dir=" + aeronDirectory, STOP_ON_EOF);
    }

    List<String> serversDriver(final Path directory, final Path aeronDirectory)
    {
        return List.of("media-driver", "--profile=" + profile, "--dir=" + directory, "--aeron-dir=" + aeronDirectory,
            STOP_ON_EOF);
    }

    List<String> server(final int node, final Path directory, final Path aeronDirectory)
    {
        return List.of(
            "server",
            "--node-id=" + node,
            "--endpoint=" + endpoints.get(node),
            "--servers=" + String.join(",", endpoints),
            "--partitions=" + job.partitions,
            "--dir=" + directory,
            "--aeron-dir=" + aeronDirectory,
            "--driver=" + (isDriverExternal ? "external" : "internal"),
            "--profile=" + profile,
            "--keep-log=" + keepLog,
            "--rows=" + rows,
            STOP_ON_EOF);
    }

    List<String> worker(final int slot, final Path aeronDirectory)
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "worker",
            "--slot=" + slot,
            "--servers=" + String.join(",", endpoints),
            "--aeron-dir=" + aeronDirectory,
            "--profile=" + profile,
            "--hold-batches=" + holdBatches,
            STOP_ON_EOF));
        arguments.addAll(job.arguments());
        return arguments;
    }
}
