// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.AskEncoder;
import io.gradstream.codecs.NodeEndpoint;
import io.gradstream.codecs.coordinator.CreateJobEncoder;
import io.gradstream.codecs.coordinator.DefineJobEncoder;
import io.gradstream.codecs.coordinator.DeleteJobEncoder;
import io.gradstream.codecs.coordinator.DrainNodeEncoder;
import io.gradstream.codecs.coordinator.FollowEncoder;
import io.gradstream.codecs.coordinator.LeaveSlotEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SetConsistencyEncoder;
import io.gradstream.codecs.coordinator.SetLimitsEncoder;
import io.gradstream.codecs.coordinator.SlotTakenDecoder;
import io.gradstream.codecs.coordinator.StatusDecoder;
import io.gradstream.codecs.coordinator.StatusRequestEncoder;
import io.gradstream.codecs.coordinator.TakeSlotEncoder;
import io.gradstream.codecs.coordinator.WorkDecoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.ExpandableArrayBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One process's conversation with the coordinators, whichever of them leads: follows their decisions, and sends what a
 * node, a worker or a tool has to say. Never waits; for one thread.
 */
public final class CoordinatorLink implements CoordinatorPort
{
    /** A request without an answer is sent again after so long. */
    public static final long RETRY_NS = 200_000_000L;
    /** While an answer is wanted, the coordinators are asked for it so often. */
    static final long ASK_INTERVAL_NS = 10_000_000;

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final CoordinatorChannel session;
    private final ErrorHandler errorHandler;
    private final ClusterMapCodec codec = new ClusterMapCodec();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder answerHeader = new MessageHeaderDecoder();
    private final FollowEncoder follow = new FollowEncoder();
    private final DefineJobEncoder defineJob = new DefineJobEncoder();
    private final SetConsistencyEncoder setConsistency = new SetConsistencyEncoder();
    private final SetLimitsEncoder setLimits = new SetLimitsEncoder();
    private final CreateJobEncoder createJob = new CreateJobEncoder();
    private final DeleteJobEncoder deleteJob = new DeleteJobEncoder();
    private final DrainNodeEncoder drainNode = new DrainNodeEncoder();
    private final StatusRequestEncoder statusRequest = new StatusRequestEncoder();
    private final WorkerReachEncoder workerReach = new WorkerReachEncoder();
    private final TakeSlotEncoder takeSlot = new TakeSlotEncoder();
    private final LeaveSlotEncoder leaveSlot = new LeaveSlotEncoder();
    private final AskEncoder ask = new AskEncoder();
    private final NodeReportCodec reports = new NodeReportCodec();
    private final WorkCodec works = new WorkCodec();
    private final StatusDecoder statusDecoder = new StatusDecoder();
    private final SlotTakenDecoder slotTaken = new SlotTakenDecoder();
    /** By slot the newest answer about its work that was not polled. */
    private final Map<Integer, WorkAnswer> workAnswers = new TreeMap<>();
    private SlotAnswer slotAnswer;
    private ClusterMap newest;
    private long newestVersion = -1;
    /** Of the newest map that names one; versions of another cluster begin again. */
    private long clusterId = ClusterMap.NO_CLUSTER;
    private CoordinatorStatus status;
    private WorkStatus workStatus;
    private int jobId = ClusterMap.Job.FIRST_ID;
    private long statusId;
    private long followedConnection;
    private long askedConnection;
    private long followNs;
    private long workedNs;
    private long askNs;
    private boolean hasAsked;
    private long answeredNs;
    private boolean isEverAnswered;

    /**
     * Not connected yet: {@link #doWork(long)} connects.
     *
     * @param connector    makes the channel, given the receiver of what comes from it.
     * @param errorHandler told what is wrong.
     */
    public CoordinatorLink(
        final Function<CoordinatorChannel.Listener, CoordinatorChannel> connector, final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
        session = connector.apply(this::onMessage);
    }

    /**
     * The job that this process speaks of from now on, when it speaks of slots, of work and of the staleness bound.
     *
     * @param id number of the job; the cluster's first job unless it is set.
     */
    public void jobId(final int id)
    {
        jobId = id;
    }

