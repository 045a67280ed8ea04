// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.aeron.AeronCounters;
import io.aeron.exceptions.TimeoutException;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveRequest;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.log.Log;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(40)
class ArchiveClientTest
{
    private static final int UNUSED_STREAM_ID = 4711;
    private static final long FREED_KEY = 0;

    private final ArchiveNode node = new ArchiveNode();

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(node);
    }

    @Test
    void shouldKeepTheLogsAndAskInANewSessionWhenOneIsLost()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(1, 100));
        final Set<Long> lost = sessionIds();
        assertThat(lost).isNotEmpty().allMatch((sessionId) -> node.archive().archiveProxy().closeSession(sessionId));

        ArchiveNode.await("another session", () -> sessionIds().stream().anyMatch((id) -> !lost.contains(id)));
        assertThat(node.storage(1).snapshotCount()).isZero();
        assertThat(sessionIds()).doesNotContainAnyElementsOf(lost);
        Records.append(log, Records.bytes(2, 100));
        Records.awaitRecorded(log);
        assertThat(log.isAlive()).isTrue();
        assertThat(Records.readLog(storage, 0)).containsExactly(Records.bytes(1, 100), Records.bytes(2, 100));
        storage.close();
    }

    @Test
    void shouldSaySoWhenTheClientDiesUnderALog()
    {
        final Log log = Records.openLog(node.storage(0), 0);
        Records.append(log, Records.bytes(1, 100));
        Records.awaitRecorded(log);
        final long recorded = log.recordedPosition();

        node.client().aeron().close();

        assertThat(log.isAlive()).isFalse();
        assertThat(log.recordedPosition()).isEqualTo(recorded);
        assertThat(log.tryClaim(100)).isFalse();
        assertThat(node.doWork()).isZero();
    }

    @Test
    void shouldGiveUpAwaitingWhatTheArchiveDoesNotAnswer()
    {
        node.storage(0);
        final ArchiveRequest request = new ArchiveRequest("an answer", (proxy, correlationId, session) -> true);

        assertThatThrownBy(() -> ArchiveNode.await("the end", () -> request.poll(node.client())))
            .isInstanceOf(TimeoutException.class).hasMessageContaining("gave up awaiting an answer");
    }

    @Test
    void shouldFailWhatWaitsWhenNoArchiveAnswers()
    {
        final ArchiveClient deaf = new ArchiveClient(
            node.client().aeron(), () -> node.archiveContext()
            .controlRequestStreamId(UNUSED_STREAM_ID).messageTimeoutNs(TimeUnit.MILLISECONDS.toNanos(200)),
            node.errors::add);
        final LogOpening opening = new LogOpening(
            new PartitionStreams(1, 0, LogGeometry.DEFAULT, SystemNanoClock.INSTANCE), 0);

        assertThatThrownBy(() -> ArchiveNode.await("the end", () ->
        {
            deaf.doWork(System.nanoTime());
            return opening.isDone(deaf);
        })).isInstanceOf(IllegalStateException.class).hasMessageContaining("connect timeout");
        assertThat(node.errors).as("attempts").hasSizeGreaterThan(1);
        deaf.close();
    }

    @Test
    void shouldGiveUpOpeningALogThatAnotherOneKeepsOpen()
    {
        final Log log = Records.openLog(node.storage(0), 0);
        final LogOpening opening = new LogOpening(
            new PartitionStreams(1, 0, LogGeometry.DEFAULT, SystemNanoClock.INSTANCE), 0);

        assertThatThrownBy(() -> ArchiveNode.await("the end", () -> opening.isDone(node.client())))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("cannot open the log")
            .hasMessageContaining("gave up awaiting stop of the log of partition=0");
        assertThat(log.isAlive()).isTrue();
    }

    /**
     * Of the sessions that are not the test's own. One that the Archive began, and the client gave up awaiting, is
     * among them for a while. The key of a counter that is freed while it is read is zero.
     */
    private Set<Long> sessionIds()
    {
        final Set<Long> found = new HashSet<>();
        node.archive().context().aeron().countersReader().forEach((counterId, typeId, key, label) ->
        {
            if (AeronCounters.ARCHIVE_CONTROL_SESSION_TYPE_ID == typeId)
            {
                found.add(key.getLong(BitUtil.SIZE_OF_LONG));
            }
        });
        found.removeAll(Set.of(FREED_KEY, node.archive().controlSessionId()));

        return found;
    }
}
