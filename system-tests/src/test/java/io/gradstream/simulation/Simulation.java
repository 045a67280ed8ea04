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

import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.WorkerIdentity;

/**
 * One partition and two workers under faults drawn from one seed: the production replica, partition and worker session
 * over simulated ports, one thread, one ordered queue of events. The same seed gives the same course.
 */
final class Simulation
{
    /** Workers, each with a slot of its own. */
    static final int SLOTS = 2;
    private static final long CYCLE_NS = 1_000_000;
    private static final long HEAL_AT_NS = 250_000_000;
    private static final long END_NS = 4_000_000_000L;

    private final EventQueue events = new EventQueue();
    private final History history = new History(SLOTS);
    private final SimulatedTransport[] links = new SimulatedTransport[SLOTS];
    private final SimulatedWorker[] workers = new SimulatedWorker[SLOTS];
    private final AckLevel[] levels = new AckLevel[SLOTS];
    private final long[] incarnations = new long[SLOTS];
    private final int[] linkGenerations = new int[SLOTS];
    private final Faults faults;
    private final PlantedFault planted;
    private final SimulatedServer server;
    private final Workload workload;
    private final Checker checker;
    private int crashes;
    private int takeovers;

    private Simulation(final long seed, final PlantedFault planted)
    {
        this.planted = planted;
        faults = new Faults(seed);
        server = new SimulatedServer(faults, events, links, planted);
        workload = new Workload(faults.work(), history);
        checker = new Checker(server, history);
        for (int i = 0; i < SLOTS; i++)
        {
            final int slot = i;
            links[slot] = new SimulatedTransport(events, faults,
                (buffer, length) -> inServer(() -> server.onMessage(slot, buffer, length)),
                (buffer, length) -> null == workers[slot] || workers[slot].onMessage(buffer, length));
            levels[slot] = 0 == faults.work().nextInt(4) ? AckLevel.COVERED : AckLevel.RECORDED;
        }
    }

    /** What came of a seed. */
    record Result(long traceHash, long events, int crashes, int takeovers, Violation violation)
    {
    }

    /**
     * Run one seed to its end or to the first violation.
     */
    static Result run(final long seed, final PlantedFault planted)
    {
        final Simulation simulation = new Simulation(seed, planted);
        Violation violation = null;
        try
        {
            simulation.run();
        }
        catch (final Violation ex)
        {
            violation = ex;
        }
        catch (final IllegalStateException ex)
        {
            violation = new Violation(Violation.Kind.INVARIANT_BROKEN, ex.getMessage(), ex);
        }

        return new Result(simulation.events.traceHash(), simulation.events.count(), simulation.crashes,
            simulation.takeovers, violation);
    }

    private void run()
    {
        startServer();
        for (int slot = 0; slot < SLOTS; slot++)
        {
            startWorker(slot);
        }
        events.after(CYCLE_NS, this::serverCycle);
        events.after(CYCLE_NS, this::recordingCycle);
        events.after(CYCLE_NS, this::faultCycle);
        events.after(HEAL_AT_NS, this::heal);
        while (!isDone())
        {
            Violation.check(events.nowNs() < END_NS, Violation.Kind.NO_PROGRESS, "issued, acknowledged",
                history.last(0), history.last(1), acknowledged(0), acknowledged(1));
            step();
        }

        server.storage().disarm();
        crashServer();
        while (!server.isPrimary())
        {
            Violation.check(events.nowNs() < END_NS, Violation.Kind.NO_PROGRESS, "restart", events.nowNs());
            step();
        }
        checker.checkServer();
        checker.checkRows();
    }

    private void step()
    {
        events.runNext();
        checker.checkServer();
        for (final SimulatedWorker worker : workers)
        {
            if (null != worker)
            {
                checker.checkWorker(worker);
            }
        }
    }

    private boolean isDone()
    {
        for (final SimulatedWorker worker : workers)
        {
            if (null == worker || !worker.isDone())
            {
                return false;
            }
        }

        return events.nowNs() > HEAL_AT_NS;
    }

    private long acknowledged(final int slot)
    {
        return null == workers[slot] ? -1 : workers[slot].session().floor();
    }

    private void heal()
    {
        faults.heal();
        server.storage().disarm();
    }

