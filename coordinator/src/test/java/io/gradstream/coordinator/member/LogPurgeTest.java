// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.cluster.RecordingLog;
import io.gradstream.coordinator.session.ClusterSession;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(180)
class LogPurgeTest
{
    private static final int MEMBERS = 3;
    /** More than a segment of the log. */
    private static final int COMMANDS = 1 + MemberSettings.SEGMENT_FILE_LENGTH / ClusterSession.MAX_MESSAGE_LENGTH;
    /** The log's first segment is behind the last but one. */
    private static final int ROUNDS = 3;

    private final ClusterMember[] members = new ClusterMember[MEMBERS];
    private final CountingService[] services = new CountingService[MEMBERS];
    private List<String> endpoints;
    private TestClient client;

    @TempDir
    private Path dir;

    @BeforeEach
    void start() throws IOException
    {
        endpoints = FreePorts.members(MEMBERS);
        IntStream.range(0, MEMBERS).forEach(this::launch);
        client = new TestClient(endpoints);
        client.ask();
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(client);
        CloseHelper.closeAll(members);
    }

    @Test
    void shouldGoOnFromPurgedLogsWhenOneOrAllMembersStartAgain()
    {
        final int leader = client.session().leaderId();
        final int other = (leader + 1) % MEMBERS;
        fillAndPurge();
        IntStream.range(0, MEMBERS).forEach((id) -> assertThat(isPurged(id)).as("member %d", id).isTrue());
        assertThat(snapshotRecordings(leader)).isEqualTo(2 * MemberLog.KEPT_SNAPSHOTS);

        stop(other);
        final long before = client.ask();
        launch(other);
        awaitSettled(other);
        assertThat(services[other].startedFrom()).isPositive().isLessThanOrEqualTo(before);

        final long last = client.ask();
        IntStream.range(0, MEMBERS).forEach(this::stop);
        IntStream.range(0, MEMBERS).forEach(this::launch);
        assertThat(client.ask()).isBetween(last + 1, last + 3);
        IntStream.range(0, MEMBERS).forEach(this::awaitSettled);
    }

    @Test
    void shouldGiveAMemberWhatItMissedWhenTheOthersHavePurgedIt()
    {
        final int leader = client.session().leaderId();
        final int late = (leader + 1) % MEMBERS;
        final int emptied = (leader + 2) % MEMBERS;
        stop(late);
        fillAndPurge();
        assertThat(isPurged(leader)).isTrue();
        launch(late);
        awaitSettled(late);
        assertThat(services[late].startedFrom()).isGreaterThan(COMMANDS);

        stop(emptied);
        IoUtil.delete(dir.resolve(Integer.toString(emptied)).toFile(), false);
        launch(emptied);
        awaitSettled(emptied);
        assertThat(services[emptied].startedFrom()).isGreaterThan(COMMANDS);

        // only those two know now what was decided
        final long last = client.ask();
        stop(leader);
        assertThat(client.ask()).isBetween(last + 1, last + 3);
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

    private void awaitSettled(final int id)
    {
        client.await("member " + id + " catching up", () -> members[id].isSettled());
    }

    private void fillAndPurge()
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            for (int command = 0; command < COMMANDS; command++)
            {
                client.ask(ClusterSession.MAX_MESSAGE_LENGTH, (byte)command);
            }
            final long[] taken = running().mapToLong((id) -> members[id].snapshots()).toArray();
            client.await("asking for a snapshot", () -> running().anyMatch((id) -> members[id].requestSnapshot()));
            client.await("snapshot " + round, () -> running()
                .allMatch((id) -> members[id].snapshots() > taken[(int)running().filter((i) -> i < id).count()]));
            running().forEach((id) -> members[id].maintain(System.nanoTime()));
        }
    }

    private IntStream running()
    {
        return IntStream.range(0, MEMBERS).filter((id) -> null != members[id]);
    }

    private boolean isPurged(final int id)
    {
        final Path member = dir.resolve(Integer.toString(id));
        try (RecordingLog log = new RecordingLog(MemberDirectory.cluster(member).toFile(), false))
        {
            return !Files.exists(MemberDirectory.archive(member).resolve(log.findLastTermRecordingId() + "-0.rec"));
        }
    }

    private long snapshotRecordings(final int id)
    {
        final Path member = dir.resolve(Integer.toString(id));
        try (RecordingLog log = new RecordingLog(MemberDirectory.cluster(member).toFile(), false))
        {
            return log.entries().stream()
                .filter((entry) -> RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type &&
                    Files.exists(MemberDirectory.archive(member).resolve(entry.recordingId + "-0.rec")))
                .count();
        }
    }
}
