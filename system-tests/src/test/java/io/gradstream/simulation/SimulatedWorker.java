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
package io.gradstream.simulation;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.ConnectedDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartRefused;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.ReachWatch;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.Welcome;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One incarnation of a slot: the production sessions, one at each partition, a workload that feeds them, and what they
 * were told. A session speaks to the head of its partition's chain, as the coordinator's newest map has it.
 */
final class SimulatedWorker
{
    static final int SPOOL_BYTES = 8192;
    static final int MAX_IN_FLIGHT = 32;
    private static final SessionTiming TIMING = new SessionTiming(10_000_000, 500_000, 25_000_000);

    /** A node that was not reached for so long is missed. */
    private static final long REACH_LIMIT_NS = 50_000_000;

    private final World world;
    private final Cluster cluster;
    private final Histories histories;
    private final WorkerIdentity identity;
    private final AckLevel ackLevel;
    private final Tickets tickets = new Tickets(128, LatencyListener.NONE);
    private final PartitionSession[] sessions;
    private final int[] heads;
    private final long[][] ticketOf;
    private final long[] lastTold;
    private final long[] lastHello;
    private final HelloDecoder hello = new HelloDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();
    private ChainMap map;
    private long mapVersion;
    private final SimulatedSession coordinator;
    private final ReachWatch reach = new ReachWatch(REACH_LIMIT_NS,
        ReachWatch.REPORT_INTERVAL_NS / SimulatedCoordinator.TIME_SCALE,
        ReachWatch.LEAST_INTERVAL_NS / SimulatedCoordinator.TIME_SCALE);
    private final ExpandableArrayBuffer report = new ExpandableArrayBuffer();
    private final WorkerReachEncoder reachEncoder = new WorkerReachEncoder();
    private long pausedUntilNs;
    private final ConnectEncoder connect = new ConnectEncoder();
    private final ConnectedDecoder connected = new ConnectedDecoder();
    private final UnsafeBuffer connectBuffer = new UnsafeBuffer(new byte[256]);
    private final WorkerLink.Requests[] requests;
    private final boolean[] isUp;
    private final long[] connectNs;

    SimulatedWorker(
        final World world, final Cluster cluster, final Histories histories, final WorkerIdentity identity)
    {
        this.world = world;
        this.cluster = cluster;
        this.histories = histories;
        this.identity = identity;
        ackLevel = world.shape.levels()[identity.slot()];
        final AckLevel sessionLevel =
            world.isPlanted(PlantedFault.RELEASE_AT_APPLIED) ? AckLevel.APPLIED : ackLevel;
        final int partitions = world.shape.partitions();
        sessions = new PartitionSession[partitions];
        heads = new int[partitions];
        ticketOf = new long[partitions][Workload.PARTS + 1];
        lastTold = new long[partitions];
        lastHello = new long[partitions];
        for (int i = 0; i < partitions; i++)
        {
            sessions[i] = new PartitionSession(i, identity, sessionLevel, new Spool(SPOOL_BYTES, MAX_IN_FLIGHT),
                tickets, TIMING, (partition, epoch, outstanding, lostNs, nowNs) -> world.events.trace(epoch));
            heads[i] = Chain.NONE;
        }
        coordinator = cluster.coordinator().connect(-1, this::onCoordinator);
        requests = new WorkerLink.Requests[world.shape.nodes()];
        isUp = new boolean[requests.length];
        connectNs = new long[requests.length];
    }

    private void onCoordinator(final DirectBuffer buffer, final int offset, final int length)
    {
        final ChainMap sent = new ClusterMapCodec().decode(buffer, offset, length).chains();
        if (null == map || sent.version() > map.version())
        {
            map = cluster.coordinator().lies().map(sent);
        }
    }

    /** The process is no more. */
    void onDeath()
    {
        coordinator.close();
    }

    int client()
    {
        return Shape.client(identity.slot(), identity.incarnation());
    }

    int slot()
    {
        return identity.slot();
    }

    long incarnation()
    {
        return identity.incarnation();
    }

