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
package io.gradstream.server.coordinator;

import java.util.Map;
import java.util.TreeMap;

import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.AdmitDecoder;
import io.gradstream.codecs.coordinator.AliveDecoder;
import io.gradstream.codecs.coordinator.ClimbedDecoder;
import io.gradstream.codecs.coordinator.ConfirmDecoder;
import io.gradstream.codecs.coordinator.DefineJobDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.RegisterDecoder;
import io.gradstream.codecs.coordinator.SuspectDecoder;
import io.gradstream.server.coordinator.state.ClimbedReport;
import io.gradstream.server.coordinator.state.CoordinatorState;
import io.gradstream.server.coordinator.state.ReplicaPositions;
import org.agrona.DirectBuffer;

/**
 * Decodes commands and gives them to the state. One that cannot be read is no command: it changes nothing.
 */
final class CoordinatorCommands
{
    /** {@link AliveDecoder.ReplicasDecoder#said()}: nothing. */
    static final short SAID_NOTHING = 0;
    /** It waits for a role. */
    static final short SAID_CLIMBED = 1;
    /** It acts by a membership. */
    static final short SAID_CONFIRM = 2;
    /** It acts by a membership, and counts a joiner. */
    static final short SAID_ADMIT = 3;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final DefineJobDecoder defineJob = new DefineJobDecoder();
    private final RegisterDecoder register = new RegisterDecoder();
    private final ClimbedDecoder climbed = new ClimbedDecoder();
    private final ConfirmDecoder confirm = new ConfirmDecoder();
    private final SuspectDecoder suspect = new SuspectDecoder();
    private final AdmitDecoder admit = new AdmitDecoder();
    private final AliveDecoder alive = new AliveDecoder();
    private final StringBuilder text = new StringBuilder();

    /**
     * Template of a message.
     *
     * @return its id, or 0 if it is none of this version of Gradstream.
     */
    int templateId(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isSound = length >= HEADER_LENGTH &&
            MessageHeaderDecoder.SCHEMA_ID == header.wrap(buffer, offset).schemaId() &&
            header.version() <= MessageHeaderDecoder.SCHEMA_VERSION &&
            length >= HEADER_LENGTH + header.blockLength();

        return isSound ? header.templateId() : 0;
    }

    /**
     * What the last command said, empty for one that is not told: signs of life and what is no command.
     */
    CharSequence text()
    {
        return text;
    }

    /**
     * Give one command to the state.
     *
     * @param nowMs time of the message.
     * @return true if the map has changed.
     */
    boolean take(
        final CoordinatorState state,
        final long nowMs,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        text.setLength(0);
        final int templateId = templateId(buffer, offset, length);
        try
        {
            return switch (templateId)
            {
                case DefineJobDecoder.TEMPLATE_ID -> onDefineJob(state, buffer, offset);
                case RegisterDecoder.TEMPLATE_ID -> onRegister(state, nowMs, buffer, offset);
                case ClimbedDecoder.TEMPLATE_ID -> onClimbed(state, buffer, offset);
                case ConfirmDecoder.TEMPLATE_ID -> onConfirm(state, buffer, offset);
                case SuspectDecoder.TEMPLATE_ID -> onSuspect(state, buffer, offset);
                case AdmitDecoder.TEMPLATE_ID -> onAdmit(state, buffer, offset);
                case AliveDecoder.TEMPLATE_ID -> onAlive(state, nowMs, buffer, offset);
                default -> false;
            };
        }
        catch (final IndexOutOfBoundsException | IllegalArgumentException ex)
        {
            text.setLength(0);
            text.append("malformed template=").append(templateId).append(" length=").append(length);
            return false;
        }
    }

    private boolean onDefineJob(final CoordinatorState state, final DirectBuffer buffer, final int offset)
    {
        defineJob.wrapAndApplyHeader(buffer, offset, header);
        final JobSpec job = ClusterMapCodec.decodeJob(defineJob.job());
        text.append("job partitions=").append(null == job ? 0 : job.partitions());

        return null != job && state.defineJob(job);
    }

