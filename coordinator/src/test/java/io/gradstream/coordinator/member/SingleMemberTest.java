// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.driver.client.HostDriverException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

@Timeout(40)
class SingleMemberTest
{
    private List<String> members;
    private CountingService service;

    @TempDir
    private Path dir;

    @BeforeEach
    void choosePorts() throws IOException
    {
        members = FreePorts.members(1);
    }

    private ClusterMember launch()
    {
        return ClusterMember.launch(context());
    }

    private ClusterMember.Context context()
    {
        service = new CountingService();
        return new ClusterMember.Context()
            .members(members)
            .dir(dir)
            .timing(ClusterTiming.QUIET)
            .service(service);
    }

    @Test
    void shouldAnswerCommandsUpToTheLongest()
    {
        try (ClusterMember member = launch();
            TestClient client = new TestClient(members))
        {
            assertThat(client.session().connection()).isZero();
            assertThat(client.ask()).isEqualTo(1);
            assertThat(client.session().connection()).isEqualTo(1);
            assertThat(client.session().describe()).isEqualTo("connected to member 0 at " + members.get(0));
            assertThat(member.isLeader()).isTrue();

            assertThat(client.ask(ClusterSession.MAX_MESSAGE_LENGTH - CountingService.PREFIX_LENGTH, (byte)7))
                .isEqualTo(2);
            assertThat(client.lastLength()).isEqualTo(ClusterSession.MAX_MESSAGE_LENGTH);
            assertThat(client.lastByte()).isEqualTo((byte)7);
            assertThat(client.ask(ClusterSession.MAX_MESSAGE_LENGTH, (byte)9)).isEqualTo(3);
            assertThat(client.lastLength()).isEqualTo(ClusterSession.MAX_MESSAGE_LENGTH);
        }
    }

    @Test
    void shouldStartFromItsSnapshotAndTheLogBehindIt()
    {
        ClusterMember member = launch();
        try (TestClient client = new TestClient(members))
        {
            assertThat(client.ask()).isEqualTo(1);
            assertThat(client.ask()).isEqualTo(2);
            assertThat(member.requestSnapshot()).isTrue();
            final ClusterMember asked = member;
            client.await("snapshot", () -> 1 == asked.snapshots());
            assertThat(client.ask()).isEqualTo(3);
            member.close();

            member = launch();
            assertThat(client.ask()).isEqualTo(4);
            assertThat(service.startedFrom()).isEqualTo(2);
        }
        finally
        {
            member.close();
        }
    }

    /** Who asks does not know that its parts have ended, as after a long pause: it must not crash. */
    @Test
    void shouldLetItsCountersBeReadWhenItsPartsHaveEnded()
    {
        final ClusterMember member = launch();
        try (TestClient client = new TestClient(members))
        {
            assertThat(client.ask()).isEqualTo(1);
        }
        finally
        {
            member.close();
        }
        assertThat(member.snapshots()).isZero();
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> member.maintain(System.nanoTime()));
        assertThat(member.isTerminated()).isFalse();
    }

    @Test
    void shouldSnapshotAtItsIntervalWithALogThatIsForcedToDisk()
    {
        try (ClusterMember member = ClusterMember.launch(context().snapshotIntervalNs(1).sync(true));
            TestClient client = new TestClient(members))
        {
            assertThat(client.ask()).isEqualTo(1);
            client.await("two snapshots", () ->
            {
                member.maintain(System.nanoTime());
                return member.snapshots() >= 2;
            });
            assertThat(client.ask()).isEqualTo(2);
        }
    }

    @Test
    void shouldRefuseToStartTwice() throws IOException
    {
        try (ClusterMember member = launch())
        {
            assertThat(member.isTerminated()).isFalse();
            assertThatThrownBy(this::launch)
                .isInstanceOf(HostDriverException.class)
                .hasMessageContaining("cannot listen on UDP 127.0.0.1:").hasMessageContaining(" for members (");
            members = FreePorts.members(1);
            assertThatThrownBy(this::launch)
                .isInstanceOf(HostDriverException.class)
                .hasMessageContaining("uses archiveDirectory=" + dir.resolve("archive"));
        }
    }

    @Test
    void shouldGoOnWithANewConnectionWhenTheMemberStartsAgain() throws Exception
    {
        ClusterMember member = launch();
        try (TestClient client = new TestClient(members))
        {
            assertThat(client.ask()).isEqualTo(1);
            member.close();
            member = launch();
            assertThat(client.ask()).isEqualTo(2);
            assertThat(client.session().connection()).isEqualTo(2);

            member.close();
            Files.delete(dir.resolve("archive").resolve("clean-stop"));
            member = launch();
            assertThat(client.ask()).isEqualTo(3);
            assertThat(client.session().connection()).isEqualTo(3);
            assertThat(service.startedFrom()).isZero();
        }
        finally
        {
            member.close();
        }
    }
}