    AckLevel ackLevel()
    {
        return ackLevel;
    }

    PartitionSession session(final int partition)
    {
        return sessions[partition];
    }

    void pause(final long durationNs)
    {
        pausedUntilNs = world.events.nowNs() + durationNs;
    }

    boolean isHalted()
    {
        boolean isHalted = false;
        for (final PartitionSession session : sessions)
        {
            isHalted |= PartitionSession.State.HALTED == session.state();
        }

        return isHalted;
    }

    boolean isDone()
    {
        for (final PartitionSession session : sessions)
        {
            if (session.lastSequence() < Workload.PARTS)
            {
                return false;
            }
        }

        return 0 == tickets.outstanding();
    }

    private void connect(final int node, final long nowNs)
    {
        if (null == requests[node])
        {
            requests[node] = cluster.link(client(), node).openRequests();
            connectNs[node] = nowNs;
        }
        if (!requests[node].isConnected())
        {
            if (isUp[node])
            {
                isUp[node] = false;
                onLinkDown(node);
                requests[node] = null;
            }
            return;
        }
        if (nowNs >= connectNs[node])
        {
            connect.wrapAndApplyHeader(connectBuffer, 0, new io.gradstream.codecs.wire.MessageHeaderEncoder())
                .correlationId(node)
                .incarnation(incarnation())
                .jobId(Shape.JOB_ID)
                .slot(slot())
                .responseStreamId(1)
                .responseChannel("aeron:udp?endpoint=" + SimulatedTransport.HOST +
                    (SimulatedTransport.FIRST_PORT + client()));
            if (requests[node].offer(connectBuffer, 0,
                MessageHeaderDecoder.ENCODED_LENGTH + connect.encodedLength()))
            {
                connectNs[node] = nowNs + 10_000_000;
            }
        }
    }

    private void onConnected(final int node)
    {
        if (!isUp[node])
        {
            isUp[node] = true;
            onLinkUp(node);
        }
    }

    void onLinkUp(final int node)
    {
        for (int i = 0; i < sessions.length; i++)
        {
            if (heads[i] == node)
            {
                sessions[i].onLinkUp();
            }
        }
    }

    void onLinkDown(final int node)
    {
        for (int i = 0; i < sessions.length; i++)
        {
            if (heads[i] == node)
            {
                sessions[i].onLinkDown(world.events.nowNs());
            }
        }
    }

    void doWork()
    {
        final long nowNs = world.events.nowNs();
        if (nowNs < pausedUntilNs)
        {
            return;
        }
        coordinator.poll(nowNs);
        followHeads(nowNs);
        reportReach(nowNs);
        for (int node = 0; node < world.shape.nodes(); node++)
        {
            connect(node, nowNs);
            cluster.link(client(), node).pollAtWorker(this::onMessage);
        }
        // before anything is pushed: a new ticket takes the place of an old one, and its outcome with it
        for (final PartitionSession session : sessions)
        {
            checkOutcomes(session);
        }
        for (final PartitionSession session : sessions)
        {
            work(session, nowNs);
        }
    }

    private void reportReach(final long nowNs)
    {
        reach.onTick(nowNs);
        for (int node = 0; node < world.shape.nodes(); node++)
        {
            reach.onNode(node, isUp[node] && !cluster.link(client(), node).isCut(), nowNs);
        }
        if (reach.isDue(nowNs))
        {
            reachEncoder.wrapAndApplyHeader(report, 0, new MessageHeaderEncoder());
            CoordinatorLink.encodeReach(reachEncoder, slot(), incarnation(), reach.nodes());
            if (coordinator.offer(report, 0, MessageHeaderEncoder.ENCODED_LENGTH + reachEncoder.encodedLength()))
            {
                reach.onReported(nowNs);
            }
        }
    }

