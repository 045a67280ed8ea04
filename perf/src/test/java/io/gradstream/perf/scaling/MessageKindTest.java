// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.SessionKeepAliveEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.gradstream.codecs.chain.HeartbeatEncoder;
import io.gradstream.codecs.coordinator.NodeReportEncoder;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessageKindTest
{
    private static final int LENGTH = 100;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

    @Test
    void shouldNameAMessageByItsHeader()
    {
        new HeartbeatEncoder().wrapAndApplyHeader(
            buffer, 8, new io.gradstream.codecs.chain.MessageHeaderEncoder());

        assertThat(MessageKind.of(buffer, 8, LENGTH)).isEqualTo("Heartbeat");
    }

    @Test
    void shouldNameWhatIsInAMessageOfASession()
    {
        new SessionMessageHeaderEncoder().wrapAndApplyHeader(
            buffer, 0, new io.aeron.cluster.codecs.MessageHeaderEncoder());
        new NodeReportEncoder().wrapAndApplyHeader(buffer, AeronCluster.SESSION_HEADER_LENGTH,
            new io.gradstream.codecs.coordinator.MessageHeaderEncoder());

        assertThat(MessageKind.of(buffer, 0, LENGTH)).isEqualTo("NodeReport");
        assertThat(MessageKind.of(buffer, 0, AeronCluster.SESSION_HEADER_LENGTH)).isEqualTo(MessageKind.OTHER);
    }

    @Test
    void shouldNameTheSystemWhenItDoesNotKnowTheMessage()
    {
        new SessionKeepAliveEncoder().wrapAndApplyHeader(
            buffer, 0, new io.aeron.cluster.codecs.MessageHeaderEncoder());
        assertThat(MessageKind.of(buffer, 0, LENGTH)).isEqualTo("SessionKeepAlive");
        new io.aeron.cluster.codecs.RequestVoteEncoder().wrapAndApplyHeader(
            buffer, 0, new io.aeron.cluster.codecs.MessageHeaderEncoder());
        assertThat(MessageKind.of(buffer, 0, LENGTH)).isEqualTo("of Aeron Cluster");
        new io.aeron.archive.codecs.ListRecordingsRequestEncoder().wrapAndApplyHeader(
            buffer, 0, new io.aeron.archive.codecs.MessageHeaderEncoder());
        assertThat(MessageKind.of(buffer, 0, LENGTH)).isEqualTo(MessageKind.LOCAL);
        assertThat(MessageKind.of(new ExpandableArrayBuffer(), 0, LENGTH)).isEqualTo(MessageKind.OTHER);
    }
}