    private void serverCycle()
    {
        inServer(() ->
        {
            server.doWork();
            return true;
        });
        events.after(jitter(), this::serverCycle);
    }

    private void workerCycle(final SimulatedWorker worker)
    {
        if (workers[worker.slot()] == worker)
        {
            worker.doWork();
            events.after(jitter(), () -> workerCycle(worker));
        }
    }

    private void recordingCycle()
    {
        if (server.isAlive())
        {
            server.storage().record(faults.work().nextInt(4));
        }
        events.after(faults.strike(FaultClass.RECORDING_LAG, 0.02) ?
            faults.draw(FaultClass.RECORDING_LAG, 5_000_000, 30_000_000) : jitter() / 2, this::recordingCycle);
    }

    private void faultCycle()
    {
        if (server.isAlive() && faults.strike(FaultClass.SERVER_CRASH, 0.015))
        {
            crashServer();
        }
        if (faults.strike(FaultClass.PAUSE, 0.01))
        {
            server.pause(faults.draw(FaultClass.PAUSE, 1_000_000, 60_000_000));
        }
        for (int slot = 0; slot < SLOTS; slot++)
        {
            if (null != workers[slot])
            {
                workerFaults(slot);
            }
        }
        events.after(CYCLE_NS, this::faultCycle);
    }

    private void workerFaults(final int slot)
    {
        if (faults.strike(FaultClass.PAUSE, 0.01))
        {
            workers[slot].pause(faults.draw(FaultClass.PAUSE, 1_000_000, 60_000_000));
        }
        if (links[slot].isUp() && faults.strike(FaultClass.LINK_LOSS, 0.01))
        {
            loseLink(slot, true);
        }
        if (faults.strike(FaultClass.WORKER_CRASH, 0.008))
        {
            workers[slot] = null;
            takeovers++;
            loseLink(slot, true);
            events.after(faults.draw(FaultClass.WORKER_CRASH, 1_000_000, 30_000_000), () -> startWorker(slot));
        }
    }

    private void startServer()
    {
        server.start();
        for (int slot = 0; slot < SLOTS; slot++)
        {
            connectLater(slot);
        }
    }

    private void crashServer()
    {
        if (!server.isAlive())
        {
            return;
        }
        crashes++;
        server.crash();
        for (int slot = 0; slot < SLOTS; slot++)
        {
            loseLink(slot, false);
        }
        events.after(faults.draw(FaultClass.SERVER_CRASH, 1_000_000, 40_000_000), this::startServer);
    }

    private void startWorker(final int slot)
    {
        final AckLevel sessionLevel =
            PlantedFault.RELEASE_AT_APPLIED == planted ? AckLevel.APPLIED : levels[slot];
        final SimulatedWorker worker = new SimulatedWorker(new WorkerIdentity(1, slot, ++incarnations[slot]),
            levels[slot], sessionLevel, links[slot], workload, checker, events);
        workers[slot] = worker;
        connectLater(slot);
        events.after(jitter(), () -> workerCycle(worker));
    }

    private void loseLink(final int slot, final boolean isServerAlive)
    {
        linkGenerations[slot]++;
        links[slot].disconnect(isServerAlive);
        if (null != workers[slot])
        {
            workers[slot].session().onLinkDown(events.nowNs());
        }
        server.onDisconnect(slot);
        connectLater(slot);
    }

    private void connectLater(final int slot)
    {
        final int generation = linkGenerations[slot];
        events.after(faults.draw(FaultClass.LINK_LOSS, 500_000, 10_000_000), () -> connect(slot, generation));
    }

    private void connect(final int slot, final int generation)
    {
        if (generation == linkGenerations[slot] && !links[slot].isUp() && server.isAlive() && null != workers[slot])
        {
            links[slot].connect(incarnations[slot]);
            workers[slot].session().onLinkUp();
        }
    }

    private boolean inServer(final java.util.function.BooleanSupplier action)
    {
        try
        {
            return action.getAsBoolean();
        }
        catch (final SimulatedCrash ex)
        {
            crashServer();
            return false;
        }
    }

    private long jitter()
    {
        return CYCLE_NS / 2 + faults.work().nextInt((int)CYCLE_NS);
    }
}