    private void followHeads(final long nowNs)
    {
        if (null == map || map.version() <= mapVersion)
        {
            return;
        }
        mapVersion = map.version();
        for (int i = 0; i < sessions.length; i++)
        {
            final int head = map.chains().get(i).head();
            sessions[i].onEpochGranted(map.chains().get(i).epoch(), nowNs);
            if (head != heads[i])
            {
                heads[i] = head;
                sessions[i].onLinkDown(nowNs);
                if (Chain.NONE != head && isUp[head])
                {
                    sessions[i].onLinkUp();
                }
            }
        }
    }

    private void work(final PartitionSession session, final long nowNs)
    {
        final int head = heads[session.partition()];
        if (Chain.NONE != head)
        {
            session.send((partition, buffer, offset, length) -> send(head, buffer, offset, length), nowNs);
        }
        for (int i = histories.workload(session.partition()).nextBurst(); i > 0 && canPush(session); i--)
        {
            push(session);
        }
    }

    private boolean send(final int head, final DirectBuffer buffer, final int offset, final int length)
    {
        if (HelloDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId())
        {
            hello.wrapAndApplyHeader(buffer, offset, header);
            lastHello[hello.partition()] = hello.helloId();
        }

        return null != requests[head] && requests[head].offer(buffer, offset, length);
    }

    private boolean onMessage(final UnsafeBuffer buffer)
    {
        switch (header.wrap(buffer, 0).templateId())
        {
            case ConnectedDecoder.TEMPLATE_ID ->
                onConnected((int)connected.wrapAndApplyHeader(buffer, 0, header).correlationId());
            case WelcomeDecoder.TEMPLATE_ID -> onWelcome(welcome.wrapAndApplyHeader(buffer, 0, header));
            case WatermarksDecoder.TEMPLATE_ID -> onWatermarks(watermarks.wrapAndApplyHeader(buffer, 0, header));
            case RefusedDecoder.TEMPLATE_ID -> onRefused(refused.wrapAndApplyHeader(buffer, 0, header));
            default -> throw new IllegalStateException("templateId=" + header.templateId());
        }

        return true;
    }

    private boolean canPush(final PartitionSession session)
    {
        return session.canPush() && session.lastSequence() < Workload.PARTS && tickets.hasRoom();
    }

    private void push(final PartitionSession session)
    {
        final Workload workload = histories.workload(session.partition());
        final History history = workload.history();
        final History.Part part = workload.nextPart(session.lastSequence() + 1);
        final int offset = session.claim(Workload.length(part));
        if (Spool.NOT_NOW == offset)
        {
            return;
        }
        final long nowNs = world.events.nowNs();
        final long contentHash =
            workload.encode(part, slot(), session.spool().next(), session.spool().buffer(), offset);
        final long ticket = tickets.open(true, nowNs);
        final long sequence = session.commit(ticket, !part.isClock());
        tickets.seal(ticket, nowNs);
        history.add(slot(), incarnation(), part, contentHash);
        Violation.check(isReplaced(session.partition()) || sequence == history.last(slot()),
            Violation.Kind.INVARIANT_BROKEN, "sequence", sequence, history.last(slot()));
        ticketOf[session.partition()][(int)sequence] = ticket;
    }

    private void onWelcome(final WelcomeDecoder message)
    {
        final int partition = message.partition();
        final PartitionSession session = sessions[partition];
        final long last = message.lastSequence();
        final boolean isFirst = session.epoch() < 0;
        final boolean isAnyTaken = world.isPlanted(PlantedFault.LATE_WELCOME_ACCEPTED);
        final int[] refusals = refusals(session);
        final boolean isAttached = session.onWelcome(new Welcome(
            isAnyTaken ? incarnation() : message.incarnation(),
            isAnyTaken ? lastHello[partition] : message.helloId(),
            message.epoch(), last, message.lastIncarnation()), world.events.nowNs());
        if (isAttached && isFirst)
        {
            lastTold[partition] = last;
        }
        if (isAttached && isFirst && !isReplaced(partition))
        {
            cluster.checker().onTakeover(slot(), partition, last);
            histories.history(partition).takeOver(slot(), incarnation(), last);
        }
        for (int i = 0; i < refusals.length && world.isPlanted(PlantedFault.REFUSAL_KEPT_FOR_THE_NEXT_EPOCH); i++)
        {
            session.spool().refuse(session.spool().oldest() + i, refusals[i]);
        }
    }

