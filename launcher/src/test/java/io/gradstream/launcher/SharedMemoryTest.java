// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.nio.file.Path;
import java.util.List;

import io.gradstream.driver.client.HostDriverException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.gradstream.driver.client.HostDriverException.Reason.NO_SPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class SharedMemoryTest
{
    private static final long MIB = 1024 * 1024;

    @TempDir
    private Path directory;

    /** 200 MiB hold each of the six drivers alone, and not all of them. */
    @Test
    void shouldRefuseAPlanWhoseDriversFindRoomOnlyEachAlone()
    {
        final ClusterPlan plan = plan("a:9", "b:9", "c:9");

        final HostDriverException refusal = catchThrowableOfType(
            HostDriverException.class, () -> having(200).requireRoomFor(plan));

        assertThat(refusal.reason()).isEqualTo(NO_SPACE);
        assertThat(refusal).hasMessage("not enough room in " + directory + ": needs 216 MiB at least, for 6 media " +
            "drivers, has 200 MiB; enlarge the file system (in a container --shm-size), or start fewer processes " +
            "(--servers, --coordinators)");
    }

    @Test
    void shouldAcceptAPlanWhoseDriversFindRoomTogether()
    {
        assertThatCode(() -> having(216).requireRoomFor(plan("a:9", "b:9", "c:9"))).doesNotThrowAnyException();
        assertThatCode(() -> having(102).requireRoomFor(plan("a:9"))).doesNotThrowAnyException();
        assertThatCode(() -> having(101).requireRoomFor(plan("a:9"))).isInstanceOf(HostDriverException.class);
    }

    @Test
    void shouldSayThatAProcessEndedForWantOfRoom()
    {
        final ProcessEndedException ended = having(15).ended("coordinator-1", 1, "a fault occurred");

        assertThat(ended.exitCode()).isEqualTo(SharedMemory.EXIT_NO_SPACE);
        assertThat(ended).hasMessageContaining("coordinator-1 ended with exit code 1").hasMessageContaining("15 MiB")
            .hasMessageContaining("--shm-size");
        assertThat(ended.lastErrors()).isEqualTo("a fault occurred");
        assertThat(having(16).ended("coordinator-1", 1, "").exitCode()).isEqualTo(1);
        assertThat(having(15).ended("coordinator-1", 2, "").exitCode()).isEqualTo(2);
    }

    private SharedMemory having(final long mib)
    {
        return new SharedMemory(directory, (asked) -> mib * MIB);
    }

    private static ClusterPlan plan(final String... coordinators)
    {
        return new ClusterPlan(
            List.of("a:1", "b:1"), List.of(coordinators), 1, 1, ServerPlan.chain("dev", ServerPlan.DEFAULT), null);
    }
}
