// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.chain.AttachAnswerDecoder;
import io.gradstream.codecs.chain.AttachDecoder;
import io.gradstream.codecs.chain.AttachDecoder.EpochsDecoder;
import io.gradstream.codecs.chain.ForwardDecoder;
import io.gradstream.codecs.chain.HeartbeatDecoder;
import io.gradstream.codecs.chain.MessageHeaderDecoder;
import io.gradstream.codecs.chain.ProgressDecoder;
import io.gradstream.codecs.chain.SnapshotFrameDecoder;
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * Decodes the messages of neighbours in the chains and makes one call of each. A message in which any length differs
 * from the bytes that are there is counted as malformed, and nothing in it is read.
 */
public final class ChainAdapter
{
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int LENGTH_LENGTH = ForwardDecoder.recordHeaderLength();

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final HeartbeatDecoder heartbeat = new HeartbeatDecoder();
    private final AttachDecoder attach = new AttachDecoder();
    private final ProgressDecoder progress = new ProgressDecoder();
    private final AttachAnswerDecoder attachAnswer = new AttachAnswerDecoder();
    private final ForwardDecoder forward = new ForwardDecoder();
    private final SnapshotFrameDecoder snapshotFrame = new SnapshotFrameDecoder();
    private final EpochHistory history = new EpochHistory();
    private ChainLink progressLink = new ChainLink(-1, -1, 0);
    private NeighbourMessages receiver;

    /** Set the receiver of the calls. */
    public void receiver(final NeighbourMessages newReceiver)
    {
        receiver = newReceiver;
    }

    /** Take a message that must not wait for records. True: it is always taken. */
    public boolean onControl(final int sessionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isSound(buffer, offset, length))
        {
            switch (header.templateId())
            {
                case HeartbeatDecoder.TEMPLATE_ID -> onHeartbeat(buffer, offset);
                case AttachDecoder.TEMPLATE_ID -> onAttach(buffer, offset);
                case ProgressDecoder.TEMPLATE_ID -> onProgress(buffer, offset);
                default -> receiver.onMalformed();
            }
        }

