// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.SlotTakenDecoder;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.coordinator.SimulatedCoordinator;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.SharedWork;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.GradstreamException;
import io.gradstream.worker.OperationTimeoutException;
import io.gradstream.worker.SlotFencedException;
import io.gradstream.worker.Table;
import io.gradstream.worker.Units;
import io.gradstream.worker.client.ClientSettings;
import io.gradstream.worker.client.Transport;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;
import io.gradstream.worker.work.WorkUnit;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * One process that takes any slot and does units of the work, by the calls that a user's program makes. A call that
 * waits runs all else meanwhile, on the same stack. If two processes waited at the same time, the first one could go on
 * only after the second one. So a process makes such a call only while no other one waits.
 */
final class UnitsProcess
{
    /** The process dies within a call. */
    static final class KilledError extends Error
    {
        private static final long serialVersionUID = 1;

        KilledError()
        {
            super(null, null, false, false);
        }
    }

    /** A client of a process, with the number of its links. */
    private final class Way extends WorkerTransport
    {
        private final int number;
        private final UnitsTap tap;
        private boolean isOpen = true;

        private Way(final int number, final UnitsTap tap)
        {
            super(cluster, number, tap);
            this.number = number;
            this.tap = tap;
        }

        @Override
        public Transport another()
        {
            return openWay();
        }

        @Override
        public void close()
        {
            // that of the process itself may be used for another slot
            if (this != ways.get(0))
            {
                closeWay(this);
            }
        }
    }

    private static final long CYCLE_NS = 1_000_000;
    private static final long OPERATION_TIMEOUT_NS = 4_000_000_000L;
    private static final int PACE = 10;
    private static final int SELDOM = 3;
    private static final int MAX_TICKETS = 128;
    private static final int SPOOL_BYTES = 1 << 17;

    private final World world;
    private final Cluster cluster;
    private final Checker checker;
    private final UnitsCrew crew;
    private final UnitsChecks checks;
    private final SharedWork work;
    private final SplittableRandom random;
    private final PlantedUnitsFaults planted;
    private final List<Way> ways = new ArrayList<>();
    private final List<CoordinatorChannel> channels = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SlotTakenDecoder slotTaken = new SlotTakenDecoder();
    private final long[] keys;
    private final float[] values;
    private final float[] pulled = new float[1];
    private GradstreamClient client;
    private Table table;
    private Units units;
    private WorkUnit unit;
    private int batchesLeft;
    private int pushed;
    private long pull = GradstreamClient.NOT_NOW;
    private boolean isPulled;
    private boolean isLeaving;
    private boolean isDead;
    private boolean isWaiting;
    private long pausedUntilNs;

    UnitsProcess(
        final World world,
        final Cluster cluster,
        final Checker checker,
        final UnitsCrew crew,
        final PlantedUnitsFaults planted)
    {
        this.world = world;
        this.cluster = cluster;
        this.checker = checker;
        this.crew = crew;
        this.planted = planted;
        checks = crew.checks();
        work = world.config().work();
        random = world.faults().units();
        keys = new long[world.config().partitions()];
        values = new float[keys.length];
        openWay();
    }

    /** Begins the first duty cycle soon. */
    void start()
    {
        world.events().after(jitter(), this::cycle);
    }

    /** True if it does not stand still. */
    boolean isAwake()
    {
        return world.events().nowNs() >= pausedUntilNs;
    }

    /** True if it is in the middle of a unit. */
    boolean isAtWork()
    {
        return null != unit && !isWaiting;
    }

    boolean isDead()
    {
        return isDead;
    }

    /** Gives back what it has not done, and ends, as soon as it has a slot. */
    void leave()
    {
        isLeaving = true;
    }

    void pause(final long durationNs)
    {
        pausedUntilNs = Math.max(pausedUntilNs, world.events().nowNs() + durationNs);
        note("stands still for ms", durationNs / 1_000_000);
    }

    /** The links of all its clients. */
    List<Integer> links()
    {
        return ways.stream().filter((way) -> way.isOpen).map((way) -> way.number).toList();
    }

    /** It is no more: nothing leaves it, and it learns nothing. */
    void die(final String why)
    {
        if (!isDead)
        {
            isDead = true;
            note(why);
            checks.onEnded(this);
            channels.forEach(CoordinatorChannel::close);
            List.copyOf(ways).forEach(this::closeWay);
            crew.onEnded(this);
        }
    }

    String describe()
    {
        return (isDead ? "dead" : null == client ? "asks for a slot" : "slot=" + client.slot() + " clock=" +
            client.clocksDone() + " unit=" + unit + " left=" + batchesLeft + (isLeaving ? " leaves" : "")) +
            " paused=" + Math.max(0, pausedUntilNs - world.events().nowNs()) / CYCLE_NS;
    }

