// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.coordinator.DefineJobEncoder;
import io.gradstream.codecs.coordinator.MapDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.StatusDecoder;
import io.gradstream.codecs.coordinator.StatusRequestEncoder;
import io.gradstream.codecs.coordinator.WorkDecoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.NodeReportCodec;
import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.coordinator.state.CoordinatorSnapshot;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.state.LeadershipTransfers;
import io.gradstream.coordinator.state.WorkUnits;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The largest job there may be: each message of it fits the cluster's streams, and what counts are in it fits its
 * groups. Names are as long as they may be, each node reports each partition, each worker reaches each node, and each
 * slot holds as much work as it may.
 */
class LargestMessagesTest
{
    private static final JobSpec JOB = new JobSpec(
        JobSpec.MAX_PARTITIONS, JobSpec.MAX_COPIES, JobSpec.MAX_NODES, JobSpec.DEFAULT_VIRTUAL_NODES, JobSpec.MAX_ROWS,
        JobSpec.MAX_REPAIR_DELAY_MS, RecoveryMode.CHAIN)
        .with(new Consistency(Consistency.MAX_SLOTS, Consistency.MAX_STALENESS))
        .with(List.of("f".repeat(64) + "/1", "g".repeat(64) + "/1", "h".repeat(64) + "/1", "i".repeat(53) + "/1"));

    private final List<byte[]> offered = new ArrayList<>();
    private final ClientSession session = proxy(ClientSession.class);
    private final Cluster cluster = proxy(Cluster.class);
    private final CoordinatorService service = new CoordinatorService(CoordinatorListener.NONE);
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final NodeReportCodec reports = new NodeReportCodec();

    @BeforeEach
    void define()
    {
        service.start(cluster, new CoordinatorState());
        final DefineJobEncoder defineJob = new DefineJobEncoder().wrapAndApplyHeader(buffer, 0, header);
        ClusterMapCodec.encodeJob(JOB, defineJob.job());
        defineJob.clusterId(Long.MAX_VALUE);
        take(MessageHeaderEncoder.ENCODED_LENGTH + defineJob.encodedLength());
        for (int round = 1; round <= 3; round++)
        {
            for (int node = 0; node < JobSpec.MAX_NODES; node++)
            {
                final int length = reports.encode(report(node, round), buffer);
                assertThat(length).isLessThanOrEqualTo(ClusterSession.MAX_MESSAGE_LENGTH);
                take(length);
            }
        }
        for (int slot = 0; slot < LeadershipTransfers.MAX_WORKERS; slot++)
        {
            take(reach(slot));
        }
        for (int slot = 0; slot < Consistency.MAX_SLOTS; slot++)
        {
            take(new WorkCodec().encode(Long.MAX_VALUE, 1, new WorkReport(slot, Long.MAX_VALUE,
                new WorkSpec(1, WorkSpec.MAX_BATCHES, 1, 1, true), 0, 0, Integer.MAX_VALUE, false), buffer));
        }
    }

    @Test
    void shouldSendEachSessionTheMapOfTheLargestJob()
    {
        offered.clear();
        service.onSessionOpen(session, 0);
        take(reach(0));

        final DirectBuffer map = lastOf(MapDecoder.TEMPLATE_ID);
        assertThat(new ClusterMapCodec().decode(map, 0, map.capacity()).assignment())
            .hasSize(JobSpec.MAX_PARTITIONS).allMatch((nodes) -> JobSpec.MAX_COPIES == nodes.size());
    }

    @Test
    void shouldAnswerAReportOfWorkWithAllThatASlotMayHold()
    {
        final WorkAnswer answer = new WorkCodec().decodeAnswer(lastOf(WorkDecoder.TEMPLATE_ID), 0);
        assertThat(answer.slot()).isEqualTo(Consistency.MAX_SLOTS - 1);
        assertThat(answer.pieces()).hasSize(WorkUnits.MAX_PIECES);
    }

