// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.aeron.CncFileDescriptor;
import io.gradstream.cli.Gradstream;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.driver.client.HostClock;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.aeron.ServerNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a living server shows of its replicas.
 */
@Timeout(60)
class NodeStatusTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldShowWhereEachReplicaOfALivingServerStands() throws IOException
    {
        final List<Replica.State> states = new CopyOnWriteArrayList<>();
        final JobSpec job = new JobSpec(
            2, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);
        try (LocalCoordinator coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, job);
            ServerNode server = ServerNode.launch(new ServerNode.Context()
            .coordinators(coordinator.endpoints()).ingressEndpoint(freeEndpoint()).dir(directory.resolve("server"))
            .recoveryStateListener((partition, from, to, reason) -> states.add(to))))
        {
            assertThat(server.awaitServing(TimeUnit.SECONDS.toNanos(20))).isTrue();
            final String node = server.aeronDirectoryName();
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            String json = run("status", "--node", node, "--json");
            while ((2 != count(json, "\"state\":\"PRIMARY\",\"role\":\"HEAD\",\"epoch\":1,") ||
                json.contains("\"answers\":false")) && System.nanoTime() - deadlineNs < 0)
            {
                json = run("status", "--node", node, "--json");
            }

            assertThat(json).contains("\"node\":0,\"partition\":0,").contains("\"node\":0,\"partition\":1,")
                .doesNotContain("\"applied\":0,").doesNotContain("\"lease\":false").doesNotContain("\"answers\":false");
            assertThat(count(json, "\"state\":\"PRIMARY\",\"role\":\"HEAD\",\"epoch\":1,")).isEqualTo(2);
            assertThat(run("status", "--node", node)).contains("PRIMARY").contains("HEAD");
            assertThat(json).startsWith("{\"driverSilentMs\":0,");
            assertThat(run("errors", node)).contains("distinct errors");
            assertThat(run("errors", "--help")).contains("AERON_DIR");

            final String left = leftBehind(Path.of(node), TimeUnit.SECONDS.toMillis(60));
            assertThat(run("status", "--node", left)).contains("PRIMARY")
                .containsPattern("the media driver gave its last sign of life (59|6[0-9]) s ago: this is what it left");
        }
        assertThat(states).containsSubsequence(Replica.State.START_EPOCH, Replica.State.PRIMARY);
    }

    /** What a driver leaves that was killed so long ago. */
    private String leftBehind(final Path driver, final long agoMs) throws IOException
    {
        final Path left = Files.createDirectory(directory.resolve("left"));
        Files.copy(driver.resolve(CncFileDescriptor.CNC_FILE), left.resolve(CncFileDescriptor.CNC_FILE));
        final ByteBuffer offsetMs = ByteBuffer.wrap(Files.readAllBytes(driver.resolve(HostClock.FILE)));
        offsetMs.putLong(0, offsetMs.getLong(0) + agoMs);
        Files.write(left.resolve(HostClock.FILE), offsetMs.array());

        return left.toString();
    }

    private static int count(final String text, final String part)
    {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }

    private static String run(final String... arguments)
    {
        final StringWriter out = new StringWriter();
        final CommandLine commandLine = Gradstream.commandLine()
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        assertThat(Gradstream.execute(commandLine, arguments)).as("%s", out).isZero();

        return out.toString();
    }

    private static String freeEndpoint() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }
}
