// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A coordinator and a server on one host, a server on another: network namespaces, whose link goes down.
 */
@Tag("faults")
@Tag("alone")
class LinkDownIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long DOWN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PARK_NS = 50_000_000;
    /** Of each process: a line for each kind of error, of which there are a few. */
    private static final int MAX_LINES = 20;
    private static final String COORDINATOR = "10.77.0.1:19000";

    private final String here = "gsl-a-" + ProcessHandle.current().pid();
    private final String there = "gsl-b-" + ProcessHandle.current().pid();
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path directory;

    @BeforeEach
    void connect() throws InterruptedException
    {
        Assumptions.assumeTrue(isDone("ip netns add " + here),
            "SKIPPED: no network namespaces here; they need root and ip of iproute2");
        ip("netns add " + there);
        ip("-n " + here + " link add gsl-a type veth peer name gsl-b netns " + there);
        for (final String command : List.of("addr add 10.77.0.1/24 dev gsl-a", "link set gsl-a up", "link set lo up"))
        {
            ip("-n " + here + " " + command);
        }
        for (final String command : List.of("addr add 10.77.0.2/24 dev gsl-b", "link set gsl-b up", "link set lo up"))
        {
            ip("-n " + there + " " + command);
        }
    }

    @AfterEach
    void disconnect() throws InterruptedException
    {
        processes.forEach(Process::destroy);
        for (final Process process : processes)
        {
            process.waitFor(10, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
        }
        isDone("ip netns del " + here);
        isDone("ip netns del " + there);
    }

    @Test
    void shouldTellAFewLinesWhenTheLinkIsDown() throws Exception
    {
        start(here, "coordinator", "coordinator --members " + COORDINATOR + " --dir DIR/c --mode chain --servers 2" +
            " --rows 1000");
        start(here, "server-0", "server --coordinator " + COORDINATOR + " --node-id 0 --endpoint 10.77.0.1:19100" +
            " --dir DIR/s0");
        start(there, "server-1", "server --coordinator " + COORDINATOR + " --node-id 1 --endpoint 10.77.0.2:19100" +
            " --dir DIR/s1");
        for (final String name : List.of("coordinator", "server-0", "server-1"))
        {
            awaitReady(name);
        }

        ip("-n " + here + " link set gsl-a down");
        final long endNs = System.nanoTime() + DOWN_NS;
        while (System.nanoTime() - endNs < 0)
        {
            LockSupport.parkNanos(PARK_NS);
        }

        assertThat(processes).allMatch(Process::isAlive);
        final List<String> lines = Files.readAllLines(directory.resolve("server-0.err"));
        assertThat(lines).anyMatch((line) -> line.contains("Network is unreachable"));
        for (final String name : List.of("coordinator", "server-0", "server-1"))
        {
            assertThat(Files.readAllLines(directory.resolve(name + ".err"))).as(name).hasSizeLessThan(MAX_LINES);
        }
    }

    private void start(final String namespace, final String name, final String arguments) throws IOException
    {
        final List<String> line = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        line.addAll(ChildJvm.command());
        line.addAll(List.of("-Xmx256m", "-cp", ChildJvm.classPath(), Command.GRADSTREAM));
        line.addAll(Arrays.asList((arguments + " --accept-plaintext").replace("DIR", directory.toString()).split(" ")));
        processes.add(new ProcessBuilder(line)
            .redirectOutput(directory.resolve(name + ".out").toFile())
            .redirectError(directory.resolve(name + ".err").toFile())
            .start());
    }

    private void awaitReady(final String name) throws IOException
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!Files.readString(directory.resolve(name + ".out")).contains("READY"))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError(name + ": " + Files.readString(directory.resolve(name + ".err")));
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private static void ip(final String arguments) throws InterruptedException
    {
        if (!isDone("ip " + arguments))
        {
            throw new AssertionError("failed: ip " + arguments);
        }
    }

    private static boolean isDone(final String command) throws InterruptedException
    {
        try
        {
            return 0 == new ProcessBuilder(command.split(" ")).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        }
        catch (final IOException noSuchCommand)
        {
            return false;
        }
    }
}
