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
package io.gradstream.server.node;

import io.aeron.ControlledFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.gradstream.codecs.chain.AttachAnswerDecoder;
import io.gradstream.codecs.chain.AttachDecoder;
import io.gradstream.codecs.chain.ForwardDecoder;
import io.gradstream.codecs.chain.HeartbeatDecoder;
import io.gradstream.codecs.chain.MessageHeaderDecoder;
import io.gradstream.codecs.chain.ProgressDecoder;
import io.gradstream.codecs.chain.SnapshotFrameDecoder;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.ChainNode;
import io.gradstream.recovery.replica.EpochHistory;
import io.gradstream.recovery.replica.Follower;
import io.gradstream.recovery.replica.PeerHeartbeat;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.NodeCounters.Counter;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;


/**
 * Decodes what neighbours in the chains say and calls one method for each message. A record that finds no room in the
 * log is left with Aeron; heartbeats come on a stream of their own and never wait behind it.
 */
final class ChainAdapter implements AutoCloseable
{
    /** Most fragments of one poll of each stream. */
    static final int FRAGMENT_LIMIT = 64;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int INITIAL_MESSAGE_LENGTH = 128 * 1024;

    private final int jobId;
    private final ChainNode node;
    private final Int2ObjectHashMap<Replica> replicas = new Int2ObjectHashMap<>();
    private final NodeCounters counters;
    private final Subscription control;
    private final Subscription records;
    private final ControlledFragmentAssembler controlAssembler =
        new ControlledFragmentAssembler(this::onControl, INITIAL_MESSAGE_LENGTH, true);
    private final ControlledFragmentAssembler recordAssembler =
        new ControlledFragmentAssembler(this::onRecord, INITIAL_MESSAGE_LENGTH, true);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final HeartbeatDecoder heartbeat = new HeartbeatDecoder();
    private final AttachDecoder attach = new AttachDecoder();
    private final ProgressDecoder progress = new ProgressDecoder();
    private final AttachAnswerDecoder attachAnswer = new AttachAnswerDecoder();
    private final ForwardDecoder forward = new ForwardDecoder();
    private final SnapshotFrameDecoder snapshotFrame = new SnapshotFrameDecoder();
    private final EpochHistory history = new EpochHistory();
    private final Follower.Forwarded forwarded = new Follower.Forwarded();
    private ChainLink progressLink = new ChainLink(-1, -1, 0);
    /** What broke while a message was handled: Aeron would report it and go on, so it is kept for the agent. */
    private RuntimeException failure;
    private long nowNs;

    ChainAdapter(
        final int jobId,
        final ChainNode node,
        final NodeCounters counters,
        final Subscription control,
        final Subscription records)
    {
        this.jobId = jobId;
        this.node = node;
        this.counters = counters;
        this.control = control;
        this.records = records;
    }

    /**
     * One more replica is kept here.
     */
    void add(final Replica replica)
    {
        replicas.put(replica.partition(), replica);
    }

    int poll(final long newNowNs)
    {
        nowNs = newNowNs;
        final int workCount = control.controlledPoll(controlAssembler, FRAGMENT_LIMIT) +
            records.controlledPoll(recordAssembler, FRAGMENT_LIMIT);
        if (null != failure)
        {
            throw failure;
        }

        return workCount;
    }

    /** No more comes from this session: what it left unfinished is dropped. */
    void onSessionGone(final int sessionId)
    {
        controlAssembler.freeSessionBuffer(sessionId);
        recordAssembler.freeSessionBuffer(sessionId);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(control, records);
    }

    private Action onControl(final DirectBuffer buffer, final int offset, final int length, final Header aeronHeader)
    {
        if (null == failure)
        {
            try
            {
                takeControl(buffer, offset, length);
            }
            catch (final RuntimeException ex)
            {
                failure = ex;
            }
        }

        return null == failure ? Action.CONTINUE : Action.ABORT;
    }

    private Action onRecord(final DirectBuffer buffer, final int offset, final int length, final Header aeronHeader)
    {
        boolean isTaken = false;
        if (null == failure)
        {
            try
            {
                isTaken = takeRecord(buffer, offset, length);
            }
            catch (final RuntimeException ex)
            {
                failure = ex;
            }
        }

        return isTaken ? Action.CONTINUE : Action.ABORT;
    }

