// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.console;

import java.io.IOException;
import java.nio.file.Path;

import io.gradstream.console.ProgressSample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is left of a run to look at.
 */
class RunUiTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldDrawWhatWasSeenOfARunThatFails()
    {
        final Path picture = directory.resolve("failed.png");
        try (RunUi view = new RunUi("a run", null, 0, picture))
        {
            view.listeners().get(0).onSample(new ProgressSample(0, 1, 2, 3, 4, 0.5, 6, 7, Double.NaN));
        }

        assertThat(picture).isNotEmptyFile();
    }

    @Test
    void shouldDrawNothingOfARunThatFailedBeforeItBegan()
    {
        final Path picture = directory.resolve("failed.png");
        new RunUi("a run", null, 0, picture).close();

        assertThat(picture).doesNotExist();
    }

    @Test
    void shouldNotHideWithAPictureThatCannotBeDrawnWhyARunFailed()
    {
        try (RunUi view = new RunUi("a run", null, 0, directory.resolve("none").resolve("failed.png")))
        {
            view.listeners().get(0).onSample(new ProgressSample(0, 1, 2, 3, 4, 0.5, 6, 7, Double.NaN));
        }
    }

    @Test
    void shouldDrawARunThatEndsWell() throws IOException
    {
        final Path picture = directory.resolve("ended.png");
        try (RunUi view = new RunUi("a run", null, 0, picture))
        {
            view.end();
        }

        assertThat(picture).isNotEmptyFile();
    }
}
