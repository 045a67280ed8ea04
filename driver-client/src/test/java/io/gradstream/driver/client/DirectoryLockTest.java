// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DirectoryLockTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldGiveEachHolderOfADirectoryTheSameName()
    {
        final String name = name(directory.resolve("a"));

        assertThat(name(directory.resolve("a"))).isEqualTo(name);
        assertThat(name(directory.resolve("b"))).isNotEqualTo(name);
    }

    /** As where two containers have a volume and its copy at the same path. */
    @Test
    void shouldGiveACopyInThePlaceOfTheDirectoryAnotherName() throws IOException
    {
        final Path place = directory.resolve("a");
        final String name = name(place);
        final byte[] text = Files.readAllBytes(place.resolve(DirectoryLock.FILE));
        Files.move(place, directory.resolve("moved"));
        Files.createDirectory(place);
        Files.write(place.resolve(DirectoryLock.FILE), text);

        assertThat(name(place)).isNotEqualTo(name);
    }

    @Test
    void shouldTakeALockFileOfAnOlderVersion() throws IOException
    {
        Files.writeString(directory.resolve(DirectoryLock.FILE), "4711");

        assertThat(name(directory)).isEqualTo(name(directory));
        assertThat(DirectoryLock.pidIn("4711")).isEqualTo("4711");
        assertThat(DirectoryLock.pidIn("4711\n6f0c\n")).isEqualTo("4711");
        assertThat(DirectoryLock.pidIn("")).isEmpty();
    }

    @Test
    void shouldRefuseADirectoryThatIsHeld()
    {
        try (DirectoryLock lock = DirectoryLock.hold(directory, "--dir"))
        {
            assertThat(lock.directory()).exists();
            assertThatThrownBy(() -> DirectoryLock.hold(directory, "--dir")).isInstanceOf(HostDriverException.class)
                .hasMessageContaining("another process (pid " + ProcessHandle.current().pid() + ") uses --dir=");
        }
    }

    private static String name(final Path place)
    {
        try (DirectoryLock lock = DirectoryLock.hold(place, "--dir"))
        {
            return lock.clientName();
        }
    }
}
