// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.codecs.coordinator.NodeReportEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Writes a {@link NodeReport} as a message, and reads it. */
public final class NodeReportCodec
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private static final ReplicaReport.Status[] STATUSES = ReplicaReport.Status.values();

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final NodeReportEncoder encoder = new NodeReportEncoder();
    private final NodeReportDecoder decoder = new NodeReportDecoder();

    /**
     * Write a report with its message header.
     *
     * @param report to write.
     * @param buffer large enough, or one that grows.
     * @return bytes written, from the buffer's beginning on.
     */
    public int encode(final NodeReport report, final MutableDirectBuffer buffer)
    {
        encoder.wrapAndApplyHeader(buffer, 0, headerEncoder)
            .incarnation(report.incarnation())
            .number(report.number())
            .nodeId(report.nodeId())
            .isAnswered(flag(report.isAnswered()));
        final NodeReportEncoder.ReplicasEncoder replicas = encoder.replicasCount(report.replicas().size());
        for (final ReplicaReport replica : report.replicas())
        {
            final NodeReportEncoder.ReplicasEncoder.SuspicionsEncoder suspicions = replicas.next()
                .applied(replica.positions().applied())
                .replicated(replica.positions().replicated())
                .recorded(replica.positions().recorded())
                .chainVersion(replica.chainVersion())
                .epoch(replica.logEnd().epoch())
                .position(replica.logEnd().position())
                .partition(replica.partition())
                .joiner(replica.joiner())
                .status((short)replica.status().ordinal())
                .isLossAccepted(flag(replica.logEnd().isLossAccepted()))
                .isJoinerServed(flag(replica.positions().isJoinerServed()))
                .suspicionsCount(replica.suspicions().size());
            replica.suspicions().forEach((suspicion) ->
                suspicions.next().nodeId(suspicion.nodeId()).isAnswered(flag(suspicion.isAnswered())));
        }
        encoder.endpoint(report.endpoint());

        return HEADER_LENGTH + encoder.encodedLength();
    }

    /**
     * Read what {@link #encode} wrote. Nothing after the message is read.
     *
     * @param buffer that holds the message and nothing else.
     * @param offset of its header.
     * @param length in bytes.
     * @return the report.
     * @throws IllegalArgumentException  if it is broken.
     * @throws IndexOutOfBoundsException if it is broken.
     */
    public NodeReport decode(final DirectBuffer buffer, final int offset, final int length)
    {
        decoder.wrapAndApplyHeader(buffer, offset, headerDecoder);
        final long incarnation = decoder.incarnation();
        final long number = decoder.number();
        final int nodeId = decoder.nodeId();
        requireAtMost(JobSpec.MAX_NODES - 1, nodeId);
        final boolean isAnswered = 0 != decoder.isAnswered();
        final NodeReportDecoder.ReplicasDecoder group = decoder.replicas();
        requireAtMost(JobSpec.MAX_PARTITIONS, group.count());
        final List<ReplicaReport> replicas = new ArrayList<>(group.count());
        while (group.hasNext())
        {
            replicas.add(decode(group.next()));
        }
        requireAtMost(ClusterMapCodec.MAX_ENDPOINT_LENGTH, decoder.endpointLength());
        final String endpoint = decoder.endpoint();
        if (endpoint.isEmpty() || !endpoint.chars().allMatch((character) -> character > ' ' && character <= '~'))
        {
            throw new IllegalArgumentException("invalid endpoint: must be host:port");
        }
        if (HEADER_LENGTH + decoder.encodedLength() != length)
        {
            throw new IllegalArgumentException("a report of " + (HEADER_LENGTH + decoder.encodedLength()) +
                " bytes came in a message of " + length);
        }

        return new NodeReport(nodeId, incarnation, number, isAnswered, endpoint, replicas);
    }

    private static ReplicaReport decode(final NodeReportDecoder.ReplicasDecoder replica)
    {
        final ReplicaPositions positions = new ReplicaPositions(
            replica.applied(), replica.replicated(), replica.recorded(), 0 != replica.isJoinerServed());
        final long chainVersion = replica.chainVersion();
        final LogEnd logEnd = new LogEnd(replica.epoch(), replica.position(), 0 != replica.isLossAccepted());
        final int partition = replica.partition();
        final int joiner = replica.joiner();
        final short status = replica.status();
        requireAtMost(STATUSES.length - 1, status);
        final NodeReportDecoder.ReplicasDecoder.SuspicionsDecoder group = replica.suspicions();
        requireAtMost(ReplicaReport.MAX_SUSPICIONS, group.count());
        final List<Suspicion> suspicions = new ArrayList<>(group.count());
        group.forEach((suspicion) -> suspicions.add(new Suspicion(suspicion.nodeId(), 0 != suspicion.isAnswered())));

        return new ReplicaReport(partition, STATUSES[status], chainVersion, logEnd, joiner, suspicions, positions);
    }

    /** No number is trusted: one that cannot be would have every coordinator read for long, or remember it. */
    private static void requireAtMost(final int most, final int number)
    {
        if (number < 0 || number > most)
        {
            throw new IllegalArgumentException("invalid number=" + number + " in a report: must be from 0 to " + most);
        }
    }

    private static short flag(final boolean value)
    {
        return (short)(value ? 1 : 0);
    }
}
