// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.driver.DriverProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StartRunTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldSayHowToStartItWhenThereIsNoLauncher()
    {
        final GoalSettings settings = new GoalSettings(DriverProfile.DEV, directory, 1, 1_000_000);

        assertThatIllegalArgumentException().isThrownBy(() -> new StartRun(settings, directory.toString()))
            .withMessageContaining(directory.toString()).withMessageContaining("./gradstream perf start");
        assertThatIllegalArgumentException().isThrownBy(() -> new StartRun(settings, null))
            .withMessageContaining("./gradstream perf start");
    }
}
