// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.ConnectRefusedDecoder;
import io.gradstream.codecs.wire.ConnectedDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.share.ConnectionLimit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The answer to a worker for which there is no room.
 */
class ConnectRefusedTest
{
    private static final int NODE = 3;
    private static final long INCARNATION = 70;
    private static final int OF_ONE_JOB = 3;

    private final NodeCounters counters = new NodeCounters();
    private final List<KeptStream> opened = new ArrayList<>();
    private final WorkerConnections connections = new WorkerConnections(
        (id) -> 1 == id, new ConnectionLimit(ConnectionLimit.LEAST), (channel, streamId) -> open(),
        ServedPartition.KEY_LIST_BYTES, counters);
    private final WorkerRequests requests = new WorkerRequests(
        new NodeIdentity(1, NODE, INCARNATION, "127.0.0.1:1"), new HostedPartitions(), connections, 64 * 1024,
        NodeTiming.SIGN_OF_LIFE_NS, (copy) -> {}, counters);
    private final IngressAdapter adapter = new IngressAdapter(requests);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    @Test
    void shouldTellAWorkerThatThereIsNoRoomOnceForEachTimeItAsks()
    {
        for (int session = 1; session <= OF_ONE_JOB; session++)
        {
            connect(session, session);
        }
        requests.doWork();
        assertThat(opened).hasSize(OF_ONE_JOB).allMatch((stream) -> ConnectedDecoder.TEMPLATE_ID == kind(stream, 0));

        connect(9, 40);
        requests.doWork();
        requests.doWork();
        final KeptStream refusal = opened.get(OF_ONE_JOB);
        assertThat(refusal.messages).hasSize(1);
        assertThat(kind(refusal, 0)).isEqualTo(ConnectRefusedDecoder.TEMPLATE_ID);
        final ConnectRefusedDecoder refused = new ConnectRefusedDecoder()
            .wrapAndApplyHeader(new UnsafeBuffer(refusal.messages.get(0)), 0, header);
        assertThat(refused.correlationId()).isEqualTo(40);
        assertThat(refused.nodeIncarnation()).isEqualTo(INCARNATION);
        assertThat(refused.nodeId()).isEqualTo(NODE);
        assertThat(refused.ofJob()).isEqualTo(OF_ONE_JOB);
        assertThat(refused.connections()).isEqualTo(OF_ONE_JOB);
        assertThat(refused.maxConnections()).isEqualTo(ConnectionLimit.LEAST);

        connect(9, 40);
        requests.doWork();
        assertThat(refusal.messages).hasSize(2);
        assertThat(opened).hasSize(OF_ONE_JOB + 1);
        assertThat(counters.get(Counter.REFUSED_CONNECTS)).isEqualTo(2);
        assertThat(counters.get(Counter.DROPPED_MESSAGES)).isZero();
    }

    private int kind(final KeptStream stream, final int index)
    {
        return header.wrap(new UnsafeBuffer(stream.messages.get(index)), 0).templateId();
    }

    private KeptStream open()
    {
        opened.add(new KeptStream());
        return opened.get(opened.size() - 1);
    }

    private void connect(final int session, final long correlationId)
    {
        final ConnectEncoder connect = new ConnectEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .correlationId(correlationId).incarnation(5).jobId(1).slot(session)
            .responseStreamId(102).responseChannel("aeron:udp?endpoint=127.0.0.1:40123");
        assertThat(adapter.onMessage(
            session, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength())).isTrue();
    }
}
