// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class NewFileTest
{
    @TempDir
    private Path dir;
    private Path file;

    @BeforeEach
    void setUp()
    {
        file = dir.resolve("file");
    }

    @Test
    void shouldAppearOnlyWhenItIsFinished() throws IOException
    {
        try (NewFile target = NewFile.create(file, false))
        {
            target.channel().write(ByteBuffer.wrap(new byte[]{'n', 'e', 'w'}));
            assertThat(file).doesNotExist();
            target.finish();
            assertThat(file).hasContent("new");
        }
        assertThat(dir.toFile().list()).containsExactly("file");
    }

    @Test
    void shouldLeaveAFileThatAppearedMeanwhile() throws IOException
    {
        try (NewFile target = NewFile.create(file, false))
        {
            Files.writeString(file, "precious");
            assertThatThrownBy(target::finish).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(file).hasContent("precious");
        assertThat(dir.toFile().list()).containsExactly("file");
    }

    @Test
    void shouldNeverReplaceADevice() throws IOException
    {
        Files.createSymbolicLink(file, Path.of("/dev/null"));
        assertThatThrownBy(() -> NewFile.create(file, true)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readSymbolicLink(file)).isEqualTo(Path.of("/dev/null"));
    }

    @Test
    void shouldLetTwoWritersOfOneNameWriteTheirOwn() throws IOException
    {
        try (NewFile first = NewFile.create(file, true); NewFile second = NewFile.create(file, true))
        {
            first.channel().write(ByteBuffer.wrap(new byte[]{'1', '1'}));
            second.channel().write(ByteBuffer.wrap(new byte[]{'2'}));
            first.finish();
            assertThat(file).hasContent("11");
            second.finish();
            assertThat(file).hasContent("2");
        }
        assertThat(dir.toFile().list()).containsExactly("file");
    }
}
