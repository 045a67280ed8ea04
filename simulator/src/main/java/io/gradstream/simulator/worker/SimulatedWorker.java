// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.simulator.coordinator.SimulatedCoordinator;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.ClientSettings;
import io.gradstream.worker.client.Transport;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.ReachWatch;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.function.BooleanSupplier;

/**
 * One process of a slot: the production client over simulated ports, a program that feeds it, and checks of what it is
 * told.
 */
public final class SimulatedWorker implements WorkerTransport.Tap
{
    static final int MAX_TICKETS = 128;
    static final int MAX_PULLS = 4;
    static final int MAX_PART_LENGTH = 1_000;
    static final SessionTiming SESSION_TIMING = new SessionTiming(10_000_000, 500_000, 25_000_000);
    static final ClientSettings.Timing TIMING = new ClientSettings.Timing(
        10_000_000,
        20_000_000,
        25_000_000,
        100_000_000,
        ReachWatch.REPORT_INTERVAL_NS / SimulatedCoordinator.TIME_SCALE,
        ReachWatch.LEAST_INTERVAL_NS / SimulatedCoordinator.TIME_SCALE);

    private final World world;
    private final Cluster cluster;
    private final Checker checker;
    private final Histories histories;
    private final WorkerIdentity identity;
    private final AckLevel ackLevel;
    private final PlantedWorkerFaults planted;
    private final PlantedTableFaults plantedInTable;
    private final Client client;
    private final WorkerProgram program;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    private CoordinatorChannel coordinator;
    private long pausedUntilNs;
    private String awaited = "";

    public SimulatedWorker(
        final World world, final Cluster cluster, final Checker checker, final WorkerIdentity identity)
    {
        this.world = world;
        this.cluster = cluster;
        this.checker = checker;
        histories = cluster.histories();
        this.identity = identity;
        ackLevel = world.config().levels()[identity.slot()];
        planted = new PlantedWorkerFaults(world, cluster.coordinator().lies(), identity.incarnation());
        plantedInTable = new PlantedTableFaults(world);
        client = new Client(
            settings(),
            new WorkerTransport(cluster, client(), this),
            new CoordinatorLink(this::coordinator, (error) ->
            {
                throw new IllegalStateException(error);
            }),
            this::await,
            world.events().nowNs());
        program = world.config().isOfIterations() ?
            new TableProgram(world, cluster, checker, identity, plantedInTable, client) :
            new PartsProgram(world, cluster, checker, identity, client);
    }

    private ClientSettings settings()
    {
        return new ClientSettings(
            identity,
            world.config().partitions(),
            planted.ackLevel(ackLevel),
            SpoolPolicy.BLOCK,
            world.config().isOfIterations(),
            initialClock(),
            new ClientSettings.Limits(
                world.config().bounds().spoolBytes(), 1L << 30, world.config().bounds().maxInFlight(), MAX_TICKETS,
                MAX_PULLS, MAX_PART_LENGTH, 0),
            SESSION_TIMING,
            TIMING,
            LatencyListener.NONE,
            (partition, epoch, outstanding, lostNs, nowNs) -> world.events().trace(epoch),
            this::onProblem);
    }

    private long initialClock()
    {
        return world.config().isOfIterations() && !world.isPlanted(PlantedFault.BEGINS_AT_ZERO) ?
            ClientContext.CLOCK_OF_SLOT : 0;
    }

    private void onProblem(final String problem)
    {
        world.journal().note("slot-" + identity.slot(), problem);
        if (problem.contains("may be missing"))
        {
            histories.onDoubt();
        }
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        awaited = what;
        program.await(what, condition);
    }

    private CoordinatorChannel coordinator(final CoordinatorChannel.Listener receiver)
    {
        coordinator = cluster.coordinator().connect(-1, (buffer, offset, length) ->
        {
            final DirectBuffer message = planted.map(buffer, offset, length);
            receiver.onMessage(message, 0, message.capacity());
        });

        return coordinator;
    }

    /** The process is no more. */
    public void onDeath()
    {
        coordinator.close();
    }

    /** The condition for which a call of its program has waited last. */
    public String awaited()
    {
        return awaited;
    }

    public int client()
    {
        return ScenarioConfig.client(identity.slot(), identity.incarnation());
    }

    public int slot()
    {
        return identity.slot();
    }

    public long incarnation()
    {
        return identity.incarnation();
    }

    /** Checks what the sessions were told. */
    public void check(final boolean isReplaced)
    {
        for (int partition = 0; partition < client.partitions(); partition++)
        {
            checker.checkSession(identity, isReplaced, client.session(partition));
            if (world.config().isOfIterations())
            {
                checker.beliefs().check(identity, client.session(partition));
            }
        }
    }