    private boolean onRegister(
        final CoordinatorState state, final long nowMs, final DirectBuffer buffer, final int offset)
    {
        register.wrapAndApplyHeader(buffer, offset, header);
        final int nodeId = register.nodeId();
        final long incarnation = register.incarnation();
        final boolean isTooLong = register.endpointLength() > ClusterMapCodec.MAX_ENDPOINT_LENGTH;
        final String endpoint = isTooLong ? "" : register.endpoint();
        text.append("register node=").append(nodeId).append(" incarnation=").append(incarnation)
            .append(" endpoint=").append(endpoint);

        return !endpoint.isEmpty() && state.register(nodeId, incarnation, endpoint, nowMs);
    }

    private boolean onClimbed(final CoordinatorState state, final DirectBuffer buffer, final int offset)
    {
        climbed.wrapAndApplyHeader(buffer, offset, header);
        text.append("climbed node=").append(climbed.nodeId()).append(" partition=").append(climbed.partition())
            .append(" epoch=").append(climbed.epoch()).append(" position=").append(climbed.position());

        return state.climbed(
            climbed.nodeId(), climbed.incarnation(), climbed.partition(), climbed.chainVersion(),
            new ClimbedReport(climbed.epoch(), climbed.position()));
    }

    private boolean onConfirm(final CoordinatorState state, final DirectBuffer buffer, final int offset)
    {
        confirm.wrapAndApplyHeader(buffer, offset, header);
        text.append("confirm node=").append(confirm.nodeId()).append(" partition=").append(confirm.partition())
            .append(" version=").append(confirm.chainVersion());

        return state.confirm(confirm.nodeId(), confirm.incarnation(), confirm.partition(), confirm.chainVersion());
    }

    private boolean onSuspect(final CoordinatorState state, final DirectBuffer buffer, final int offset)
    {
        suspect.wrapAndApplyHeader(buffer, offset, header);
        text.append("suspect node=").append(suspect.nodeId()).append(" partition=").append(suspect.partition())
            .append(" version=").append(suspect.chainVersion()).append(" about=").append(suspect.suspected());

        return state.suspect(
            suspect.nodeId(), suspect.incarnation(), suspect.partition(), suspect.chainVersion(),
            suspect.suspected());
    }

    private boolean onAdmit(final CoordinatorState state, final DirectBuffer buffer, final int offset)
    {
        admit.wrapAndApplyHeader(buffer, offset, header);
        text.append("admit node=").append(admit.nodeId()).append(" partition=").append(admit.partition())
            .append(" version=").append(admit.chainVersion()).append(" about=").append(admit.joiner());

        return state.admit(
            admit.nodeId(), admit.incarnation(), admit.partition(), admit.chainVersion(), admit.joiner());
    }

    private boolean onAlive(
        final CoordinatorState state, final long nowMs, final DirectBuffer buffer, final int offset)
    {
        alive.wrapAndApplyHeader(buffer, offset, header);
        final int node = alive.nodeId();
        final long incarnation = alive.incarnation();
        final Map<Integer, ReplicaPositions> positions = new TreeMap<>();
        boolean isChanged = false;
        for (final AliveDecoder.ReplicasDecoder replica : alive.replicas())
        {
            positions.put(replica.partition(),
                new ReplicaPositions(replica.applied(), replica.replicated(), replica.recorded()));
            isChanged |= repeat(state, node, incarnation, replica);
        }
        state.alive(node, incarnation, nowMs, positions);

        return isChanged;
    }

    private static boolean repeat(
        final CoordinatorState state,
        final int node,
        final long incarnation,
        final AliveDecoder.ReplicasDecoder replica)
    {
        final int partition = replica.partition();
        final long chainVersion = replica.chainVersion();
        return switch (replica.said())
        {
            case SAID_CLIMBED -> state.climbed(
                node, incarnation, partition, chainVersion, new ClimbedReport(replica.epoch(), replica.position()));
            case SAID_CONFIRM -> state.confirm(node, incarnation, partition, chainVersion);
            case SAID_ADMIT -> state.confirm(node, incarnation, partition, chainVersion) |
                state.admit(node, incarnation, partition, chainVersion, replica.joiner());
            default -> false;
        };
    }
}
