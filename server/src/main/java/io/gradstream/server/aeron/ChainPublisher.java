// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.chain.AttachAnswerEncoder;
import io.gradstream.codecs.chain.AttachEncoder;
import io.gradstream.codecs.chain.ForwardEncoder;
import io.gradstream.codecs.chain.HeartbeatEncoder;
import io.gradstream.codecs.chain.MessageHeaderEncoder;
import io.gradstream.codecs.chain.ProgressEncoder;
import io.gradstream.codecs.chain.SnapshotFrameEncoder;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.MoveBandwidth;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Function;

/** Encodes what this node says to its neighbours in the chains. */
final class ChainPublisher implements NodePort, AutoCloseable
{
    /** Most epochs of a history that an attach carries: the newest ones. */
    static final int MAX_EPOCHS = 2048;

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int FORWARD_LENGTH =
        HEADER_LENGTH + ForwardEncoder.BLOCK_LENGTH + ForwardEncoder.recordHeaderLength();
    private static final int FRAME_LENGTH =
        HEADER_LENGTH + SnapshotFrameEncoder.BLOCK_LENGTH + SnapshotFrameEncoder.frameHeaderLength();
    private static final int MAX_LENGTH = HEADER_LENGTH + AttachEncoder.BLOCK_LENGTH +
        AttachEncoder.EpochsEncoder.sbeHeaderSize() + MAX_EPOCHS * AttachEncoder.EpochsEncoder.sbeBlockLength();

    private final int nodeId;
    private final int jobId;
    private final long incarnation;
    private final MoveBandwidth moveBandwidth;
    private final Function<String, NeighbourStreams> opener;
    private final NeighbourStreams[] neighbours = new NeighbourStreams[JobSpec.MAX_NODES];
    private final String[] endpoints = new String[JobSpec.MAX_NODES];
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_LENGTH));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private final AttachEncoder attach = new AttachEncoder();
    private final ProgressEncoder progress = new ProgressEncoder();
    private final AttachAnswerEncoder attachAnswer = new AttachAnswerEncoder();
    private final ForwardEncoder forward = new ForwardEncoder();
    private final SnapshotFrameEncoder snapshotFrame = new SnapshotFrameEncoder();

    ChainPublisher(
        final int nodeId,
        final int jobId,
        final long incarnation,
        final MoveBandwidth moveBandwidth,
        final Function<String, NeighbourStreams> opener)
    {
        this.nodeId = nodeId;
        this.jobId = jobId;
        this.incarnation = incarnation;
        this.moveBandwidth = moveBandwidth;
        this.opener = opener;
    }

    /**
     * Where nodes listen now: streams to one that has moved are closed, and opened again when something is to be said.
     *
     * @param newest endpoints by node id.
     */
    void onEndpoints(final List<String> newest)
    {
        for (int node = 0; node < newest.size(); node++)
        {
            if (!newest.get(node).equals(endpoints[node]))
            {
                CloseHelper.quietClose(neighbours[node]);
                neighbours[node] = null;
                endpoints[node] = newest.get(node);
            }
        }
    }

    @Override
    public boolean heartbeat(
        final int neighbour, final long sentNs, final long heardNs, final long silentNs, final long mapVersion)
    {
        heartbeat.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation)
            .sentNs(sentNs)
            .nodeId(nodeId)
            .jobId(jobId)
            .heardNs(heardNs)
            .mapVersion(mapVersion)
            .silentNs(silentNs);

        return streams(neighbour).offerControl(buffer, HEADER_LENGTH + heartbeat.encodedLength());
    }

    @Override
    public boolean attach(final ChainLink link, final EpochHistory history, final long position)
    {
        final int first = Math.max(0, history.size() - MAX_EPOCHS);
        attach.wrapAndApplyHeader(buffer, 0, header)
            .attachment(link.attachment())
            .position(position)
            .partition(link.partition())
            .nodeId(nodeId);
        final AttachEncoder.EpochsEncoder epochs = attach.epochsCount(history.size() - first);
        for (int i = first; i < history.size(); i++)
        {
            epochs.next().epoch(history.epoch(i)).startPosition(history.startPosition(i));
        }

        return streams(link.nodeId()).offerControl(buffer, HEADER_LENGTH + attach.encodedLength());
    }

    @Override
    public boolean progress(
        final ChainLink link, final long applied, final long recorded, final long snapshotted, final long grantNs)
    {
        progress.wrapAndApplyHeader(buffer, 0, header)
            .attachment(link.attachment())
            .applied(applied)
            .recorded(recorded)
            .snapshotted(snapshotted)
            .partition(link.partition())
            .nodeId(nodeId)
            .grantNs(grantNs);

        return streams(link.nodeId()).offerControl(buffer, HEADER_LENGTH + progress.encodedLength());
    }

    @Override
    public boolean attachAnswer(final ChainLink link, final AttachAnswer answer, final long position)
    {
        attachAnswer.wrapAndApplyHeader(buffer, 0, header)
            .attachment(link.attachment())
            .position(position)
            .partition(link.partition())
            .code((short)answer.code());

        return streams(link.nodeId()).offerRecord(buffer, HEADER_LENGTH + attachAnswer.encodedLength());
    }

    @Override
    public boolean forward(
        final ChainLink link,
        final long previousPosition,
        final long endPosition,
        final DirectBuffer record,
        final int offset,
        final int length)
    {
        forward.wrapAndApplyHeader(buffer, 0, header)
            .attachment(link.attachment())
            .previousPosition(previousPosition)
            .endPosition(endPosition)
            .partition(link.partition());
        buffer.putInt(FORWARD_LENGTH - Integer.BYTES, length, ByteOrder.LITTLE_ENDIAN);

        return streams(link.nodeId()).offerRecord(buffer, FORWARD_LENGTH, record, offset, length);
    }

    @Override
    public boolean snapshotFrame(
        final ChainLink link, final long index, final DirectBuffer frame, final int offset, final int length)
    {
        snapshotFrame.wrapAndApplyHeader(buffer, 0, header)
            .attachment(link.attachment())
            .index(index)
            .partition(link.partition());
        buffer.putInt(FRAME_LENGTH - Integer.BYTES, length, ByteOrder.LITTLE_ENDIAN);

        return streams(link.nodeId()).offerRecord(buffer, FRAME_LENGTH, frame, offset, length);
    }

    @Override
    public MoveBandwidth moveBandwidth()
    {
        return moveBandwidth;
    }

    @Override
    public void close()
    {
        for (final NeighbourStreams neighbour : neighbours)
        {
            CloseHelper.quietClose(neighbour);
        }
    }

    private NeighbourStreams streams(final int neighbour)
    {
        if (null == neighbours[neighbour])
        {
            neighbours[neighbour] = opener.apply(endpoints[neighbour]);
        }

        return neighbours[neighbour];
    }
}
