// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.HostDriverException;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DirectoryOwnerTest
{
    @TempDir
    private Path parent;

    @Test
    void shouldStayTheOwnersWhoAskAgain()
    {
        final Path dir = parent.resolve("node0");
        DirectoryOwner.of(dir).claim("node", "0");
        DirectoryOwner.of(dir).claim("cluster", "abc");
        DirectoryOwner.of(dir).claim("node", "0");

        assertThat(dir.resolve(DirectoryOwner.FILE)).content().contains("node=0", "cluster=abc");
    }

    @Test
    void shouldRefuseAnotherOneAndSayWhoseItIs() throws Exception
    {
        DirectoryOwner.of(parent).claim("node", "0");
        final String before = Files.readString(parent.resolve(DirectoryOwner.FILE));

        assertThatThrownBy(() -> DirectoryOwner.of(parent).claim("node", "1"))
            .isInstanceOf(HostDriverException.class)
            .hasMessage("--dir " + parent + " is that of node 0, and this is node 1: name its own directory, or a new" +
                " one");
        assertThat(parent.resolve(DirectoryOwner.FILE)).hasContent(before);
    }

    @Test
    void shouldRefuseAFile() throws Exception
    {
        final Path file = Files.writeString(parent.resolve("a.svm"), "1 1:1");

        assertThatThrownBy(() -> DirectoryOwner.of(file).claim("node", "0")).isInstanceOf(HostDriverException.class)
            .hasMessage("--dir " + file + " is a file: name a directory");
    }

    @Test
    void shouldWriteNothingWhenItOnlyLooks()
    {
        final Path dir = parent.resolve("new");
        DirectoryOwner.of(dir).requireNoOther("node", "0");
        assertThat(dir).doesNotExist();

        DirectoryOwner.of(dir).claim("node", "1");
        assertThatThrownBy(() -> DirectoryOwner.of(dir).requireNoOther("node", "0"))
            .isInstanceOf(HostDriverException.class).hasMessageContaining("is that of node 1, and this is node 0");
    }

    @Test
    void shouldLiveWithAKillBetweenWritingAndMoving() throws Exception
    {
        DirectoryOwner.of(parent).claim("node", "0");
        Files.writeString(parent.resolve(DirectoryOwner.FILE + ".new"), "no");

        DirectoryOwner.of(parent).claim("cluster", "abc");

        assertThat(parent.resolve(DirectoryOwner.FILE)).content().contains("node=0", "cluster=abc");
    }
}