    @Override
    public int doWork(final long nowNs)
    {
        workedNs = nowNs;
        int workCount = session.poll(nowNs);
        final long connection = session.connection();
        final boolean isDue = connection != askedConnection || nowNs - followNs >= RETRY_NS;
        if (0 != connection && connection != followedConnection && isDue)
        {
            follow.wrapAndApplyHeader(buffer, 0, header);
            if (offer(follow.encodedLength()))
            {
                askedConnection = connection;
                followNs = nowNs;
            }
            workCount++;
        }

        return workCount;
    }

    @Override
    public ClusterMap poll()
    {
        final ClusterMap map = newest;
        newest = null;
        return map;
    }

    /** The newest map that was not polled yet, or null. */
    public ClusterMap peek()
    {
        return newest;
    }

    @Override
    public boolean report(final NodeReport report)
    {
        return session.offer(buffer, 0, reports.encode(report, buffer));
    }

    @Override
    public boolean isAnswered(final long sinceNs)
    {
        return isEverAnswered && answeredNs - sinceNs >= 0;
    }

    @Override
    public void ask()
    {
        if (!hasAsked || workedNs - askNs >= ASK_INTERVAL_NS)
        {
            ask.wrapAndApplyHeader(buffer, 0, header);
            hasAsked = offer(ask.encodedLength());
            askNs = workedNs;
        }
    }

    @Override
    public long connection()
    {
        return session.connection();
    }

    /**
     * Say what the cluster's first job is; the map tells what it was defined as first.
     *
     * @param job       to define.
     * @param clusterId drawn at random, not 0: which cluster this is, if this definition is the first.
     * @return false if not now.
     */
    public boolean defineJob(final JobSpec job, final long clusterId)
    {
        ClusterMapCodec.encodeJob(
            job, defineJob.wrapAndApplyHeader(buffer, 0, header).clusterId(clusterId).job());
        return offer(defineJob.encodedLength());
    }

    /**
     * Bind the job's slots otherwise from now on; the map tells when it is so.
     *
     * @param ofCluster the cluster that is meant, as its map names it.
     * @return false if not now.
     */
    public boolean setConsistency(final long ofCluster, final Consistency consistency)
    {
        setConsistency.wrapAndApplyHeader(buffer, 0, header)
            .clusterId(ofCluster)
            .jobId(jobId)
            .slots(consistency.slots())
            .staleness(consistency.staleness());
        return offer(setConsistency.encodedLength());
    }

    /**
     * Limit what the job takes of its servers from now on; the map tells when it is so.
     *
     * @param ofCluster the cluster that is meant, as its map names it.
     * @return false if not now.
     */
    public boolean setLimits(final long ofCluster, final JobSpec.Limits limits)
    {
        setLimits.wrapAndApplyHeader(buffer, 0, header)
            .clusterId(ofCluster)
            .jobId(jobId)
            .rowBytes(limits.rowBytes())
            .pushRate(limits.pushRate());
        return offer(setLimits.encodedLength());
    }

    /**
     * Add a job to the cluster; the map tells when it is there. A job that has the name stays as it is.
     *
     * @param ofCluster the cluster that is meant, as its map names it.
     * @param name      of the job.
     * @param job       of which nodes, virtual nodes and repair delay do not count.
     * @return false if not now.
     */
    public boolean createJob(final long ofCluster, final String name, final JobSpec job)
    {
        createJob.wrapAndApplyHeader(buffer, 0, header).clusterId(ofCluster);
        ClusterMapCodec.encodeJob(job, createJob.job());
        createJob.name().text(name);
        return offer(createJob.encodedLength());
    }

    /**
     * Delete a job; the map tells when it is gone. Servers then delete what they keep of it.
     *
     * @param ofCluster the cluster that is meant, as its map names it.
     * @param id        number of the job, which is not the cluster's first one.
     * @return false if not now.
     */
    public boolean deleteJob(final long ofCluster, final int id)
    {
        return offer(deleteJob.wrapAndApplyHeader(buffer, 0, header)
            .clusterId(ofCluster)
            .jobId(id)
            .encodedLength());
    }