        return true;
    }

    /**
     * Take a record, or a message that stands between records.
     *
     * @return false if the log has no room for the record: it must come again.
     */
    public boolean onRecord(final int sessionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isSound(buffer, offset, length))
        {
            switch (header.templateId())
            {
                case ForwardDecoder.TEMPLATE_ID ->
                {
                    return onForward(buffer, offset);
                }
                case AttachAnswerDecoder.TEMPLATE_ID -> onAttachAnswer(buffer, offset);
                case SnapshotFrameDecoder.TEMPLATE_ID -> onSnapshotFrame(buffer, offset);
                default -> receiver.onMalformed();
            }
        }

        return true;
    }

    private void onHeartbeat(final DirectBuffer buffer, final int offset)
    {
        heartbeat.wrapAndApplyHeader(buffer, offset, header);
        receiver.onHeartbeat(heartbeat.jobId(), heartbeat.nodeId(), new PeerHeartbeat(
            heartbeat.incarnation(), heartbeat.sentNs(), heartbeat.heardNs(), heartbeat.silentNs(),
            heartbeat.mapVersion()));
    }

    private void onAttach(final DirectBuffer buffer, final int offset)
    {
        attach.wrapAndApplyHeader(buffer, offset, header);
        final ChainLink link = new ChainLink(attach.nodeId(), attach.partition(), attach.attachment());
        final long position = attach.position();
        history.clear();
        for (final EpochsDecoder epoch : attach.epochs())
        {
            if (!history.mayBeNext(epoch.epoch(), epoch.startPosition()))
            {
                receiver.onMalformed();
                return;
            }
            history.add(epoch.epoch(), epoch.startPosition());
        }
        receiver.onAttach(link, history, position);
    }

    private void onProgress(final DirectBuffer buffer, final int offset)
    {
        progress.wrapAndApplyHeader(buffer, offset, header);
        receiver.onProgress(progressLink(), progress.applied(), progress.recorded(), progress.snapshotted(),
            progress.grantNs());
    }

    private ChainLink progressLink()
    {
        if (progressLink.attachment() != progress.attachment() || progressLink.nodeId() != progress.nodeId() ||
            progressLink.partition() != progress.partition())
        {
            progressLink = new ChainLink(progress.nodeId(), progress.partition(), progress.attachment());
        }

        return progressLink;
    }

    private void onAttachAnswer(final DirectBuffer buffer, final int offset)
    {
        attachAnswer.wrapAndApplyHeader(buffer, offset, header);
        final AttachAnswer answer = AttachAnswer.of(attachAnswer.code());
        if (null == answer)
        {
            receiver.onMalformed();
            return;
        }
        receiver.onAttachAnswer(attachAnswer.partition(), attachAnswer.attachment(), answer, attachAnswer.position());
    }

    private boolean onForward(final DirectBuffer buffer, final int offset)
    {
        forward.wrapAndApplyHeader(buffer, offset, header);

        return receiver.onForward(forward.partition(), forward.attachment(), forward.previousPosition(),
            forward.endPosition(), buffer, forward.limit() + LENGTH_LENGTH, forward.recordLength());
    }

    private void onSnapshotFrame(final DirectBuffer buffer, final int offset)
    {
        snapshotFrame.wrapAndApplyHeader(buffer, offset, header);
        receiver.onSnapshotFrame(snapshotFrame.partition(), snapshotFrame.attachment(), snapshotFrame.index(),
            buffer, snapshotFrame.limit() + LENGTH_LENGTH, snapshotFrame.frameLength());
    }

    private boolean isSound(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isSound = length >= HEADER_LENGTH &&
            MessageHeaderDecoder.SCHEMA_ID == header.wrap(buffer, offset).schemaId() &&
            MessageHeaderDecoder.SCHEMA_VERSION == header.version() &&
            header.blockLength() == blockLength(header.templateId()) &&
            length >= HEADER_LENGTH + header.blockLength() && isRestSound(buffer, offset, length);
        if (!isSound)
        {
            receiver.onMalformed();
            if (length >= HEADER_LENGTH && MessageHeaderDecoder.SCHEMA_ID == header.schemaId() &&
                MessageHeaderDecoder.SCHEMA_VERSION != header.version())
            {
                receiver.onOtherVersion();
            }
        }

        return isSound;
    }

    /** True if the bytes after the fixed fields are as many as their lengths say. */
    private boolean isRestSound(final DirectBuffer buffer, final int offset, final int length)
    {
        final int restOffset = offset + HEADER_LENGTH + header.blockLength();
        final int rest = offset + length - restOffset;
        return switch (header.templateId())
        {
            case AttachDecoder.TEMPLATE_ID -> rest >= EpochsDecoder.HEADER_SIZE &&
                unsignedShort(buffer, restOffset) == EpochsDecoder.sbeBlockLength() &&
                rest - EpochsDecoder.HEADER_SIZE ==
                unsignedShort(buffer, restOffset + 2) * EpochsDecoder.sbeBlockLength();
            case ForwardDecoder.TEMPLATE_ID, SnapshotFrameDecoder.TEMPLATE_ID ->
                rest >= LENGTH_LENGTH && buffer.getInt(restOffset, ByteOrder.LITTLE_ENDIAN) == rest - LENGTH_LENGTH;
            default -> 0 == rest;
        };
    }

    private static int unsignedShort(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static int blockLength(final int templateId)
    {
        return switch (templateId)
        {
            case HeartbeatDecoder.TEMPLATE_ID -> HeartbeatDecoder.BLOCK_LENGTH;
            case AttachDecoder.TEMPLATE_ID -> AttachDecoder.BLOCK_LENGTH;
            case ProgressDecoder.TEMPLATE_ID -> ProgressDecoder.BLOCK_LENGTH;
            case AttachAnswerDecoder.TEMPLATE_ID -> AttachAnswerDecoder.BLOCK_LENGTH;
            case ForwardDecoder.TEMPLATE_ID -> ForwardDecoder.BLOCK_LENGTH;
            case SnapshotFrameDecoder.TEMPLATE_ID -> SnapshotFrameDecoder.BLOCK_LENGTH;
            default -> 0;
        };
    }
}
