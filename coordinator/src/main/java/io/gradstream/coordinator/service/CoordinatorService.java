// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Publication;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.coordinator.AnswerEncoder;
import io.gradstream.codecs.coordinator.AskDecoder;
import io.gradstream.codecs.coordinator.FollowDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.codecs.coordinator.StatusEncoder;
import io.gradstream.codecs.coordinator.StatusRequestDecoder;
import io.gradstream.coordinator.state.CoordinatorSnapshot;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.coordinator.state.SlotLeases;
import io.gradstream.coordinator.state.WorkUnits;
import io.gradstream.coordinator.client.ReplicaPositions;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The coordinator as a service of the cluster: gives the commands of its log to the {@link CoordinatorState}, and sends
 * each new map to every session.
 */
public final class CoordinatorService implements ClusteredService
{
    /** Time goes on for the state so often. */
    public static final long TICK_MS = 500;

    /** A job that is not there has no slots and no work. */
    private static final CoordinatorState NO_JOB = new CoordinatorState();
    private static final long TICK_TIMER = 1;
    private static final int SNAPSHOT_FRAGMENT_LIMIT = 10;
    private static final int ANSWER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + AnswerEncoder.BLOCK_LENGTH;

    private final CoordinatorListener listener;
    private final CoordinatorCommands commands = new CoordinatorCommands();
    private final ClusterMapCodec codec = new ClusterMapCodec();
    private final ExpandableArrayBuffer mapBuffer = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer statusBuffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final StatusEncoder status = new StatusEncoder();
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[ANSWER_LENGTH]);
    private final StatusRequestDecoder statusRequest = new StatusRequestDecoder();
    /** Sessions that have not got the newest map yet. */
    private final Set<ClientSession> due = new LinkedHashSet<>();
    private CoordinatorState state = new CoordinatorState();
    private Cluster cluster;
    private int mapLength;
    private long leadershipTermId;
    private IllegalStateException refusal;

    /** A service that knows nothing yet, and tells the listener what is taken and decided. */
    public CoordinatorService(final CoordinatorListener listener)
    {
        this.listener = listener;
        new AnswerEncoder().wrapAndApplyHeader(answer, 0, header);
    }

    @Override
    public void onStart(final Cluster startedCluster, final Image snapshotImage)
    {
        start(startedCluster, null == snapshotImage ?
            new CoordinatorState() : load(snapshotImage, startedCluster.idleStrategy()));
    }

    /**
     * Go on from a state.
     *
     * @param startedCluster that this service is part of.
     * @param restored       as a snapshot said it was.
     */
    public void start(final Cluster startedCluster, final CoordinatorState restored)
    {
        cluster = startedCluster;
        state = restored;
        encodeMap();
    }

    /** Write all that it knows as messages to an output. */
    public void snapshot(final CoordinatorSnapshot.Output output)
    {
        CoordinatorSnapshot.write(state, output);
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        due.add(session);
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        due.remove(session);
    }

    @Override
    public void onSessionMessage(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header messageHeader)
    {
        final int templateId = commands.templateId(buffer, offset, length);
        if (null != session && FollowDecoder.TEMPLATE_ID == templateId)
        {
            due.add(session);
        }
        else if (null != session && StatusRequestDecoder.TEMPLATE_ID == templateId)
        {
            if (length >= MessageHeaderEncoder.ENCODED_LENGTH + StatusRequestDecoder.BLOCK_LENGTH)
            {
                statusRequest.wrap(
                    buffer, offset + MessageHeaderEncoder.ENCODED_LENGTH, StatusRequestDecoder.BLOCK_LENGTH,
                    StatusRequestDecoder.SCHEMA_VERSION);
                answerStatus(session, timestamp, statusRequest.correlationId(), statusRequest.jobId());
            }
        }
        else
        {
            final boolean isChanged = take(timestamp, buffer, offset, length);
            if (commands.text().length() > 0)
            {
                listener.onCommand(cluster.logPosition(), commands.text());
            }
            onDecided(isChanged);
            if (null != session &&
                (NodeReportDecoder.TEMPLATE_ID == templateId || AskDecoder.TEMPLATE_ID == templateId))
            {
                // one that cannot be sent now is asked for again
                session.offer(answer, 0, ANSWER_LENGTH);
            }
            else if (null != session && commands.slots().answerLength() > 0)
            {
                session.offer(commands.slots().answer(), 0, commands.slots().answerLength());
            }
        }
        sendMaps();
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        // first, so that time goes on whatever the state makes of it
        schedule(timestamp);
        onDecided(state.onTime(timestamp));
        sendMaps();
    }

    @Override
    public void onNewLeadershipTermEvent(
        final long termId,
        final long logPosition,
        final long timestamp,
        final long termBaseLogPosition,
        final int leaderMemberId,
        final int logSessionId,
        final TimeUnit timeUnit,
        final int appVersion)
    {
        leadershipTermId = termId;
        state.onNewLeader(timestamp);
        due.addAll(cluster.clientSessions());
        schedule(timestamp);
        listener.onLeader(termId, leaderMemberId);
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication publication)
    {
        snapshot((buffer, offset, length) -> write(publication, buffer, offset, length));
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
    }

    @Override
    public void onTerminate(final Cluster terminatedCluster)
    {
    }

    /** A refused log ends this member: Aeron hands on what is thrown here and goes on, so that it is thrown again. */
    private boolean take(final long timestamp, final DirectBuffer buffer, final int offset, final int length)
    {
        try
        {
            return null == refusal && commands.take(state, timestamp, buffer, offset, length);
        }
        catch (final IllegalStateException ex)
        {
            refusal = ex;
            throw ex;
        }
    }

    @Override
    public int doBackgroundWork(final long nowNs)
    {
        if (null != refusal)
        {
            throw new AgentTerminationException(refusal);
        }

        return 0;
    }

    private void onDecided(final boolean isChanged)
    {
        if (isChanged)
        {
            final ClusterMap map = encodeMap();
            due.addAll(cluster.clientSessions());
            listener.onMap(cluster.logPosition(), map, state.failovers(), state.spuriousFailovers());
        }
    }

    private ClusterMap encodeMap()
    {
        final ClusterMap map = state.clusterMap();
        mapLength = codec.encode(map, mapBuffer, 0);

        return map;
    }

    /** A session that cannot take the map now gets it with one of the next messages of the log, or the next tick. */
    private void sendMaps()
    {
        due.removeIf((session) -> session.isClosing() || session.offer(mapBuffer, 0, mapLength) > 0);
    }

    private void schedule(final long nowMs)
    {
        final IdleStrategy idleStrategy = cluster.idleStrategy();
        idleStrategy.reset();
        while (!cluster.scheduleTimer(TICK_TIMER, nowMs + TICK_MS))
        {
            idleStrategy.idle();
        }
    }

    private void answerStatus(
        final ClientSession session, final long nowMs, final long correlationId, final int jobId)
    {
        final boolean isJob = null != state.work(jobId);
        final WorkUnits work = isJob ? state.work(jobId) : NO_JOB.work();
        final SlotLeases leases = isJob ? state.slots(jobId) : NO_JOB.slots();
        final boolean isWorkKnown = null != work.spec();
        status.wrapAndApplyHeader(statusBuffer, 0, header)
            .correlationId(correlationId)
            .mapVersion(state.version())
            .failovers(state.failovers())
            .spuriousFailovers(state.spuriousFailovers())
            .leadershipTerm(leadershipTermId)
            .leader(cluster.memberId())
            .workId(isWorkKnown ? work.spec().workId() : 0)
            .batchesTotal(isWorkKnown ? work.spec().batches() : 0)
            .batchesDone(work.batchesDone())
            .batchesDropped(work.batchesDropped())
            .batchesLeftOut(work.batchesLeftOut())
            .unitsReissued(work.unitsReissued())
            .slotsAdopted(work.slotsAdopted());
        final StatusEncoder.NodesEncoder nodes = status.nodesCount(state.nodeCount());
        int replicaCount = 0;
        for (int node = 0; node < state.nodeCount(); node++)
        {
            final long heardMs = state.heardMs(node);
            nodes.next().heardMs(Long.MIN_VALUE == heardMs ? -1 : Math.max(0, nowMs - heardMs)).nodeId(node)
                .isDraining((short)(state.isDraining(node) ? 1 : 0));
            replicaCount += state.replicas(node).size();
        }
        final StatusEncoder.ReplicasEncoder replicas = status.replicasCount(replicaCount);
        for (int node = 0; node < state.nodeCount(); node++)
        {
            for (final Map.Entry<Integer, ReplicaPositions> entry : state.replicas(node).entrySet())
            {
                replicas.next()
                    .applied(entry.getValue().applied())
                    .replicated(entry.getValue().replicated())
                    .recorded(entry.getValue().recorded())
                    .nodeId(node)
                    .partition(entry.getKey());
            }
        }
        final Set<Integer> known = leases.known();
        final StatusEncoder.SlotsEncoder slots = status.slotsCount(known.size());
        known.forEach((slot) -> slots.next()
            .incarnation(leases.incarnation(slot))
            .heardMs(Math.max(0, nowMs - leases.heardMs(slot)))
            .slot(slot)
            .openBatches(work.openBatches(slot))
            .isHeld((short)(leases.isHeld(slot, nowMs) ? 1 : 0)));
        // an answer that cannot be sent now is asked for again
        session.offer(statusBuffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + status.encodedLength());
    }

    private void write(
        final ExclusivePublication publication, final DirectBuffer buffer, final int offset, final int length)
    {
        final IdleStrategy idleStrategy = cluster.idleStrategy();
        idleStrategy.reset();
        long result = publication.offer(buffer, offset, length);
        while (result < 0)
        {
            if (Publication.CLOSED == result || Publication.MAX_POSITION_EXCEEDED == result)
            {
                throw new IllegalStateException("cannot write a snapshot: " + Publication.errorString(result));
            }
            idleStrategy.idle();
            result = publication.offer(buffer, offset, length);
        }
    }

    private static CoordinatorState load(final Image image, final IdleStrategy idleStrategy)
    {
        final CoordinatorSnapshot snapshot = new CoordinatorSnapshot();
        final ImageFragmentAssembler assembler = new ImageFragmentAssembler(
            (buffer, offset, length, messageHeader) -> snapshot.onMessage(buffer, offset, length));
        idleStrategy.reset();
        while (!snapshot.isComplete() && !image.isClosed())
        {
            idleStrategy.idle(image.poll(assembler, SNAPSHOT_FRAGMENT_LIMIT));
        }

        return snapshot.state();
    }
}
