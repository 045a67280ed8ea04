// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.gradstream.testing.TestMemory;
import org.agrona.IoUtil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures, by hand, how long commands are held up when the leader of three member processes is killed.
 */
final class LeaderKillRig
{
    private static final int MEMBERS = 3;
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final double NS_PER_MS = 1e6;
    private static final int NINETEEN_OF_TWENTY = 95;

    private final String timing;
    private final Path dir;
    private final Path memory = TestMemory.directory("kill");
    private final List<String> endpoints;
    private final MemberProcess[] processes = new MemberProcess[MEMBERS];

    private LeaderKillRig(final String timing, final Path dir) throws IOException
    {
        this.timing = timing;
        this.dir = dir;
        endpoints = FreePorts.members(MEMBERS);
    }

    /**
     * Print each gap and their median and worst.
     *
     * @param args quiet or shared, how many kills.
     */
    public static void main(final String[] args) throws IOException
    {
        final Path dir = Files.createTempDirectory("gradstream-kill");
        try
        {
            new LeaderKillRig(args[0], dir).run(Integer.parseInt(args[1]));
        }
        finally
        {
            IoUtil.delete(dir.toFile(), true);
        }
    }

    private void run(final int kills) throws IOException
    {
        final long[] gapsNs = new long[kills];
        try (TestClient client = new TestClient(endpoints))
        {
            IntStream.range(0, MEMBERS).forEach(this::start);
            client.ask();
            System.out.println("pids " + Arrays.stream(processes).map((p) -> Long.toString(p.pid()))
                .collect(Collectors.joining(" ")) + " own " + ProcessHandle.current().pid());
            for (int i = 0; i < kills; i++)
            {
                rest(client);
                gapsNs[i] = kill(client);
            }
        }
        finally
        {
            for (int id = 0; id < MEMBERS; id++)
            {
                processes[id].close();
                IoUtil.delete(aeronDirectory(id).toFile(), true);
            }
        }

        Arrays.sort(gapsNs);
        System.out.printf("%s: %d kills, median %.0f ms, 19 of 20 within %.0f ms, worst %.0f ms%n", timing, kills,
            gapsNs[kills / 2] / NS_PER_MS,
            gapsNs[Math.max(0, kills * NINETEEN_OF_TWENTY / 100 - 1)] / NS_PER_MS,
            gapsNs[kills - 1] / NS_PER_MS);
    }

    private void rest(final TestClient client)
    {
        final long restUntilNs = System.nanoTime() + REST_NS;
        client.await("rest", () -> System.nanoTime() - restUntilNs >= 0);
        client.ask();
    }

    private long kill(final TestClient client) throws IOException
    {
        final int leader = client.session().leaderId();
        final long connection = client.session().connection();
        final long killNs = System.nanoTime();
        processes[leader].kill();
        client.ask();
        final long gapNs = System.nanoTime() - killNs;
        System.out.printf("member %d killed, gap %.0f ms, %s session, new leader %d%n", leader, gapNs / NS_PER_MS,
            connection == client.session().connection() ? "same" : "new", client.session().leaderId());
        processes[leader].close();
        start(leader);
        processes[leader].awaitSettled();

        return gapNs;
    }

    private void start(final int id)
    {
        try
        {
            processes[id] = MemberProcess.start(
                id, dir.resolve(Integer.toString(id)), aeronDirectory(id), timing, endpoints);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private Path aeronDirectory(final int id)
    {
        return memory.resolve(Integer.toString(id));
    }
}
