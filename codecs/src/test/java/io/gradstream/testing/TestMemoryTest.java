// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.testing;

import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

class TestMemoryTest
{
    @Test
    void shouldRemoveWhatAKilledJvmHasLeftAndNothingElse() throws IOException
    {
        final Path own = Files.createDirectory(TestMemory.directory("own"));
        final Path left = root();
        final Path held = root();
        try (FileChannel channel = FileChannel.open(held.resolve(TestMemory.LOCK), StandardOpenOption.WRITE))
        {
            assertThat(channel.lock().isValid()).isTrue();
            Files.createFile(Files.createDirectory(left.resolve("driver-1")).resolve("cnc.dat"));

            TestMemory.removeLeftovers();
            assertThat(left).doesNotExist();
            assertThat(held).exists();
            assertThat(own).exists();
        }
        finally
        {
            IoUtil.delete(held.toFile(), true);
        }
    }

    @Test
    void shouldNameEachDirectoryOnce()
    {
        assertThat(TestMemory.directory("driver")).isNotEqualTo(TestMemory.directory("driver")).doesNotExist();
    }

    private static Path root() throws IOException
    {
        final Path root = Files.createDirectory(TestMemory.MEMORY.resolve(TestMemory.PREFIX + UUID.randomUUID()));
        Files.createFile(root.resolve(TestMemory.LOCK));

        return root;
    }
}
