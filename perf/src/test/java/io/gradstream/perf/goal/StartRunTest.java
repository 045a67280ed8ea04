/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
