// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.CncFileDescriptor;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.client.HostDriverException;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.gradstream.driver.client.HostDriverException.Reason.AERON_DIRECTORY_IN_USE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Which directories of drivers are removed, and which belong to somebody who lives: here, in another PID namespace, or
 * in nobody's sight.
 */
class LeftoversTest
{
    private final List<Path> made = new ArrayList<>();
    private final Path aeronDirectory = mine(AeronDirectory.newDefault());

    @TempDir
    private Path archiveDirectory;

    private Path mine(final Path directory)
    {
        made.add(directory);
        return directory;
    }

    @AfterEach
    void removeDirectories()
    {
        made.forEach((directory) -> IoUtil.delete(directory.toFile(), true));
    }

    private HostDriver launch()
    {
        return HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory));
    }

    private static void requirePidNamespaces() throws InterruptedException
    {
        final String obstacle = DrivingProcess.obstacle();
        assumeTrue(obstacle.isEmpty(), obstacle);
    }

    @Test
    void shouldLeaveALivingDriverOfAnotherPidNamespaceItsDirectory() throws Exception
    {
        requirePidNamespaces();
        try (DrivingProcess elsewhere = DrivingProcess.startElsewhere(aeronDirectory))
        {
            final HostDriverException refusal =
                catchThrowableOfType(HostDriverException.class, () -> launch().close());

            assertThat(refusal.reason()).isEqualTo(AERON_DIRECTORY_IN_USE);
            assertThat(refusal).hasMessageContaining("of another PID namespace");
            HostDriver.removeLeftovers();
            assertThat(aeronDirectory.resolve(CncFileDescriptor.CNC_FILE)).exists();

            elsewhere.kill();
            launch().close();
        }
    }

    /** Alone, since a driver that any other test starts removes it, too. */
    @Tag("alone")
    @Test
    void shouldRemoveAtTheNextStartWhatAKilledContainerLeft() throws Exception
    {
        requirePidNamespaces();
        try (DrivingProcess elsewhere = DrivingProcess.startElsewhere(null))
        {
            mine(elsewhere.aeronDirectory());
            assertThat(elsewhere.aeronDirectory().getFileName().toString())
                .doesNotContain(ProcessToken.scope());
            launch().close();
            assertThat(elsewhere.aeronDirectory()).exists();

            elsewhere.kill();
            assertThat(elsewhere.aeronDirectory()).exists();
            launch().close();

            assertThat(elsewhere.aeronDirectory()).doesNotExist();
        }
    }

    @Test
    void shouldRemoveTheDriversDirectoryOfAnArchiveThatIsNotStartedAgain() throws Exception
    {
        try (DrivingProcess archive = DrivingProcess.start(null, archiveDirectory))
        {
            mine(archive.aeronDirectory());
            assertThat(archive.aeronDirectory()).isEqualTo(AeronDirectory.defaultFor(archiveDirectory));
            launch().close();
            assertThat(archive.aeronDirectory()).exists();

            archive.kill();
            launch().close();

            assertThat(archive.aeronDirectory()).doesNotExist();
        }
    }

    @Test
    void shouldNotTakeAZombieForALivingDriver() throws Exception
    {
        final List<String> java = DrivingProcess.command(aeronDirectory, null);
        final List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" & echo $! >&2; exec sleep 600", "sh"));
        command.addAll(java);
        final Process parent = new ProcessBuilder(command).start();
        try (BufferedReader out = parent.inputReader(StandardCharsets.UTF_8);
            BufferedReader err = parent.errorReader(StandardCharsets.UTF_8))
        {
            final long pid = Long.parseLong(err.readLine());
            assertThat(out.readLine()).isEqualTo(aeronDirectory.toString());
            assertThat(ProcessToken.isAlive(pid)).isTrue();

            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            Await.until(TimeUnit.SECONDS.toNanos(10), () -> !ProcessToken.isAlive(pid));

            assertThat(ProcessHandle.of(pid)).as("not reaped").isPresent();
            launch().close();
        }
        finally
        {
            parent.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldJudgeOneWithoutALockByItsSignsOfLifeWhereItsProcessIsNotSeen() throws Exception
    {
        try (HostDriver living = launch())
        {
            final Path lately = copy(living, "gradstream-zzzzzzz-1-1-lately", 0);
            final Path longAgo = copy(living, "gradstream-zzzzzzz-archive-abc", 1);
            final Path strange = copy(living, "gradstream-of-a-user", 1);

            HostDriver.removeLeftovers();

            assertThat(lately).exists();
            assertThat(strange).exists();
            assertThat(longAgo).doesNotExist();
        }
    }

    /** What a driver of an older version leaves, whose last sign of life is so many limits old. */
    private Path copy(final HostDriver driver, final String name, final long limits) throws Exception
    {
        final Path from = Path.of(driver.aeronDirectoryName());
        final Path to = Files.createDirectories(mine(from.resolveSibling(name)));
        // a build that was killed may have left one
        Files.copy(from.resolve(CncFileDescriptor.CNC_FILE), to.resolve(CncFileDescriptor.CNC_FILE),
            StandardCopyOption.REPLACE_EXISTING);
        final ByteBuffer offsetMs = ByteBuffer.wrap(Files.readAllBytes(from.resolve(HostClock.FILE)));
        offsetMs.putLong(0, offsetMs.getLong(0) + limits * (AeronDirectory.LEFTOVER_SILENCE_MS + 1));
        Files.write(to.resolve(HostClock.FILE), offsetMs.array());

        return to;
    }
}
