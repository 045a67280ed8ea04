// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.CreateJobDecoder;
import io.gradstream.codecs.coordinator.DefineJobDecoder;
import io.gradstream.codecs.coordinator.DeleteJobDecoder;
import io.gradstream.codecs.coordinator.DrainNodeDecoder;
import io.gradstream.codecs.coordinator.LeaveSlotDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.codecs.coordinator.SetConsistencyDecoder;
import io.gradstream.codecs.coordinator.SetLimitsDecoder;
import io.gradstream.codecs.coordinator.TakeSlotDecoder;
import io.gradstream.codecs.coordinator.WorkReportDecoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.coordinator.state.CoordinatorSnapshot;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.state.SlotLeases;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.NodeReportCodec;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.Suspicion;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decodes commands and gives them to the state. A command that cannot be read is no command: it changes nothing.
 * <p>
 * Nothing is read but the message itself. What lies after it in the log's buffer is not the same in every member, so
 * that a member which trusted a length in the message would decide differently from the others.
 */
final class CoordinatorCommands
{
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;

    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final DefineJobDecoder defineJob = new DefineJobDecoder();
    private final SetConsistencyDecoder setConsistency = new SetConsistencyDecoder();
    private final SetLimitsDecoder setLimits = new SetLimitsDecoder();
    private final CreateJobDecoder createJob = new CreateJobDecoder();
    private final DeleteJobDecoder deleteJob = new DeleteJobDecoder();
    private final DrainNodeDecoder drainNode = new DrainNodeDecoder();
    private final WorkerReachDecoder workerReach = new WorkerReachDecoder();
    private final NodeReportCodec reports = new NodeReportCodec();
    private final StringBuilder text = new StringBuilder();
    private final SlotCommands slots = new SlotCommands(text);
    /** By node what its last report said: only what is new is told. */
    private final Map<Integer, String> told = new TreeMap<>();

    /** The template id of a message, or 0 if it is none of this version of Gradstream. */
    int templateId(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isSound = length >= HEADER_LENGTH &&
            MessageHeaderDecoder.SCHEMA_ID == header.wrap(buffer, offset).schemaId() &&
            MessageHeaderDecoder.SCHEMA_VERSION == header.version() &&
            length >= HEADER_LENGTH + header.blockLength();

        return isSound ? header.templateId() : 0;
    }

    /**
     * The content of the last command as text. It is empty for a command that says nothing new, and for what is no
     * command.
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
     * @throws IllegalStateException if another version of Gradstream has defined the job.
     */
    boolean take(
        final CoordinatorState state,
        final long nowMs,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        text.setLength(0);
        slots.clear();
        message.wrap(buffer, offset, length);
        final int templateId = templateId(message, 0, length);
        requireThisVersion(state, length);
        try
        {
            return switch (templateId)
            {
                case DefineJobDecoder.TEMPLATE_ID -> onDefineJob(state);
                case NodeReportDecoder.TEMPLATE_ID -> onNodeReport(state, nowMs);
                case WorkerReachDecoder.TEMPLATE_ID -> onWorkerReach(state, nowMs);
                case SetConsistencyDecoder.TEMPLATE_ID -> onSetConsistency(state);
                case SetLimitsDecoder.TEMPLATE_ID -> onSetLimits(state);
                case DrainNodeDecoder.TEMPLATE_ID -> onDrainNode(state);
                case CreateJobDecoder.TEMPLATE_ID -> onCreateJob(state, nowMs);
                case DeleteJobDecoder.TEMPLATE_ID -> onDeleteJob(state);
                default -> onSlotCommand(templateId, state, nowMs);
            };
        }
        catch (final IndexOutOfBoundsException | IllegalArgumentException ex)
        {
            text.setLength(0);
            text.append("malformed template=").append(templateId).append(" length=").append(length);
            return false;
        }
    }

    /** Commands about slots and work, and the answer to the last command if it is one of them. */
    SlotCommands slots()
    {
        return slots;
    }

    /**
     * Only coordinators define a job. A log whose job another version has defined is of that version: its commands
     * would be passed over here, and the job be defined again as if none of them had been.
     */
    private void requireThisVersion(final CoordinatorState state, final int length)
    {
        if (null == state.job() && length >= HEADER_LENGTH && MessageHeaderDecoder.SCHEMA_ID == header.schemaId() &&
            DefineJobDecoder.TEMPLATE_ID == header.templateId() &&
            MessageHeaderDecoder.SCHEMA_VERSION != header.version())
        {
            throw new IllegalStateException(CoordinatorSnapshot.otherVersion("log", header.version()));
        }
    }

    /** Returns false: the map does not tell who holds a slot. */
    private boolean onSlotCommand(final int templateId, final CoordinatorState state, final long nowMs)
    {
        switch (templateId)
        {
            case TakeSlotDecoder.TEMPLATE_ID -> slots.onTakeSlot(state, message, nowMs);
            case LeaveSlotDecoder.TEMPLATE_ID -> slots.onLeaveSlot(state, message);
            case WorkReportDecoder.TEMPLATE_ID -> slots.onWorkReport(state, message, nowMs);
            default ->
            {
                // none of this version
            }
        }

        return false;
    }

