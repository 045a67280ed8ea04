// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ThreeMembersTest
{
    private static final int MEMBERS = 3;

    private final ClusterMember[] members = new ClusterMember[MEMBERS];
    private final CountingService[] services = new CountingService[MEMBERS];
    private List<String> endpoints;

    @TempDir
    private Path dir;

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(members);
    }

    private void launch(final int id)
    {
        services[id] = new CountingService();
        members[id] = ClusterMember.launch(new ClusterMember.Context()
            .memberId(id)
            .members(endpoints)
            .dir(dir.resolve(Integer.toString(id)))
            .timing(ClusterTiming.QUIET)
            .service(services[id]));
    }

    private void stop(final int id)
    {
        members[id].close();
        members[id] = null;
    }

    private long leaders()
    {
        return IntStream.range(0, MEMBERS).filter((id) -> null != members[id] && members[id].isLeader()).count();
    }

    @Test
    void shouldFollowTheNewLeaderWhenTheLeaderStops() throws IOException
    {
        endpoints = FreePorts.members(MEMBERS);
        IntStream.range(0, MEMBERS).forEach(this::launch);
        try (TestClient client = new TestClient(endpoints))
        {
            assertThat(client.ask()).isEqualTo(1);
            assertThat(leaders()).isEqualTo(1);
            final int first = client.session().leaderId();
            final long firstTerm = client.session().leadershipTermId();
            assertThat(members[first].isLeader()).isTrue();

            stop(first);
            assertThat(client.ask()).isGreaterThanOrEqualTo(2);
            final int second = client.session().leaderId();
            assertThat(second).isNotEqualTo(first);
            assertThat(client.session().leadershipTermId()).isGreaterThan(firstTerm);

            launch(first);
            client.await("member " + first + " catching up", members[first]::isSettled);
            stop(second);
            assertThat(client.ask()).isGreaterThanOrEqualTo(3);
            assertThat(client.session().leaderId()).isNotEqualTo(second);
        }
    }

    @Test
    void shouldTakeFromTheLeaderWhatTwoMembersMissedOfItsTerm() throws IOException
    {
        endpoints = FreePorts.members(MEMBERS);
        IntStream.range(0, MEMBERS).forEach(this::launch);
        try (TestClient client = new TestClient(endpoints))
        {
            assertThat(client.ask()).isEqualTo(1);
            final int leader = client.session().leaderId();
            final int[] others = IntStream.range(0, MEMBERS).filter((id) -> id != leader).toArray();

            // what comes meanwhile the leader appends to its log, until it finds that nobody follows
            final CompletableFuture<Void> stopped =
                CompletableFuture.runAsync(() -> Arrays.stream(others).forEach(this::stop));
            client.await("two members stopping under commands", () ->
            {
                client.session().offer(new UnsafeBuffer(new byte[2 * Long.BYTES]), 0, 2 * Long.BYTES);
                return stopped.isDone();
            });
            client.await("the leader giving up its term", () -> !members[leader].isSettled());
            Arrays.stream(others).forEach(this::launch);
            client.await("members " + Arrays.toString(others) + " catching up",
                () -> Arrays.stream(others).allMatch((id) -> members[id].isSettled()));
            assertThat(client.ask()).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void shouldOpenASessionWithoutOneOfTheMembers() throws IOException
    {
        endpoints = FreePorts.members(MEMBERS);
        try (TestClient client = new TestClient(endpoints))
        {
            client.await("asking", () -> client.session().describe().startsWith("asking for the leader at"));
            assertThat(client.session().connection()).isZero();

            launch(0);
            launch(2);
            assertThat(client.ask()).isEqualTo(1);
        }
    }
}