    private void takeControl(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isSound(buffer, offset, length))
        {
            switch (header.templateId())
            {
                case HeartbeatDecoder.TEMPLATE_ID -> onHeartbeat(buffer, offset);
                case AttachDecoder.TEMPLATE_ID -> onAttach(buffer, offset);
                case ProgressDecoder.TEMPLATE_ID -> onProgress(buffer, offset);
                default -> counters.increment(Counter.MALFORMED_FRAMES);
            }
        }
    }

    private boolean takeRecord(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isSound(buffer, offset, length))
        {
            switch (header.templateId())
            {
                case ForwardDecoder.TEMPLATE_ID ->
                {
                    return onForward(buffer, offset, length);
                }
                case AttachAnswerDecoder.TEMPLATE_ID -> onAttachAnswer(buffer, offset);
                case SnapshotFrameDecoder.TEMPLATE_ID -> onSnapshotFrame(buffer, offset, length);
                default -> counters.increment(Counter.MALFORMED_FRAMES);
            }
        }

        return true;
    }

    private void onHeartbeat(final DirectBuffer buffer, final int offset)
    {
        heartbeat.wrapAndApplyHeader(buffer, offset, header);
        if (heartbeat.jobId() == jobId)
        {
            node.onHeartbeat(heartbeat.nodeId(), new PeerHeartbeat(
                heartbeat.incarnation(), heartbeat.sentNs(), heartbeat.heardNs(), heartbeat.silentNs(),
                heartbeat.mapVersion()), nowNs);
        }
    }

    private void onAttach(final DirectBuffer buffer, final int offset)
    {
        attach.wrapAndApplyHeader(buffer, offset, header);
        final Replica replica = replicas.get(attach.partition());
        if (null != replica)
        {
            final ChainLink link = new ChainLink(attach.nodeId(), attach.partition(), attach.attachment());
            final long position = attach.position();
            history.clear();
            for (final AttachDecoder.EpochsDecoder epoch : attach.epochs())
            {
                history.add(epoch.epoch(), epoch.startPosition());
            }
            replica.messages().onAttach(link, history, position, nowNs);
        }
    }

    private void onProgress(final DirectBuffer buffer, final int offset)
    {
        progress.wrapAndApplyHeader(buffer, offset, header);
        final Replica replica = replicas.get(progress.partition());
        if (null != replica)
        {
            replica.messages().onProgress(progressLink(), progress.applied(), progress.recorded(),
                progress.covered(), progress.echoNs(), nowNs);
        }
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
        final Replica replica = replicas.get(attachAnswer.partition());
        final AttachAnswer answer = AttachAnswer.of(attachAnswer.code());
        if (null != replica && null != answer)
        {
            replica.messages().onAttachAnswer(attachAnswer.attachment(), answer, attachAnswer.position());
        }
    }

    private boolean onForward(final DirectBuffer buffer, final int offset, final int length)
    {
        forward.wrapAndApplyHeader(buffer, offset, header);
        final Replica replica = replicas.get(forward.partition());
        final int recordLength = forward.recordLength();
        final int recordOffset = forward.limit() + ForwardDecoder.recordHeaderLength();
        if (null == replica || recordOffset + recordLength > offset + length)
        {
            counters.increment(Counter.MALFORMED_FRAMES);
            return true;
        }

        return replica.messages().onForward(forwarded
            .at(forward.attachment(), forward.previousPosition(), forward.endPosition())
            .of(buffer, recordOffset, recordLength));
    }

    private void onSnapshotFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        snapshotFrame.wrapAndApplyHeader(buffer, offset, header);
        final Replica replica = replicas.get(snapshotFrame.partition());
        final int frameLength = snapshotFrame.frameLength();
        final int frameOffset = snapshotFrame.limit() + SnapshotFrameDecoder.frameHeaderLength();
        if (null == replica || frameOffset + frameLength > offset + length)
        {
            counters.increment(Counter.MALFORMED_FRAMES);
            return;
        }
        replica.messages().onSnapshotFrame(
            snapshotFrame.attachment(), snapshotFrame.index(), buffer, frameOffset, frameLength);
    }

    private boolean isSound(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isSound = length >= HEADER_LENGTH &&
            MessageHeaderDecoder.SCHEMA_ID == header.wrap(buffer, offset).schemaId() &&
            MessageHeaderDecoder.SCHEMA_VERSION == header.version() &&
            header.blockLength() >= blockLength(header.templateId()) &&
            length >= HEADER_LENGTH + header.blockLength();
        if (!isSound)
        {
            counters.increment(Counter.MALFORMED_FRAMES);
        }

        return isSound;
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
