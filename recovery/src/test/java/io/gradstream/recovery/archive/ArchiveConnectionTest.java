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
package io.gradstream.recovery.archive;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.gradstream.recovery.archive.client.ArchiveConnection;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.archive.client.ReplayRequests;
import io.gradstream.recovery.archive.client.StreamOpening;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class ArchiveConnectionTest
{
    private final ArchiveNode node = new ArchiveNode();
    private final ArchiveConnection connection =
        new ArchiveConnection(node::aeronContext, node::archiveContext, node.errors::add);

    @AfterEach
    void tearDown()
    {
        CloseHelper.closeAll(connection, node);
    }

    @Test
    void shouldKeepTheClientThatOwnsTheLogsWhenASessionIsLost()
    {
        final Aeron aeron = connection.aeron();
        final AeronArchive archive = connection.archive();
        final ReplayRequests replays = connection.replays();
        assertThat(connection.archive()).isSameAs(archive);
        assertThat(connection.replays()).isSameAs(replays);

        archive.close();
        replays.close();

        connection.keepAlive();
        assertThat(connection.archive()).isNotSameAs(archive);
        assertThat(connection.replays()).isNotSameAs(replays);
        assertThat(connection.archive().listRecordings(0, 1, null)).isZero();
        assertThat(connection.aeron()).isSameAs(aeron);
        assertThat(aeron.isClosed()).isFalse();
    }

    @Test
    void shouldConnectAnewWhenTheClientHasDied()
    {
        final Aeron aeron = connection.aeron();
        connection.archive();
        aeron.close();

        assertThat(connection.archive().listRecordings(0, 1, null)).isZero();
        assertThat(connection.aeron()).isNotSameAs(aeron);
    }

    @Test
    void shouldSaySoWhenTheClientDiesUnderALog()
    {
        final StreamOpening opening = new StreamOpening(LogGeometry.DEFAULT.channel("test", 0), 1, null);
        final RecordedStream[] stream = new RecordedStream[1];
        ArchiveNode.await("stream", () ->
        {
            connection.keepAlive();
            stream[0] = opening.poll(connection);
            return null != stream[0];
        });
        assertThat(stream[0].tryClaim(100)).isTrue();
        stream[0].commit();
        ArchiveNode.await("the record", () -> stream[0].recordedPosition() == stream[0].position());
        final long recorded = stream[0].recordedPosition();

        connection.aeron().close();

        assertThat(stream[0].isAlive()).isFalse();
        assertThat(stream[0].isRecordingOver()).isTrue();
        assertThat(stream[0].recordedPosition()).isEqualTo(recorded);
        assertThat(stream[0].tryClaim(100)).isFalse();
    }
}
