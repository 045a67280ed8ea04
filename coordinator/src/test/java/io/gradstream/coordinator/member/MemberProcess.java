// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that is one member with a counting service until it is killed.
 */
final class MemberProcess implements AutoCloseable
{
    private static final String SETTLED = "settled";
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long EXIT_TIMEOUT_S = 10;

    private final Process process;

    private MemberProcess(final Process process)
    {
        this.process = process;
    }

    /**
     * Child: say once that the member leads or follows, then go on until killed.
     *
     * @param args member id, its directory, its Aeron directory, timing, members.
     */
    public static void main(final String[] args)
    {
        final ClusterMember member = ClusterMember.launch(new ClusterMember.Context()
            .memberId(Integer.parseInt(args[0]))
            .dir(Path.of(args[1]))
            .aeronDirectory(Path.of(args[2]))
            .timing(timing(args[3]))
            .members(List.of(args[4].split(",")))
            .service(new CountingService())
            .terminationHook(() -> Runtime.getRuntime().halt(1)));
        boolean wasSettled = false;
        while (!member.isTerminated())
        {
            if (!wasSettled && member.isSettled())
            {
                System.out.println(SETTLED);
                wasSettled = true;
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    static ClusterTiming timing(final String name)
    {
        return "quiet".equals(name) ? ClusterTiming.QUIET : ClusterTiming.SHARED;
    }

    static MemberProcess start(
        final int id, final Path dir, final Path aeronDirectory, final String timing, final List<String> members)
        throws IOException
    {
        return new MemberProcess(new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
            "-Xmx96m",
            "-XX:+UseSerialGC",
            "-cp", System.getProperty("java.class.path"),
            MemberProcess.class.getName(),
            Integer.toString(id),
            dir.toString(),
            aeronDirectory.toString(),
            timing,
            String.join(",", members)).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }

    void awaitSettled() throws IOException
    {
        final BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII);
        if (!SETTLED.equals(reader.readLine()))
        {
            throw new IllegalStateException("the member ended before it had settled");
        }
    }

    long pid()
    {
        return process.pid();
    }

    void kill()
    {
        process.destroyForcibly();
    }

    public void close()
    {
        process.destroyForcibly();
        try
        {
            if (!process.waitFor(EXIT_TIMEOUT_S, TimeUnit.SECONDS))
            {
                throw new IllegalStateException("the child is not dead");
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
