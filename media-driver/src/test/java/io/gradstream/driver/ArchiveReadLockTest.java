// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.DirectoryLock;
import io.gradstream.driver.client.HostDriverException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArchiveReadLockTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldRefuseADirectoryThatANodeHolds()
    {
        try (ArchiveDirectory held = ArchiveDirectory.hold(dir))
        {
            assertThatThrownBy(() -> ArchiveReadLock.hold(held.path()))
                .isInstanceOf(HostDriverException.class)
                .hasMessageContaining("stop it, or copy the directory");
        }
        ArchiveReadLock.hold(dir).close();
    }

    @Test
    void shouldWriteNothingIntoACopy() throws IOException
    {
        try (ArchiveReadLock lock = ArchiveReadLock.hold(dir))
        {
            assertThat(lock).isNotNull();
            assertThat(dir).isEmptyDirectory();
        }
        Files.createFile(dir.resolve(DirectoryLock.FILE));
        try (ArchiveReadLock lock = ArchiveReadLock.hold(dir))
        {
            assertThat(Files.size(dir.resolve(DirectoryLock.FILE))).isZero();
            assertThat(lock).isNotNull();
        }
    }

    @Test
    void shouldKeepANodeOutWhileTheFilesAreRead() throws IOException
    {
        Files.createFile(dir.resolve(DirectoryLock.FILE));
        try (ArchiveReadLock lock = ArchiveReadLock.hold(dir))
        {
            assertThatThrownBy(() -> ArchiveDirectory.hold(dir)).isNotNull();
            assertThat(lock).isNotNull();
        }
        ArchiveDirectory.hold(dir).close();
    }
}