    public PartitionSession session(final int partition)
    {
        return client.session(partition);
    }

    public void pause(final long durationNs)
    {
        pausedUntilNs = world.events().nowNs() + durationNs;
    }

    public boolean isHalted()
    {
        return null != client.failure();
    }

    /** True if it ended because parts of the process before it are gone: only that is no violation. */
    public boolean lacksPartsBefore()
    {
        return isHalted() && SessionFailure.Kind.PUSHES_LOST == client.failure().kind();
    }

    /** True if the death of the process would do the most harm now. */
    public boolean isAtWorst()
    {
        return program.isAtWorst();
    }

    public boolean isDone()
    {
        return program.isDone();
    }

    public void doWork()
    {
        final long nowNs = world.events().nowNs();
        if (nowNs < pausedUntilNs)
        {
            return;
        }
        planted.beforeWork(client);
        program.poll(nowNs);
        program.doWork();
    }

    @Override
    public boolean onRequest(final WorkerLink.Requests requests, final UnsafeBuffer message)
    {
        final boolean isSent = program.mayLeave(message) && planted.send(requests, plantedInTable.request(message));
        if (isSent)
        {
            program.onSent(message);
        }

        return isSent;
    }

    @Override
    public void onAnswer(final UnsafeBuffer message, final Transport.Receiver receiver)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case WelcomeDecoder.TEMPLATE_ID -> onWelcome(message, receiver);
            case WatermarksDecoder.TEMPLATE_ID -> onWatermarks(message, receiver);
            case RowsDecoder.TEMPLATE_ID -> onRows(message, receiver);
            default ->
            {
                planted.beforeAnswer(message, client);
                receiver.onMessage(message, 0, message.capacity());
            }
        }
        Violation.check(0 == client.unknownMessages(), Violation.Kind.INVARIANT_BROKEN, "unknown messages",
            client.unknownMessages());
    }

    private void onWelcome(final UnsafeBuffer message, final Transport.Receiver receiver)
    {
        final int partition = welcome.wrapAndApplyHeader(message, 0, header).partition();
        final long last = welcome.lastSequence();
        final long held = world.config().isOfIterations() ? Math.max(last, welcome.held()) : last;
        final PartitionSession session = client.session(partition);
        final boolean isFirst = session.epoch() < 0;
        planted.beforeAnswer(message, client);
        plantedInTable.beforeAnswer(message, client);
        receiver.onMessage(message, 0, message.capacity());
        planted.afterWelcome(session);
        plantedInTable.afterWelcome(session);
        final boolean isAttached = isFirst && session.epoch() >= 0;
        if (isAttached)
        {
            program.onWelcome(partition, last);
        }
        // the other process of a slot that is backed up may have pushed more since this was said
        if (isAttached && identity.role().isSole() && !isReplaced(partition))
        {
            checker.onTakeover(slot(), partition, last);
            histories.history(partition).takeOver(slot(), incarnation(), last, held);
        }
    }

    /** True if a newer process of the slot was welcomed there. */
    private boolean isReplaced(final int partition)
    {
        return histories.history(partition).isReplaced(slot(), incarnation());
    }

    private void onRows(final UnsafeBuffer message, final Transport.Receiver receiver)
    {
        if (!planted.keepsBack(message))
        {
            take(message, receiver);
            final UnsafeBuffer late = planted.keptBack();
            if (null != late)
            {
                take(late, receiver);
            }
        }
    }

    private void take(final UnsafeBuffer message, final Transport.Receiver receiver)
    {
        final byte[] bytes = new byte[message.capacity()];
        message.getBytes(0, bytes);
        planted.beforeAnswer(message, client);
        plantedInTable.beforeAnswer(message, client);
        receiver.onMessage(message, 0, message.capacity());
        program.onRows(new UnsafeBuffer(bytes));
    }

    private void onWatermarks(final UnsafeBuffer message, final Transport.Receiver receiver)
    {
        watermarks.wrapAndApplyHeader(message, 0, header);
        if (slot() == watermarks.slot() && incarnation() == watermarks.incarnation())
        {
            for (final WatermarksDecoder.PartitionsDecoder entry : watermarks.partitions())
            {
                final PartitionSession session = client.session(entry.partition());
                if (entry.epoch() == session.epoch() || world.isPlanted(PlantedFault.STALE_EPOCH_ACCEPTED))
                {
                    checker.beliefs().onWatermarks(
                        slot(), session.partition(), session.epoch(), entry.applied());
                }
            }
        }
        planted.beforeAnswer(message, client);
        plantedInTable.beforeAnswer(message, client);
        receiver.onMessage(message, 0, message.capacity());
    }
}
