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
package io.gradstream.worker.aeron;

import io.gradstream.driver.client.HostDriverException;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DriverConnectionTest
{
    @Test
    void shouldSayHowToStartADriverWhereNoneRuns(@TempDir final Path directory)
    {
        final String name = directory.resolve("driver").toString();

        assertThatThrownBy(() -> DriverConnection.open(name, (error) -> {}))
            .isInstanceOf(HostDriverException.class)
            .hasMessage("no media driver runs in " + name + ": start one with ./gradstream media-driver --aeron-dir " +
                name + ", or name the directory of one that runs");
    }
}
