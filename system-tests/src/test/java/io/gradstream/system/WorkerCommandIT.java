// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.server.aeron.ServerNode;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The command {@code worker} against a job that does not take what it sends.
 */
@Tag("faults")
class WorkerCommandIT
{
    private static final int TIMEOUT_SECONDS = 60;
    private static final int ROWS = 100;
    private static final JobSpec JOB = new JobSpec(
        2, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, ROWS, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);

    @TempDir
    private Path directory;
    private LocalCoordinator coordinator;
    private ServerNode server;
    private HostDriver workerHost;

    @BeforeEach
    void start() throws Exception
    {
        coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, JOB);
        server = ServerNode.launch(new ServerNode.Context()
            .coordinators(coordinator.endpoints())
            .ingressEndpoint("127.0.0.1:" + CoordinatorIT.freePort())
            .dir(directory.resolve("node")));
        workerHost = HostDriver.launch(new HostDriver.Context());
        assertThat(server.awaitServing(TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS))).isTrue();
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(workerHost, server, coordinator);
    }

    @Test
    void shouldSayWhyPushesWereRefusedAndEndWithOne() throws Exception
    {
        final Command worker = worker("--features=16384", "--examples=4000", "--passes=1");

        assertThat(worker.exitCode()).as(worker.err()).isEqualTo(1);
        assertThat(worker.err()).containsPattern("[1-9][0-9]* pushes were refused")
            .contains("OUT_OF_ROWS", "give the job more rows (coordinator --rows)").doesNotContain("\tat ");
    }

    @Test
    void shouldRefuseAnotherBoundThanTheJobs() throws Exception
    {
        final Path data = Files.writeString(directory.resolve("few.svm"), "1 1:1\n0 2:1\n".repeat(100));
        final Command worker = worker("--data=" + data, "--passes=1", "--staleness=0");

        assertThat(worker.exitCode()).as(worker.err()).isEqualTo(2);
        assertThat(worker.err()).contains("invalid --staleness=0: this job's is ").doesNotContain("\tat ");
        assertThat(worker("--data=" + data, "--passes=1").exitCode()).isZero();
    }

    @Test
    void shouldLeaveNothingOutInASlotThatHasFinished() throws Exception
    {
        final String data = "--data=" + Files.writeString(directory.resolve("few.svm"), "1 1:1\n0 2:1\n".repeat(100));
        assertThat(worker(data, "--passes=1").exitCode()).isZero();
        final Command refused = worker(data, "--passes=1", "--function=adam/1 rate=0.01");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("TABLE_MISMATCH");

        final Command again = worker(data, "--passes=1");

        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.err()).doesNotContain("continues after", "left out");
        assertThat(again.out()).contains("ended: 4 batches, 200 examples");
    }

    private Command worker(final String... options) throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of("worker", "--workers=1",
            "--coordinator=" + coordinator.endpoints().get(0), "--aeron-dir=" + workerHost.aeronDirectoryName()));
        arguments.addAll(List.of(options));
        return Command.run(Files.createTempDirectory(directory, "logs"), TIMEOUT_SECONDS,
            arguments.toArray(String[]::new));
    }
}
