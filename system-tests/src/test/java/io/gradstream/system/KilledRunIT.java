// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a run leaves that is killed, and who removes it.
 */
@Tag("faults")
@Tag("alone")
class KilledRunIT
{
    private static final long TIMEOUT_SECONDS = 120;
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    @TempDir
    private Path directory;

    @Test
    void shouldRemoveWhatAKilledRunLeft() throws Exception
    {
        final Process killed = Command.start(directory, "train", "--examples", "40000", "--pace", "10");
        try
        {
            awaitDirectories(killed, 4);
        }
        finally
        {
            final List<ProcessHandle> all = Stream.concat(
                Stream.of(killed.toHandle()), killed.descendants()).toList();
            all.forEach(ProcessHandle::destroyForcibly);
            all.forEach((handle) -> handle.onExit().join());
        }
        assertThat(leftBy(killed.pid())).as("what a kill leaves").hasSizeGreaterThanOrEqualTo(5);

        final Command next = Command.run(directory, TIMEOUT_SECONDS, "train", "--examples", "2000", "--json");

        assertThat(next.exitCode()).as(next.err()).isZero();
        assertThat(leftBy(killed.pid())).isEmpty();
    }

    @Test
    void shouldEndEverythingAndLeaveNoSharedMemoryWhenItAloneIsKilled() throws Exception
    {
        final Process killed = Command.start(directory, "train", "--examples", "40000", "--pace", "10");
        final List<ProcessHandle> children = new ArrayList<>();
        try
        {
            awaitDirectories(killed, 4);
            killed.descendants().forEach(children::add);
            assertThat(children).as("two servers at least").hasSizeGreaterThanOrEqualTo(2);
            killed.destroyForcibly().waitFor();
            for (final ProcessHandle child : children)
            {
                child.onExit().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
        }
        finally
        {
            killed.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }

        assertThat(entries(Path.of("/dev/shm"), killed.pid())).isEmpty();
    }

    /** Two servers, a coordinator and the workers' driver each have one. */
    private static void awaitDirectories(final Process process, final int count) throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (entries(Path.of("/dev/shm"), process.pid()).size() < count)
        {
            assertThat(process.isAlive()).isTrue();
            assertThat(System.nanoTime() - deadlineNs).as("time left").isNegative();
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private static List<Path> leftBy(final long pid) throws IOException
    {
        return Stream.concat(
            entries(Path.of("/dev/shm"), pid).stream(),
            entries(Path.of(System.getProperty("java.io.tmpdir")), pid).stream()).toList();
    }

    private static List<Path> entries(final Path parent, final long pid) throws IOException
    {
        try (Stream<Path> files = Files.list(parent))
        {
            return files.filter((file) -> file.getFileName().toString().matches("gradstream-.*-" + pid + "-.*"))
                .toList();
        }
    }
}