    /**
     * Leave a node without places, or let it have some again; the map tells how far that is.
     *
     * @param ofCluster  the cluster that is meant, as its map names it.
     * @param node       its id.
     * @param isDraining false to let it have places again.
     * @return false if not now.
     */
    public boolean drain(final long ofCluster, final int node, final boolean isDraining)
    {
        drainNode.wrapAndApplyHeader(buffer, 0, header)
            .clusterId(ofCluster)
            .nodeId(node)
            .isDraining((short)(isDraining ? 1 : 0));
        return offer(drainNode.encodedLength());
    }

    /** Ask for the status; answers to earlier questions are dropped. False if not now. */
    public boolean requestStatus()
    {
        status = null;
        workStatus = null;
        statusRequest.wrapAndApplyHeader(buffer, 0, header).correlationId(++statusId).jobId(jobId);
        return offer(statusRequest.encodedLength());
    }

    /**
     * Say which nodes a worker reaches.
     *
     * @param slot        of the worker.
     * @param incarnation of its process.
     * @param nodes       by node id whether it is reached.
     * @return false if not now.
     */
    public boolean reportReach(final int slot, final long incarnation, final Map<Integer, Boolean> nodes)
    {
        encodeReach(workerReach.wrapAndApplyHeader(buffer, 0, header).jobId(jobId), slot, incarnation, nodes);
        return offer(workerReach.encodedLength());
    }

    /**
     * Write which nodes a worker reaches.
     *
     * @param encoder     of the message, which names the job.
     * @param slot        of the worker.
     * @param incarnation of its process.
     * @param nodes       by node id whether it is reached.
     */
    public static void encodeReach(
        final WorkerReachEncoder encoder, final int slot, final long incarnation, final Map<Integer, Boolean> nodes)
    {
        final WorkerReachEncoder.NodesEncoder entries =
            encoder.incarnation(incarnation).slot(slot).nodesCount(nodes.size());
        nodes.forEach((node, isReached) -> entries.next().nodeId(node).isReached((short)(isReached ? 1 : 0)));
    }

    /**
     * Ask for a slot, whichever is free.
     *
     * @param ofCluster the cluster that is meant, as its map names it.
     * @param requestId drawn at random, not 0. A request that is sent again with the same number gets the same slot.
     * @return false if not now.
     */
    public boolean takeSlot(final long ofCluster, final long requestId)
    {
        return offer(takeSlot.wrapAndApplyHeader(buffer, 0, header)
            .clusterId(ofCluster)
            .jobId(jobId)
            .requestId(requestId)
            .encodedLength());
    }

    /** The answer to {@link #takeSlot}, once; null if it has not come: it may be lost. */
    public SlotAnswer pollSlot(final long requestId)
    {
        final SlotAnswer answer = slotAnswer;
        slotAnswer = null;

        return null != answer && requestId == answer.requestId() ? answer : null;
    }

    /**
     * Say that a process has left its slot. Others may have it at once.
     *
     * @param ofCluster   the cluster that is meant, as its map names it.
     * @param slot        that is left.
     * @param incarnation of the process.
     * @param hasFinished true if the slot has finished for good, so that no other process may have it.
     * @return false if not now.
     */
    public boolean leaveSlot(
        final long ofCluster, final int slot, final long incarnation, final boolean hasFinished)
    {
        return offer(leaveSlot.wrapAndApplyHeader(buffer, 0, header)
            .clusterId(ofCluster)
            .jobId(jobId)
            .incarnation(incarnation)
            .slot(slot)
            .hasFinished((short)(hasFinished ? 1 : 0))
            .encodedLength());
    }

    /**
     * Say how far a slot is in its work, and ask for more.
     *
     * @param ofCluster the cluster that is meant, as its map names it.
     * @param report    of the slot.
     * @return false if not now.
     */
    public boolean reportWork(final long ofCluster, final WorkReport report)
    {
        return session.offer(buffer, 0, works.encode(ofCluster, jobId, report, buffer));
    }

