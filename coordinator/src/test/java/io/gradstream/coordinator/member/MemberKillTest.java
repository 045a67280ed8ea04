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
package io.gradstream.coordinator.member;

import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class MemberKillTest
{
    private final Path aeronDirectory =
        Path.of(System.getProperty("java.io.tmpdir"), "gradstream-killed-" + ProcessHandle.current().pid());

    @TempDir
    private Path dir;

    @AfterEach
    void removeAeronDirectory()
    {
        IoUtil.delete(aeronDirectory.toFile(), true);
    }

    @Test
    void shouldStartAtOnceWithAllThatWasAnsweredWhenKilled() throws IOException
    {
        final List<String> members = FreePorts.members(1);
        try (TestClient client = new TestClient(members))
        {
            try (MemberProcess member = MemberProcess.start(0, dir, aeronDirectory, "quiet", members))
            {
                member.awaitSettled();
                assertThat(client.ask()).isEqualTo(1);
                assertThat(client.ask()).isEqualTo(2);
            }

            try (MemberProcess member = MemberProcess.start(0, dir, aeronDirectory, "quiet", members))
            {
                member.awaitSettled();
                assertThat(client.ask()).isEqualTo(3);
                assertThat(client.session().connection()).isEqualTo(2);
            }
        }
    }
}
