// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.driver.client.OpenFiles;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FailuresTest
{
    @Test
    void shouldSayWhatIsWrongWithAFile()
    {
        assertThat(Failures.oneLine(new NoSuchFileException("/a"))).isEqualTo("/a: no such file or directory");
        assertThat(Failures.oneLine(new AccessDeniedException("/a"))).isEqualTo("/a: no permission");
        assertThat(Failures.oneLine(new IOException("not read", new FileAlreadyExistsException("/a"))))
            .isEqualTo("not read: /a: is there already");
        assertThat(Failures.oneLine(new FileSystemException("/a", null, "No space left on device")))
            .isEqualTo("/a: No space left on device");
    }

    @Test
    void shouldNameTheLimitWhenTooManyFilesAreOpen()
    {
        final IOException full = new FileSystemException("/a", null, "Too many open files");
        assertThat(Failures.adviceFor(new IllegalStateException("cannot start", full)))
            .isEqualTo(": " + OpenFiles.REMEDY).contains("ulimit -n");
        assertThat(Failures.adviceFor(new IOException("Cannot run program \"java\": error=24, Too many open files")))
            .contains("ulimit -n");
        assertThat(Failures.adviceFor(new IllegalStateException("no: " + OpenFiles.REMEDY, full))).isEmpty();
        assertThat(OpenFiles.remedy(full, "name a writable --dir")).isEqualTo(OpenFiles.REMEDY);
        assertThat(OpenFiles.remedy(new AccessDeniedException("/a"), "name a writable --dir"))
            .isEqualTo("name a writable --dir");
    }

    @Test
    void shouldNameTheLocaleWhenANameHasLettersThatItHasNot()
    {
        assertThatThrownBy(() -> Failures.path("a\0b")).isInstanceOf(UsageException.class)
            .hasMessageContaining("LANG=C.UTF-8").hasMessageContaining("a\0b");
        // what Java makes of bytes that are none of the locale
        assertThatThrownBy(() -> Failures.path("caf\uFFFD.svm")).isInstanceOf(UsageException.class)
            .hasMessageContaining("a byte that is no text in UTF-8").hasMessageContaining("rename the file");
    }
}
