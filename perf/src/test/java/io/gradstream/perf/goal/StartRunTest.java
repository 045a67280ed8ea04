// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.report.Measurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StartRunTest
{
    private static final String HOME = "gradstream.home";

    @TempDir
    private Path directory;

    @Test
    void shouldSayHowToStartItWhenThereIsNoLauncher()
    {
        System.setProperty(HOME, directory.toString());
        try
        {
            assertThatThrownBy(() -> Measurement.of(new StartRun(), "--windows=1"))
                .hasMessageContaining(directory.toString()).hasMessageContaining("./gradstream perf start");
        }
        finally
        {
            System.clearProperty(HOME);
        }
        assertThatThrownBy(() -> Measurement.of(new StartRun())).hasMessageContaining("./gradstream perf start");
    }
}