    private void cycle()
    {
        if (!isDead && world.events().nowNs() >= pausedUntilNs)
        {
            try
            {
                goOn();
            }
            catch (final KilledError ex)
            {
                Violation.check(isDead, Violation.Kind.INVARIANT_BROKEN, "killed, and lives");
            }
            catch (final SlotFencedException ex)
            {
                checks.onFenced(ways.get(0).tap.slot(), ways.get(0).tap.incarnation());
                die("is fenced");
            }
            catch (final GradstreamException ex)
            {
                endIn(ex);
            }
        }
        if (!isDead)
        {
            world.events().after(jitter(), this::cycle);
        }
    }

    /** As a user's program does: it closes the client and exits with an error, or it just exits. */
    private void endIn(final GradstreamException error)
    {
        Violation.check(error instanceof OperationTimeoutException, Violation.Kind.WORKER_HALTED,
            String.valueOf(error.getMessage()));
        if (null != client && random.nextBoolean() && !isDead)
        {
            client.close();
        }
        die("ends: " + error.getMessage());
    }

    private void goOn()
    {
        if (null == client)
        {
            if (!crew.isAnyWaiting())
            {
                connect();
            }
            return;
        }
        client.poll();
        checkSessions();
        if (isLeaving && mayLeave())
        {
            if (!crew.isAnyWaiting())
            {
                leaveNow();
            }
        }
        else if (null != unit)
        {
            goOnWithBatch();
        }
        else
        {
            if (!crew.isAnyWaiting())
            {
                units.adopt();
            }
            takeUnit();
        }
    }

    private void connect()
    {
        final GradstreamClient made = GradstreamClient.connect(new ClientContext()
            .transport(ways.get(0))
            .coordinatorChannel(this::openChannel)
            .anySlot()
            .audit(true)
            .ackLevel(world.config().levels()[0])
            .nanoClock(this::clientNs)
            .epochClock(cluster.coordinator()::nowMs)
            .waitStrategy(this::await)
            .errorHandler(this::onProblem)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .spoolBytesPerPartition(SPOOL_BYTES)
            .maxPartLength(ClientSettings.MIN_PART_LENGTH)
            .maxInFlight(world.config().bounds().maxInFlight())
            .maxTickets(MAX_TICKETS));
        table = made.knownTable(Workload.COUNTS).pushEncoding(world.config().encoding())
            .cacheKeys(world.config().isKeyCached());
        units = made.units(work.spec());
        client = made;
        note("works in slot", client.slot(), "from clock", client.clocksDone());
    }

    private void takeUnit()
    {
        unit = units.tryNext();
        if (null != unit)
        {
            batchesLeft = unit.batches();
            beginBatch();
        }
        else if (units.isOver())
        {
            isLeaving = true;
        }
    }

    private void beginBatch()
    {
        pushed = 0;
        isPulled = false;
        checks.onBegun(this, batch());
    }

    /** The number of the batch that is under way. */
    private int batch()
    {
        return (int)(unit.pass() * work.spec().batchesPerPass() + unit.firstBatch()) + unit.batches() - batchesLeft;
    }

    private void goOnWithBatch()
    {
        if (0 != world.faults().work().nextInt(PACE))
        {
            return;
        }
        if (!isPulled)
        {
            pull();
        }
        else if (pushed < work.pushes(batch()))
        {
            push();
        }
        else if (hasRoom() || !crew.isAnyWaiting())
        {
            checks.onClock(this, batch(), client.clock());
            batchesLeft--;
            unit = 0 == batchesLeft ? null : unit;
            if (null != unit)
            {
                beginBatch();
            }
        }
    }

    /** True if the end of a batch need not wait for room. */
    private boolean hasRoom()
    {
        boolean hasRoom = true;
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            final PartitionSession session = client.session(partition);
            hasRoom &=
                session.lastSequence() - session.acknowledgedThrough() < world.config().bounds().maxInFlight() - 1;
        }

