// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.Iterations;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.GradstreamException;
import io.gradstream.worker.Table;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Goes through the iterations of a slot by the calls of {@link Table} and {@link GradstreamClient}: pulls, pushes, ends
 * of iterations, and the end of all. A call that would wait is given up, and made again in the next duty cycle. The
 * model hears what is pushed from the messages that leave the client.
 */
final class TableProgram implements WorkerProgram
{
    /** A call cannot go on now. */
    private static final class NotNowException extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        NotNowException()
        {
            super(null, null, false, false);
        }
    }

    /** A push or the end of an iteration, and its last sequence if the slot is backed up. */
    private record Pending(long ticket, long sequence)
    {
    }

    private static final int PACE = 6;
    private static final int MAX_KEYS = 8;
    private static final long LEAST_KEPT_NS = 40_000_000;
    private static final long MOST_KEPT_NS = 120_000_000;

    private final World world;
    private final Histories histories;
    private final WorkerIdentity identity;
    private final Iterations iterations;
    private final Client core;
    private final GradstreamClient client;
    private final Table table;
    private final CachedPulls cached;
    private final TablePulls pulls;
    private final EndChecks ends;
    private final TableImports imports;
    private final ModelLoad load;
    private final long[] keys;
    private final float[] gradients;
    private final List<Pending> tickets = new ArrayList<>();
    private final Checker checker;
    private final PlantedTableFaults planted;
    /** True if another process of the slot pushes the same. */
    private final boolean isShared;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final SentParts sent;
    private boolean isBegun;
    /** True while nothing of the iteration is pushed. */
    private boolean isBetween = true;
    private boolean isFinished;
    private int pushed;
    private int stepped;
    private long lastClock;
    private int firstPartition;
    private long keptUntilNs;

    TableProgram(
        final World world,
        final Cluster cluster,
        final Checker checker,
        final WorkerIdentity identity,
        final PlantedTableFaults planted,
        final Client core)
    {
        this.world = world;
        this.checker = checker;
        this.planted = planted;
        isShared = !identity.role().isSole();
        histories = cluster.histories();
        sent = new SentParts(world, histories);
        this.identity = identity;
        this.core = core;
        iterations = world.config().iterations();
        client = GradstreamClient.over(new ClientContext(), core, world.events()::nowNs);
        table = client.knownTable(Workload.COUNTS).pushEncoding(world.config().encoding())
            .cacheKeys(world.config().isKeyCached());
        ends = new EndChecks(core);
        load = new ModelLoad(world, histories, checker, identity, core, client);
        cached = new CachedPulls(world, checker, identity.slot(), isShared, core);
        imports = new TableImports(world, checker, identity, core, client, cached);
        pulls = new TablePulls(world, cluster, checker, identity, core, table, imports);
        keys = new long[MAX_KEYS * core.partitions()];
        gradients = new float[keys.length];
    }

    @Override
    public void poll(final long nowNs)
    {
        try
        {
            client.poll();
        }
        catch (final GradstreamException ex)
        {
            if (null == core.failure())
            {
                throw ex;
            }
        }
        ends.look();
        checkOutcomes();
    }

    private void checkOutcomes()
    {
        for (int i = tickets.size() - 1; i >= 0; i--)
        {
            if (client.isDone(tickets.get(i).ticket()))
            {
                final Pending done = tickets.remove(i);
                Violation.check(Refusal.NONE == core.tickets().refusal(done.ticket()), Violation.Kind.WRONG_OUTCOME,
                    "a push or a clock was refused: slot", identity.slot());
                checkSafe(done.sequence());
            }
        }
        imports.poll();
        load.poll();
        for (int i = 0; i < core.partitions(); i++)
        {
            final PartitionSession session = core.session(i);
            // up to what the process before had pushed nothing was acknowledged to this one; parts that are left to the
            // other process of the slot may be gone with it, which the next welcome shows
            Violation.check(session.epoch() < 0 || isShared ||
                session.acknowledgedThrough() == session.heldBefore().sequence() || session.acknowledgedThrough() <=
                histories.history(i).lastOf(identity.slot(), identity.incarnation()), Violation.Kind.LOST,
                "acknowledged to a process without effect: slot, partition, sequence", identity.slot(), i,
                session.acknowledgedThrough());
        }
    }

    /** Pushes that a process of a backed-up slot takes for safe must be safe at each partition, whoever pushed them. */
    private void checkSafe(final long sequence)
    {
        for (int partition = 0; isShared && partition < core.partitions(); partition++)
        {
            checker.checkSafe(identity.slot(), partition, sequence);
        }
    }

    @Override
    public void doWork()
    {
        if (null != core.failure() || 0 != world.faults().work().nextInt(PACE))
        {
            return;
        }
        try
        {
            goOn();
        }
        catch (final NotNowException ex)
        {
            // the same call is made in the next duty cycle
        }
    }

    private void goOn()
    {
        if (!isBegun)
        {
            core.iteration().resume(world.events().nowNs());
            ends.onWritten();
            isBegun = true;
            cached.begin();
            isFinished = Consistency.FINISHED == client.clocksDone();
            checkSafe(iterations.lastOf(isFinished ? iterations.count() : client.clocksDone(), isFinished));
        }
        if (isFinished || load.doWork())
        {
            return;
        }
        if (isShared && isBetween)
        {
            skip();
        }
        pulls.doWork(client.clocksDone());
        if (isShared && isBetween && client.clocksDone() < iterations.count() &&
            !pulls.isAnyOf(client.clocksDone()))
        {
            return;
        }
        if (client.clocksDone() < iterations.count() && imports.isDue(client.clocksDone(), isBetween))
        {
            imports.doWork();
        }
        else if (client.clocksDone() == iterations.count())
        {
            isFinished = !iterations.isFinishing()[identity.slot()] || finish();
        }
        else if (pushed < iterations.pushes(identity.slot(), client.clocksDone()))
        {
            push();
        }
        else if (stepped < imports.steps(client.clocksDone()))
        {
            step();
        }
        else
        {
            end();
        }
    }

    private boolean finish()
    {
        final long ticket = client.finish();
        ends.onWritten();

        return tickets.add(new Pending(ticket, iterations.lastOf(iterations.count(), true)));
    }

    private void skip()
    {
        final long before = client.clocksDone();
        planted.beforeSkip(core);
        if (client.skipToSlot() > before)
        {
            checkSafe(iterations.lastOf(client.clocksDone(), false));
        }
    }

    private void end()
    {
        isBetween = false;
        final long ticket = client.clock();
        ends.onWritten();
        tickets.add(new Pending(ticket, iterations.lastOf(client.clocksDone(), false)));
        pushed = 0;
        stepped = 0;
        isBetween = true;
    }

    private void step()
    {
        final long ticket = imports.tryStep(client.clocksDone());
        if (GradstreamClient.NOT_NOW != ticket)
        {
            stepped++;
            isBetween = false;
            tickets.add(new Pending(ticket, 0));
        }
    }

    private void push()
    {
        int count = 0;
        for (int partition = 0; partition < core.partitions(); partition++)
        {
            final History.Part part = iterations.part(partition, identity.slot(), client.clocksDone(), pushed);
            for (int i = 0; i < part.keys().length; i++)
            {
                keys[count] = world.config().firstKey(partition) + part.keys()[i];
                gradients[count++] = Workload.gradient(world.config(), part.values()[i]);
            }
        }
        final long last = core.session(0).lastSequence();
        final long ticket = table.tryPush(keys, 0, count, gradients);
        if (GradstreamClient.NOT_NOW != ticket)
        {
            Violation.check(!pulls.isOvertaken(client.clocksDone()) || last == core.session(0).lastSequence(),
                Violation.Kind.MODEL_DIFFERS, "pushes of an iteration that its rows hold: slot, iteration",
                identity.slot(), client.clocksDone());
            for (int partition = 0; partition < core.partitions(); partition++)
            {
                cached.onPushed(
                    partition, iterations.part(partition, identity.slot(), client.clocksDone(), pushed));
            }
            pushed++;
            isBetween = false;
            tickets.add(new Pending(ticket, iterations.lastOf(client.clocksDone(), false) + pushed));
        }
    }

    @Override
    public boolean isDone()
    {
        return isFinished && 0 == client.outstandingTickets();
    }

    @Override
    public void onWelcome(final int partition, final long last)
    {
        // the client goes on where the slot is
    }

    @Override
    public void onRows(final DirectBuffer message)
    {
        pulls.onRows(message);
    }

    /**
     * The hardest moment to die in: an iteration has ended at one partition, and at no other. Now and then the ends for
     * the others stay in the process for a while.
     */
    @Override
    public boolean mayLeave(final UnsafeBuffer message)
    {
        if (ClockDoneDecoder.TEMPLATE_ID != header.wrap(message, 0).templateId())
        {
            return true;
        }
        clockDone.wrapAndApplyHeader(message, 0, header);
        if (!isShared && world.config().isOrdered())
        {
            ends.check(clockDone.partition(), clockDone.sequence());
        }
        if (clockDone.clock() > lastClock)
        {
            lastClock = clockDone.clock();
            firstPartition = clockDone.partition();
            keptUntilNs = world.faults().strike(FaultClass.WORKER_CRASH, 0.15) ? world.events().nowNs() +
                world.faults().draw(FaultClass.WORKER_CRASH, LEAST_KEPT_NS, MOST_KEPT_NS) : 0;
        }

        return clockDone.partition() == firstPartition || world.events().nowNs() >= keptUntilNs;
    }

    /** Late, so that the other slots have ended the iteration meanwhile. */
    @Override
    public boolean isAtWorst()
    {
        final long leftNs = keptUntilNs - world.events().nowNs();
        return leftNs > 0 && leftNs < LEAST_KEPT_NS / 2;
    }

    @Override
    public void onSent(final UnsafeBuffer message)
    {
        sent.onSent(message, identity.slot(), identity.incarnation());
    }

    @Override
    public void await(final String what, final BooleanSupplier condition)
    {
        if (!condition.getAsBoolean())
        {
            throw new NotNowException();
        }
    }
}
