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
package io.gradstream.coordinator.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.coordinator.AdmitDecoder;
import io.gradstream.codecs.coordinator.AliveDecoder;
import io.gradstream.codecs.coordinator.ClaimDecoder;
import io.gradstream.codecs.coordinator.ClimbedDecoder;
import io.gradstream.codecs.coordinator.ConfirmDecoder;
import io.gradstream.codecs.coordinator.DefineJobDecoder;
import io.gradstream.codecs.coordinator.LeaveDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.RegisterDecoder;
import io.gradstream.codecs.coordinator.SuspectDecoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.coordinator.client.ClusterCoordinator;
import io.gradstream.coordinator.state.ClimbedReport;
import io.gradstream.coordinator.state.Complaint;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.state.ReplicaPositions;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decodes commands and gives them to the state. One that cannot be read is no command: it changes nothing.
 * <p>
 * Nothing is read but the message itself. What lies behind it in the log's buffer is not the same in every member, so
 * that one which took a length from the message on trust would decide differently from the others.
 */
final class CoordinatorCommands
{
    private static final short NO = 0;
    private static final short YES = 1;
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;

    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final DefineJobDecoder defineJob = new DefineJobDecoder();
    private final RegisterDecoder register = new RegisterDecoder();
    private final ClimbedDecoder climbed = new ClimbedDecoder();
    private final LeaveDecoder leave = new LeaveDecoder();
    private final ConfirmDecoder confirm = new ConfirmDecoder();
    private final SuspectDecoder suspect = new SuspectDecoder();
    private final ClaimDecoder claim = new ClaimDecoder();
    private final WorkerReachDecoder workerReach = new WorkerReachDecoder();
    private final AdmitDecoder admit = new AdmitDecoder();
    private final AliveDecoder alive = new AliveDecoder();
    private final List<Repeated> repeated = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    /** What a sign of life repeats of one partition. */
    private record Repeated(int partition, long chainVersion, short said, ClimbedReport report, int joiner)
    {
    }

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
        message.wrap(buffer, offset, length);
        final int templateId = templateId(message, 0, length);
        try
        {
            return switch (templateId)
            {
                case DefineJobDecoder.TEMPLATE_ID -> onDefineJob(state, nowMs);
                case RegisterDecoder.TEMPLATE_ID -> onRegister(state, nowMs);
                case ClimbedDecoder.TEMPLATE_ID -> onClimbed(state);
                case LeaveDecoder.TEMPLATE_ID -> onLeave(state);
                case ConfirmDecoder.TEMPLATE_ID -> onConfirm(state);
                case SuspectDecoder.TEMPLATE_ID -> onSuspect(state, nowMs);
                case AdmitDecoder.TEMPLATE_ID -> onAdmit(state);
                case ClaimDecoder.TEMPLATE_ID -> onClaim(state);
                case WorkerReachDecoder.TEMPLATE_ID -> onWorkerReach(state, nowMs);
                case AliveDecoder.TEMPLATE_ID -> onAlive(state, nowMs);
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

    private boolean onDefineJob(final CoordinatorState state, final long nowMs)
    {
        requireWhole(defineJob.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final JobSpec job = ClusterMapCodec.decodeJob(defineJob.job());
        text.append("job partitions=").append(null == job ? 0 : job.partitions());

        return null != job &&
            // every member of the cluster sees the same time, and no other cluster began in that millisecond
            state.defineJob(job, 0 == header.version() ? ClusterMap.NO_CLUSTER : PartitionFunction.mix(nowMs) | 1);
    }

    private boolean onRegister(final CoordinatorState state, final long nowMs)
    {
        requireWhole(register.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final int nodeId = register.nodeId();
        final long incarnation = register.incarnation();
        final String endpoint = register.endpoint();
        if (endpoint.isEmpty() || endpoint.length() > ClusterMapCodec.MAX_ENDPOINT_LENGTH || !isWord(endpoint))
        {
            throw new IllegalArgumentException("invalid endpoint: must be host:port");
        }
        text.append("register node=").append(nodeId).append(" incarnation=").append(incarnation)
            .append(" endpoint=").append(endpoint);

        // Commands of version 0 are decided as they were then, wherever an old log is replayed.
        final boolean isHeld = header.version() > 0 && state.isHeldElsewhere(nodeId, endpoint, nowMs);

        return !isHeld && state.register(nodeId, incarnation, endpoint, nowMs);
    }

    private boolean onClimbed(final CoordinatorState state)
    {
        requireWhole(climbed.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        text.append("climbed node=").append(climbed.nodeId()).append(" partition=").append(climbed.partition())
            .append(" epoch=").append(climbed.epoch()).append(" position=").append(climbed.position());

        return state.climbed(
            climbed.nodeId(), climbed.incarnation(), climbed.partition(), climbed.chainVersion(),
            new ClimbedReport(climbed.epoch(), climbed.position()));
    }

    private boolean onLeave(final CoordinatorState state)
    {
        requireWhole(leave.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        text.append("leave node=").append(leave.nodeId()).append(" partition=").append(leave.partition())
            .append(" version=").append(leave.chainVersion());

        return state.leave(leave.nodeId(), leave.incarnation(), leave.partition(), leave.chainVersion());
    }

    private boolean onConfirm(final CoordinatorState state)
    {
        requireWhole(confirm.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        text.append("confirm node=").append(confirm.nodeId()).append(" partition=").append(confirm.partition())
            .append(" version=").append(confirm.chainVersion());

        return state.confirm(confirm.nodeId(), confirm.incarnation(), confirm.partition(), confirm.chainVersion());
    }

    private boolean onSuspect(final CoordinatorState state, final long nowMs)
    {
        requireWhole(suspect.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        text.append("suspect node=").append(suspect.nodeId()).append(" partition=").append(suspect.partition())
            .append(" version=").append(suspect.chainVersion()).append(" about=").append(suspect.suspected());
        // before version 1 whoever complained was believed
        final boolean isAnswered = NO != suspect.isAnswered();
        text.append(isAnswered ? "" : " unanswered");
        if (YES == suspect.isAnswered())
        {
            state.complaints().onAnswered(suspect.nodeId(), suspect.incarnation(), nowMs);
        }

        return state.complaints().take(new Complaint(
            suspect.nodeId(), suspect.incarnation(), suspect.partition(), suspect.chainVersion(),
            suspect.suspected(), isAnswered, nowMs));
    }

    private boolean onAdmit(final CoordinatorState state)
    {
        requireWhole(admit.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        text.append("admit node=").append(admit.nodeId()).append(" partition=").append(admit.partition())
            .append(" version=").append(admit.chainVersion()).append(" about=").append(admit.joiner());

        return state.admit(
            admit.nodeId(), admit.incarnation(), admit.partition(), admit.chainVersion(), admit.joiner());
    }

    private boolean onClaim(final CoordinatorState state)
    {
        requireWhole(claim.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        text.append("claim node=").append(claim.nodeId()).append(" partition=").append(claim.partition())
            .append(" version=").append(claim.chainVersion());

        return state.leads().claim(claim.nodeId(), claim.incarnation(), claim.partition(), claim.chainVersion());
    }

    private boolean onWorkerReach(final CoordinatorState state, final long nowMs)
    {
        requireWhole(workerReach.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final int slot = workerReach.slot();
        final long incarnation = workerReach.incarnation();
        final Map<Integer, Boolean> nodes = new TreeMap<>();
        for (final WorkerReachDecoder.NodesDecoder node : workerReach.nodes())
        {
            nodes.put(node.nodeId(), 0 != node.isReached());
        }
        final boolean isChanged = state.leads().onReach(slot, incarnation, nodes, nowMs);
        if (isChanged)
        {
            text.append("reach slot=").append(slot).append(" nodes=").append(nodes);
        }

        return isChanged;
    }

    private boolean onAlive(final CoordinatorState state, final long nowMs)
    {
        requireWhole(alive.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final int node = alive.nodeId();
        final long incarnation = alive.incarnation();
        final Map<Integer, ReplicaPositions> positions = new TreeMap<>();
        repeated.clear();
        for (final AliveDecoder.ReplicasDecoder replica : alive.replicas())
        {
            positions.put(replica.partition(),
                new ReplicaPositions(replica.applied(), replica.replicated(), replica.recorded()));
            repeated.add(new Repeated(
                replica.partition(), replica.chainVersion(), replica.said(),
                new ClimbedReport(replica.epoch(), replica.position()), replica.joiner()));
        }
        // only now: a message that breaks in the middle has done nothing
        boolean isChanged = false;
        for (final Repeated one : repeated)
        {
            isChanged |= repeat(state, node, incarnation, one);
        }
        state.alive(node, incarnation, nowMs, positions);
        if (YES == alive.isAnswered())
        {
            state.complaints().onAnswered(node, incarnation, nowMs);
        }

        return isChanged;
    }

    private static boolean repeat(
        final CoordinatorState state, final int node, final long incarnation, final Repeated one)
    {
        return switch (one.said)
        {
            case ClusterCoordinator.SAID_CLIMBED ->
                state.climbed(node, incarnation, one.partition, one.chainVersion, one.report);
            case ClusterCoordinator.SAID_CONFIRM ->
                state.confirm(node, incarnation, one.partition, one.chainVersion);
            case ClusterCoordinator.SAID_ADMIT ->
                state.confirm(node, incarnation, one.partition, one.chainVersion) |
                state.admit(node, incarnation, one.partition, one.chainVersion, one.joiner);
            default -> false;
        };
    }

    private void requireWhole(final int bodyLength)
    {
        if (HEADER_LENGTH + bodyLength != message.capacity())
        {
            throw new IllegalArgumentException("a command of " + (HEADER_LENGTH + bodyLength) +
                " bytes came in a message of " + message.capacity());
        }
    }

    private static boolean isWord(final String value)
    {
        return value.chars().allMatch((character) -> character > ' ' && character <= '~');
    }
}