    @Test
    void shouldAnswerWithTheStatusOfTheLargestJob()
    {
        offered.clear();
        final StatusRequestEncoder request = new StatusRequestEncoder();
        request.wrapAndApplyHeader(buffer, 0, header).correlationId(7).jobId(1);
        take(MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength());

        final StatusDecoder status = new StatusDecoder().wrapAndApplyHeader(
            lastOf(StatusDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());
        int nodes = 0;
        for (final StatusDecoder.NodesDecoder ignored : status.nodes())
        {
            nodes++;
        }
        assertThat(nodes).isEqualTo(JobSpec.MAX_NODES);
        int replicas = 0;
        for (final StatusDecoder.ReplicasDecoder ignored : status.replicas())
        {
            replicas++;
        }
        assertThat(replicas).isEqualTo(JobSpec.MAX_PARTITIONS * JobSpec.MAX_COPIES);
        assertThat(status.slots().count()).isEqualTo(Consistency.MAX_SLOTS);
    }

    @Test
    void shouldWriteASnapshotOfTheLargestJobAndReadIt()
    {
        final CoordinatorSnapshot read = new CoordinatorSnapshot();
        final List<byte[]> written = new ArrayList<>();
        service.snapshot((message, offset, length) ->
        {
            // as long as a session's, without its header: the streams are alike
            assertThat(length).isLessThanOrEqualTo(ClusterSession.MAX_MESSAGE_LENGTH);
            read.onMessage(message, offset, length);
            written.add(bytes(message, offset, length));
        });

        assertThat(read.isComplete()).isTrue();
        final List<byte[]> again = new ArrayList<>();
        CoordinatorSnapshot.write(
            read.state(), (message, offset, length) -> again.add(bytes(message, offset, length)));
        assertThat(Arrays.deepEquals(again.toArray(), written.toArray())).isTrue();
        assertThat(read.state().work().openBatches(Consistency.MAX_SLOTS - 1)).isEqualTo(WorkUnits.MAX_PIECES);
        assertThat(written).hasSizeGreaterThan(JobSpec.MAX_PARTITIONS + LeadershipTransfers.MAX_WORKERS);
    }

    private static NodeReport report(final int node, final long number)
    {
        final List<ReplicaReport> replicas = new ArrayList<>();
        for (int partition = 0; partition < JobSpec.MAX_PARTITIONS; partition++)
        {
            replicas.add(new ReplicaReport(
                partition, ReplicaReport.Status.NONE, 0, LogEnd.NONE, node,
                List.of(new Suspicion(0, true), new Suspicion(1, true)),
                new ReplicaPositions(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE)));
        }
        final String name = "n" + node;

        return new NodeReport(node, Long.MAX_VALUE, number, true,
            name + "h".repeat(ClusterMapCodec.MAX_ENDPOINT_LENGTH - name.length()), replicas);
    }

    private int reach(final int slot)
    {
        final WorkerReachEncoder reach = new WorkerReachEncoder();
        final WorkerReachEncoder.NodesEncoder nodes = reach.wrapAndApplyHeader(buffer, 0, header).jobId(1)
            .incarnation(Long.MAX_VALUE).slot(slot).nodesCount(JobSpec.MAX_NODES);
        for (int node = 0; node < JobSpec.MAX_NODES; node++)
        {
            nodes.next().nodeId(node).isReached((short)1);
        }

        return MessageHeaderEncoder.ENCODED_LENGTH + reach.encodedLength();
    }

    private void take(final int length)
    {
        final UnsafeBuffer message = new UnsafeBuffer(bytes(buffer, 0, length));
        service.onSessionMessage(session, 1_000, message, 0, length, null);
    }

    private DirectBuffer lastOf(final int templateId)
    {
        final MessageHeaderDecoder decoder = new MessageHeaderDecoder();
        for (int i = offered.size() - 1; i >= 0; i--)
        {
            final UnsafeBuffer message = new UnsafeBuffer(offered.get(i));
            if (templateId == decoder.wrap(message, 0).templateId())
            {
                return message;
            }
        }
        throw new AssertionError("nothing was sent of template=" + templateId);
    }

    private static byte[] bytes(final DirectBuffer message, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        message.getBytes(offset, bytes);
        return bytes;
    }

    /** A cluster of which nothing is asked but this, or a session that takes what fits its stream. */
    private <T> T proxy(final Class<T> type)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (self, method, args) ->
            switch (method.getName())
            {
                case "offer" -> offer((DirectBuffer)args[0], (int)args[1], (int)args[2]);
                case "clientSessions" -> List.of(session);
                case "logPosition" -> 1L;
                case "memberId" -> 0;
                case "isClosing" -> false;
                case "hashCode" -> System.identityHashCode(self);
                case "equals" -> self == args[0];
                default -> throw new UnsupportedOperationException(method.toString());
            }));
    }

    private long offer(final DirectBuffer message, final int offset, final int length)
    {
        if (length > ClusterSession.MAX_MESSAGE_LENGTH)
        {
            // as Aeron does
            throw new IllegalArgumentException("message exceeds maxMessageLength, length=" + length);
        }
        offered.add(bytes(message, offset, length));

        return 1;
    }
}
