// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.server.aeron.ServerNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Loads the classes that coordinators, servers and workers need, by being all of them for a moment. Run once with
 * {@code -XX:DumpLoadedClassList}, it lists what the archive holds with which every later process starts sooner.
 * <p>
 * The node lives twice, so that the second life finds a log to replay, as a restarted server does.
 */
@Command(name = "class-data", hidden = true,
    description = "Internal: load what servers and workers load, for an archive of class data.")
final class ClassDataCommand implements Callable<Integer>
{
    private static final int LIVES = 2;
    private static final JobSpec JOB = new JobSpec(
        1, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 1 << 10, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);
    private static final long READY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws IOException
    {
        try (RunDirectory run = RunDirectory.create(null);
            LocalCoordinator coordinator = LocalCoordinator.start(
                run.path().resolve("coordinator"), run.aeronDirectory("class-data"), JOB))
        {
            final String coordinators = String.join(",", coordinator.endpoints());
            for (int life = 0; life < LIVES; life++)
            {
                live(coordinators, run.path().resolve("server"), run.aeronDirectory("class-data-" + life));
            }
        }

        return 0;
    }

    private void live(final String coordinators, final Path dir, final Path aeronDirectory) throws IOException
    {
        final String endpoint = LoopbackPorts.free(1).get(0);
        try (ServerNode node = ServerNode.launch(new ServerNode.Context()
            .coordinators(List.of(coordinators))
            .ingressEndpoint(endpoint)
            .dir(dir)
            .profile(common.profile())
            .aeronDirectory(aeronDirectory)))
        {
            if (!node.awaitServing(READY_TIMEOUT_NS))
            {
                throw new IllegalStateException("the server does not serve: run the command again on a machine with" +
                    " less to do", node.failure());
            }
            train(coordinators, node.aeronDirectoryName());
        }
    }

    private static void train(final String coordinators, final String aeronDirectory)
    {
        // A command line without properties, so that the environment of the user does not get into it.
        final int exitCode = Gradstream.commandLine().execute("worker", "--coordinator=" + coordinators,
            "--aeron-dir=" + aeronDirectory, "--workers=1", "--passes=1", "--examples=64",
            "--features=256");
        if (0 != exitCode)
        {
            throw new IllegalStateException("the worker ended with exit code " + exitCode + ", see the lines above");
        }
    }
}