    private static int[] refusals(final PartitionSession session)
    {
        final Spool spool = session.spool();
        final int[] refusals = new int[(int)(spool.next() - spool.oldest())];
        for (int i = 0; i < refusals.length; i++)
        {
            refusals[i] = spool.refusalOf(spool.oldest() + i);
        }

        return refusals;
    }

    /** Was a newer process of the slot welcomed there? */
    private boolean isReplaced(final int partition)
    {
        return histories.history(partition).isReplaced(slot(), incarnation());
    }

    private void onWatermarks(final WatermarksDecoder message)
    {
        if (message.incarnation() != incarnation())
        {
            return;
        }
        final long[][] entries = entries(message.partitions());
        for (final WatermarksDecoder.RefusalsDecoder refusal : message.refusals())
        {
            sessions[refusal.partition()].onContentRefused(refusal.epoch(), refusal.sequence(), refusal.code());
        }
        for (final long[] entry : entries)
        {
            onWatermarks(entry);
        }
    }

    private static long[][] entries(final WatermarksDecoder.PartitionsDecoder partitions)
    {
        final long[][] entries = new long[partitions.count()][];
        for (int i = 0; i < entries.length; i++)
        {
            partitions.next();
            entries[i] = new long[]{partitions.partition(), partitions.epoch(), partitions.applied(),
                partitions.replicated(), partitions.recorded(), partitions.covered()};
        }

        return entries;
    }

    private void onWatermarks(final long[] entry)
    {
        final PartitionSession session = sessions[(int)entry[0]];
        final long epoch = session.epoch() >= 0 && world.isPlanted(PlantedFault.STALE_EPOCH_ACCEPTED) ?
            session.epoch() : entry[1];
        final long applied = entry[2];
        final long replicated = entry[3];
        final long recorded = entry[4];
        final long covered = entry[5];
        final long unsafe = newestRefusal(session);
        if (world.isPlanted(PlantedFault.REFUSAL_TOLD_BEFORE_IT_IS_SAFE) && unsafe > session.floor())
        {
            session.onWatermarks(epoch, unsafe, unsafe, unsafe, unsafe, world.events.nowNs());
        }
        if (epoch == session.epoch())
        {
            cluster.checker().onWatermarksReceived(
                slot(), session.partition(), epoch, new long[]{applied, replicated, recorded, covered});
        }
        session.onWatermarks(epoch, applied, replicated, recorded, covered, world.events.nowNs());
    }

    private static long newestRefusal(final PartitionSession session)
    {
        long newest = 0;
        final int[] refusals = refusals(session);
        for (int i = 0; i < refusals.length; i++)
        {
            newest = 0 == refusals[i] ? newest : session.spool().oldest() + i;
        }

        return newest;
    }

    private void onRefused(final RefusedDecoder message)
    {
        final boolean isAnyTaken = world.isPlanted(PlantedFault.LATE_REFUSAL_ACCEPTED);
        sessions[message.partition()].onRefused(new PartRefused(
            isAnyTaken ? incarnation() : message.incarnation(),
            isAnyTaken ? lastHello[message.partition()] : message.helloId(),
            message.epoch(), message.sequence(), message.expected(), Refusal.of(message.code())),
            world.events.nowNs());
    }

    private void checkOutcomes(final PartitionSession session)
    {
        final int partition = session.partition();
        while (lastTold[partition] < session.floor())
        {
            lastTold[partition]++;
            final boolean wasRefused =
                Refusal.NONE != tickets.refusal(ticketOf[partition][(int)lastTold[partition]]);
            final long effective = histories.history(partition).lastOf(slot(), incarnation());
            Violation.check(lastTold[partition] <= effective, Violation.Kind.LOST,
                "acknowledged to a process without effect: slot, partition, sequence", slot(), partition,
                lastTold[partition], effective);
            histories.history(partition).onOutcome(slot(), partition, lastTold[partition], wasRefused);
        }
    }
}
