// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.Gradstream;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker of a living job that waits for one which has not begun, as the status tells it.
 */
@Timeout(60)
class StragglersStatusTest
{
    private static final JobSpec JOB = new JobSpec(
        2, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY)
        .with(new Consistency(2, 0));

    @TempDir
    private Path directory;

    @Test
    void shouldTellForWhomAPullWaitsAndNobodyOnceItIsAnswered() throws IOException
    {
        try (LocalCoordinator coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, JOB);
            ServerNode server = ServerNode.launch(new ServerNode.Context()
                .coordinators(coordinator.endpoints()).ingressEndpoint(LoopbackPorts.free(1).get(0))
                .dir(directory.resolve("server"))))
        {
            assertThat(server.awaitServing(TimeUnit.SECONDS.toNanos(20))).isTrue();
            try (GradstreamClient fast = connect(coordinator, server, 0))
            {
                final Table table = fast.createTable(TableSpec.dense(1, "rows", 8, 1, "add/1"));
                fast.clock();
                final float[] values = new float[8];
                final long pull = table.pullRange(0, 8, values);
                final String held = status(coordinator, fast);
                assertThat(held).containsPattern(
                    "held back     by slot 1, which has not begun, for [0-9]+[.][0-9] s \\(others up to 1\\)\\R")
                    .doesNotContain("incarnation");
                assertThat(status(coordinator, fast, "--json", "--tables"))
                    .containsPattern("\"stragglers\":\\{\"slots\":\\[1],\"notBegun\":1,\"pullWaitMs\":[1-9][0-9]*," +
                        "\"slowest\":0,\"fastest\":1}").contains("\"clock\":0,\"ended\":1,");

                try (GradstreamClient slow = connect(coordinator, server, 1))
                {
                    slow.awaitAll();
                    slow.clock();
                    slow.awaitAll();
                }
                fast.await(pull);
                assertThat(status(coordinator, fast)).containsPattern("held back     nobody\\R");
            }
        }
    }

    private static GradstreamClient connect(
        final LocalCoordinator coordinator, final ServerNode server, final int slot)
    {
        return GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(server.aeronDirectoryName()).coordinators(coordinator.endpoints()).slot(slot));
    }

    /** What the command prints while a worker lives. */
    private static String status(
        final LocalCoordinator coordinator, final GradstreamClient worker, final String... options)
    {
        final String[] arguments = new String[options.length + 3];
        arguments[0] = "status";
        arguments[1] = "--coordinator";
        arguments[2] = String.join(",", coordinator.endpoints());
        System.arraycopy(options, 0, arguments, 3, options.length);
        final StringWriter out = new StringWriter();
        final CommandLine commandLine = Gradstream.commandLine()
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        final CompletableFuture<Integer> exitCode =
            CompletableFuture.supplyAsync(() -> Gradstream.execute(commandLine, arguments));
        while (!exitCode.isDone())
        {
            worker.poll();
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(exitCode.join()).as("%s", out).isZero();

        return out.toString();
    }
}
