// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.cli.options.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DataContentTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldSayWhatDiffersFromTheRunBefore() throws IOException
    {
        final Path data = dir.resolve("data");
        final Path other = Files.writeString(dir.resolve("other"), "x");
        final List<Path> files = List.of(data, other);
        // longer than what is read at once
        final String first = "0 1:1\n".repeat(300_000);
        Files.writeString(data, first + "1 2:1\n");
        final DataContent before = DataContent.parse(DataContent.of(10, files).text());

        assertThat(DataContent.of(10, files).difference(before, files)).isNull();
        assertThat(DataContent.of(9, files).difference(before, files))
            .contains("are read as 9 examples, where that run read 10");
        assertThat(DataContent.of(10, List.of(data)).difference(before, List.of(data)))
            .isEqualTo("there are 1 data files, where that run had 2");

        // as tac does
        Files.writeString(data, "1 2:1\n" + first);
        assertThat(DataContent.of(10, files).difference(before, files))
            .isEqualTo(data + " has another content than that run read, of the same 1800006 bytes");
        Files.writeString(data, first);
        assertThat(DataContent.of(10, files).difference(before, files))
            .isEqualTo(data + " has 1800000 bytes, where that run read 1800006");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1/", "1/2", "1/2:xyz", "1/2:123456789"})
    void shouldRefuseWhatIsNoContent(final String text)
    {
        assertThatThrownBy(() -> DataContent.parse(text)).isInstanceOf(UsageException.class)
            .hasMessageContaining("--trained-on=" + text);
    }
}