    private boolean onDefineJob(final CoordinatorState state)
    {
        requireWhole(defineJob.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final JobSpec job = ClusterMapCodec.decodeJob(defineJob.job());
        final long clusterId = defineJob.clusterId();
        if (null == job || ClusterMap.NO_CLUSTER == clusterId)
        {
            throw new IllegalArgumentException("a definition without a job, or without the id of its cluster");
        }
        text.append("job partitions=").append(job.partitions());

        return state.defineJob(job, clusterId);
    }

    private boolean onSetConsistency(final CoordinatorState state)
    {
        requireWhole(setConsistency.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final Consistency consistency = new Consistency(setConsistency.slots(), setConsistency.staleness());
        final boolean isChanged =
            state.setConsistency(setConsistency.clusterId(), setConsistency.jobId(), consistency);
        text.append("consistency slots=").append(consistency.slots())
            .append(" staleness=").append(consistency.label());

        return isChanged;
    }

    private boolean onSetLimits(final CoordinatorState state)
    {
        requireWhole(setLimits.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final JobSpec.Limits limits = new JobSpec.Limits(setLimits.rowBytes(), setLimits.pushRate());
        final boolean isChanged = state.setLimits(setLimits.clusterId(), setLimits.jobId(), limits);
        text.append("limits rowBytes=").append(limits.rowBytes()).append(" pushRate=").append(limits.pushRate());

        return isChanged;
    }

    private boolean onCreateJob(final CoordinatorState state, final long nowMs)
    {
        requireWhole(createJob.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final JobSpec job = ClusterMapCodec.decodeJob(createJob.job());
        if (null == job)
        {
            throw new IllegalArgumentException("a job without partitions");
        }
        final String name = createJob.name().text();
        final boolean isChanged = state.createJob(createJob.clusterId(), name, job, nowMs);
        text.append("job created name=").append(name).append(" partitions=").append(job.partitions());

        return isChanged;
    }

    private boolean onDeleteJob(final CoordinatorState state)
    {
        requireWhole(deleteJob.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        text.append("job deleted id=").append(deleteJob.jobId());

        return state.deleteJob(deleteJob.clusterId(), deleteJob.jobId());
    }

    private boolean onDrainNode(final CoordinatorState state)
    {
        requireWhole(drainNode.wrapAndApplyHeader(message, 0, header).sbeDecodedLength());
        final int node = drainNode.nodeId();
        final boolean isDraining = 0 != drainNode.isDraining();
        text.append(isDraining ? "drain node=" : "undrain node=").append(node);

        return state.drain(drainNode.clusterId(), node, isDraining);
    }

    private boolean onNodeReport(final CoordinatorState state, final long nowMs)
    {
        final NodeReport report = reports.decode(message, 0, message.capacity());
        final boolean isChanged = state.onReport(report, nowMs);
        write(report);
        final String said = text.toString();
        if (said.equals(told.put(report.nodeId(), said)))
        {
            text.setLength(0);
        }

        return isChanged;
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
        final int jobId = workerReach.jobId();
        final SlotLeases leases = state.slots(jobId);
        if (null == leases)
        {
            return false;
        }
        slots.onHeard(leases, slot, incarnation, nowMs);
        final boolean isChanged = state.leads().onReach(jobId, slot, incarnation, nodes, nowMs);
        if (isChanged)
        {
            text.append(text.isEmpty() ? "" : " ").append("reach slot=").append(slot).append(" nodes=").append(nodes);
        }

        return isChanged;
    }

    /**
     * Write the reporting node, then each kind of thing that the report says: partition/version, and the node it is
     * about or the log's end.
     */
    private void write(final NodeReport report)
    {
        text.append("report node=").append(report.nodeId()).append(" incarnation=").append(report.incarnation())
            .append(" endpoint=").append(report.endpoint());
        final Map<String, StringJoiner> said = new TreeMap<>();
        for (final ReplicaReport replica : report.replicas())
        {
            final String place = replica.partition() + "/" + replica.chainVersion();
            switch (replica.status())
            {
                case NONE ->
                {
                    // nothing to act on
                }
                case RECOVERED ->
                    say(said, "recovered", place + '/' + replica.logEnd().epoch() + '/' + replica.logEnd().position());
                case LEADS, CLAIMS, LEAVES, TAKES_OVER ->
                    say(said, replica.status().name().toLowerCase(Locale.ROOT), place);
            }
            if (Chain.NONE != replica.joiner())
            {
                say(said, "admits", place + '/' + replica.joiner());
            }
            for (final Suspicion suspicion : replica.suspicions())
            {
                say(said, suspicion.isAnswered() ? "suspects" : "suspects-unanswered",
                    place + '/' + suspicion.nodeId());
            }
        }
        said.forEach((kind, things) -> text.append(' ').append(kind).append('=').append(things));
    }

    private static void say(final Map<String, StringJoiner> said, final String kind, final String thing)
    {
        said.computeIfAbsent(kind, (unsaid) -> new StringJoiner(",")).add(thing);
    }

    private void requireWhole(final int bodyLength)
    {
        requireWhole(message, bodyLength);
    }

    /** Refuse a message that is longer or shorter than the command in it. */
    static void requireWhole(final DirectBuffer message, final int bodyLength)
    {
        if (HEADER_LENGTH + bodyLength != message.capacity())
        {
            throw new IllegalArgumentException("a command of " + (HEADER_LENGTH + bodyLength) +
                " bytes came in a message of " + message.capacity());
        }
    }
}