    /**
     * The newest answer to {@link #reportWork} for a slot, once.
     *
     * @param slot        of the report.
     * @param incarnation of the process that reported; answers to older ones are dropped. The answer names a newer one
     *                    if another process has taken the slot over.
     * @return null if none has come: it may be lost.
     */
    public WorkAnswer pollWork(final int slot, final long incarnation)
    {
        final WorkAnswer answer = workAnswers.remove(slot);

        return null != answer && answer.incarnation() >= incarnation ? answer : null;
    }

    /** The answer to the last {@link #requestStatus()}; null if it has not come: it may be lost. */
    public CoordinatorStatus pollStatus()
    {
        return status;
    }

    /** The slots, and how far their work is, that came with {@link #pollStatus()}; null if that is null. */
    public WorkStatus pollWorkStatus()
    {
        return workStatus;
    }

    @Override
    public void close()
    {
        session.close();
    }

    @Override
    public String toString()
    {
        return session.describe();
    }

    /**
     * The nodes of a map that have registered.
     *
     * @param map of the coordinators.
     * @return nodes by id.
     */
    public static List<NodeEndpoint> nodesOf(final ClusterMap map)
    {
        final List<NodeEndpoint> nodes = new ArrayList<>();
        for (int node = 0; node < map.endpoints().size(); node++)
        {
            if (!map.endpoints().get(node).isEmpty())
            {
                nodes.add(new NodeEndpoint(node, map.endpoints().get(node)));
            }
        }

        return nodes;
    }

    private boolean offer(final int bodyLength)
    {
        return session.offer(buffer, 0, HEADER_LENGTH + bodyLength);
    }

    private void onMessage(final DirectBuffer message, final int offset, final int length)
    {
        // a leader without a majority tells nothing: a majority has what comes from the log
        answeredNs = workedNs;
        isEverAnswered = true;
        try
        {
            if (codec.isMap(message, offset, length))
            {
                followedConnection = session.connection();
                onMap(codec.decode(message, offset, length));
            }
            else if (length >= HEADER_LENGTH &&
                MessageHeaderDecoder.SCHEMA_ID == answerHeader.wrap(message, offset).schemaId() &&
                length >= HEADER_LENGTH + answerHeader.blockLength())
            {
                onAnswer(message, offset);
            }
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException ex)
        {
            errorHandler.onError(ex);
        }
    }

    private void onAnswer(final DirectBuffer message, final int offset)
    {
        switch (answerHeader.templateId())
        {
            case StatusDecoder.TEMPLATE_ID ->
            {
                statusDecoder.wrapAndApplyHeader(message, offset, answerHeader);
                if (statusId == statusDecoder.correlationId())
                {
                    status = CoordinatorStatus.of(statusDecoder);
                    workStatus = WorkStatus.of(statusDecoder);
                }
            }
            case SlotTakenDecoder.TEMPLATE_ID ->
            {
                slotTaken.wrapAndApplyHeader(message, offset, answerHeader);
                slotAnswer = new SlotAnswer(
                    slotTaken.requestId(), slotTaken.slot(), slotTaken.incarnation(), slotTaken.slots());
            }
            case WorkDecoder.TEMPLATE_ID ->
            {
                final WorkAnswer answer = works.decodeAnswer(message, offset);
                workAnswers.put(answer.slot(), answer);
            }
            default ->
            {
                // Answer: that it came is all it says
            }
        }
    }

    private void onMap(final ClusterMap map)
    {
        final boolean isNamed = ClusterMap.NO_CLUSTER != map.clusterId();
        final boolean isOtherCluster = isNamed && ClusterMap.NO_CLUSTER != clusterId && clusterId != map.clusterId();
        if (map.version() > newestVersion || isOtherCluster)
        {
            newestVersion = map.version();
            newest = map;
            clusterId = isNamed ? map.clusterId() : clusterId;
        }
    }
}
