// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