        return hasRoom;
    }

    /** Rows that a batch begins with: where slots are bound they come once the others are as far. */
    private void pull()
    {
        if (GradstreamClient.NOT_NOW == pull && 0 != random.nextInt(SELDOM))
        {
            isPulled = true;
        }
        else if (GradstreamClient.NOT_NOW == pull)
        {
            keys[0] = world.config().firstKey(0) + batch();
            pull = table.tryPull(keys, 1, pulled);
        }
        else if (client.isDone(pull))
        {
            pull = GradstreamClient.NOT_NOW;
            isPulled = true;
        }
    }

    private void push()
    {
        int count = 0;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            if (work.isAt(partition, batch(), pushed))
            {
                keys[count] = world.config().firstKey(partition) + batch();
                values[count++] = SharedWork.value(pushed);
            }
        }
        if (0 == count || GradstreamClient.NOT_NOW != table.tryPush(keys, 0, count, values))
        {
            pushed++;
        }
    }

    /** True if it is between two batches, and has pushed nothing of the next one. */
    private boolean mayLeave()
    {
        return null == unit || 0 == pushed && GradstreamClient.NOT_NOW == pull;
    }

    /** Early, or at the end of the work. Where a slot holds others back it has to finish, at the end. */
    private void leaveNow()
    {
        final boolean isOver = units.isOver();
        unit = null;
        if (isOver && work.consistency().isBounded() || 0 == random.nextInt(SELDOM) && crew.mayFinish())
        {
            client.finish();
            client.awaitAll();
        }
        else
        {
            units.leave();
        }
        checks.onLeft(this, client::isDone);
        client.close();
        die(isOver ? "ends as the work is over" : "has left");
    }

    private void checkSessions()
    {
        final UnitsTap tap = ways.get(0).tap;
        final WorkerIdentity identity =
            new WorkerIdentity(ScenarioConfig.JOB_ID, tap.slot(), tap.incarnation(), SlotRole.SOLE);
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            checker.checkSession(identity, true, client.session(partition));
            checks.checkEffect(identity, client.session(partition));
        }
        checks.onAcknowledged(this, client::isDone);
        Violation.check(0 == client.refusedTickets(), Violation.Kind.WRONG_OUTCOME, "refused", client.slot());
    }

    private void onProblem(final Throwable problem)
    {
        note(String.valueOf(problem.getMessage()));
    }

    private void note(final String what, final Object... more)
    {
        world.journal().note("process-" + ways.get(0).number, what, more);
    }

    // what it waits for

    private boolean await(final BooleanSupplier condition, final long deadlineNs, final IntSupplier dutyCycle)
    {
        if (condition.getAsBoolean())
        {
            return true;
        }
        isWaiting = true;
        crew.onWaiting(true);
        try
        {
            while (clientNs() - deadlineNs < 0 && !condition.getAsBoolean())
            {
                standStill();
                final int unused = dutyCycle.getAsInt();
            }
        }
        finally
        {
            isWaiting = false;
            crew.onWaiting(false);
        }

        return condition.getAsBoolean();
    }

    /** Until its next duty cycle all others go on. */
    private void standStill()
    {
        final long dueNs = world.events().nowNs() + jitter();
        while (world.events().nowNs() < Math.max(dueNs, pausedUntilNs) && !isDead)
        {
            world.events().runNext();
        }
        if (isDead)
        {
            throw new KilledError();
        }
    }

    private long clientNs()
    {
        return world.events().nowNs() * SimulatedCoordinator.TIME_SCALE;
    }

    private long jitter()
    {
        return CYCLE_NS / 2 + world.faults().work().nextInt((int)CYCLE_NS);
    }

    // its ways to servers and coordinators

    private Way openWay()
    {
        final Way way = new Way(crew.takeLink(), new UnitsTap(world, cluster, checker));
        ways.add(way);
        for (int seat = 0; seat < world.config().seats(); seat++)
        {
            cluster.link(way.number, seat).onWorkerStarted();
        }

        return way;
    }

    private void closeWay(final Way way)
    {
        if (way.isOpen)
        {
            way.isOpen = false;
            way.tap.die();
            for (int seat = 0; seat < world.config().seats(); seat++)
            {
                cluster.link(way.number, seat).onWorkerDead();
            }
            crew.giveLink(way.number);
        }
    }

    private CoordinatorChannel openChannel(final CoordinatorChannel.Listener receiver)
    {
        final CoordinatorChannel[] opened = new CoordinatorChannel[1];
        opened[0] = cluster.coordinator().connect(-1, (buffer, offset, length) ->
        {
            if (!isDead && isForIt(buffer, offset))
            {
                final DirectBuffer taken = planted.told(opened[0], buffer, offset, length);
                receiver.onMessage(taken, 0, taken.capacity());
            }
        });
        channels.add(opened[0]);

        return opened[0];
    }

    /** True if the process takes a message; one that gives it a slot beyond those that are looked at ends it. */
    private boolean isForIt(final DirectBuffer buffer, final int offset)
    {
        final boolean isBeyond = SlotTakenDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId() &&
            slotTaken.wrapAndApplyHeader(buffer, offset, header).slot() >= world.config().slots();
        if (isBeyond)
        {
            die("is given a slot beyond the last");
        }

        return !isBeyond;
    }
}
