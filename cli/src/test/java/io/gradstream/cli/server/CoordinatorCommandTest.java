// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.options.Failures;
import io.gradstream.driver.DirectoryOwner;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.launcher.LoopbackPorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class CoordinatorCommandTest
{
    private static final long PARK_NS = 1_000_000;

    @TempDir
    private Path dir;

    @Test
    void shouldKeepItsClusterAndRefuseADirectoryOfAnother() throws IOException
    {
        final InputStream standardInput = System.in;
        System.setIn(new EndsWhenClusterIsKnown());
        try
        {
            run(0, "--stop-on-eof");
        }
        finally
        {
            System.setIn(standardInput);
        }
        assertThat(owner()).containsPattern("cluster=[0-9a-f]+");

        Files.delete(dir.resolve(DirectoryOwner.FILE));
        DirectoryOwner.of(dir).claim("cluster", "abc");
        assertThat(run(Failures.EXIT_FAILED, "")).contains(
            "--dir " + dir + " is that of cluster abc, and this is cluster ", "name its own directory, or a new one");
    }

    @Test
    void shouldRefuseADirectoryThatHasForgottenWhatItsClusterDecided() throws IOException
    {
        DirectoryOwner.of(dir).claim("cluster", "abc");

        assertThat(run(Failures.EXIT_FAILED, "")).contains("--dir " + dir + " is that of cluster abc," +
            " but holds nothing any more of what that cluster decided: name its own directory, or a new one");
        assertThat(ClusterMember.hasLog(dir)).isFalse();
    }

    @Test
    void shouldRefuseToNameFunctionsOfGradstreamAsAUsersOwn() throws IOException
    {
        assertThat(run(Failures.EXIT_USAGE, "--functions sketch/1,adam/1"))
            .contains("invalid --functions=adam/1: Gradstream's own functions are there without being named");
    }

    private String run(final int exitCode, final String arguments) throws IOException
    {
        final String endpoint = LoopbackPorts.freeRanges(1, ClusterMember.PORTS).get(0);
        final StringWriter out = new StringWriter();
        final PrintWriter writer = new PrintWriter(out);
        final CommandLine commandLine = Gradstream.commandLine().setOut(writer).setErr(writer);
        assertThat(Gradstream.execute(
            commandLine, ("coordinator --members=" + endpoint + " --dir=" + dir + " " + arguments).split(" +")))
            .as("%s", out).isEqualTo(exitCode);

        return out.toString();
    }

    private String owner() throws IOException
    {
        final Path file = dir.resolve(DirectoryOwner.FILE);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /**
     * The parent's end of standard input, closed once the coordinator knows its cluster.
     */
    private final class EndsWhenClusterIsKnown extends InputStream
    {
        @Override
        public int read() throws IOException
        {
            while (!owner().contains("cluster="))
            {
                LockSupport.parkNanos(PARK_NS);
            }

            return -1;
        }
    }
}
