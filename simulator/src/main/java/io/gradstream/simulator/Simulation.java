// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import io.gradstream.codecs.SlotRole;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.check.CutChecks;
import io.gradstream.simulator.coordinator.CoordinatorTally;
import io.gradstream.simulator.faults.FaultSchedule;
import io.gradstream.simulator.faults.NetsplitTrial;
import io.gradstream.simulator.faults.Operator;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.node.SimulatedProcess;
import io.gradstream.simulator.worker.JobWorkers;
import io.gradstream.simulator.worker.SimulatedWorker;
import io.gradstream.simulator.worker.UnitsCrew;
import io.gradstream.simulator.worker.WorkTally;
import io.gradstream.simulator.world.BufferArena;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.Iterations;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Program;
import io.gradstream.simulator.world.Resumed;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.SimulatedCrash;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.session.WorkerIdentity;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A job of some nodes, partitions and workers under faults drawn from one seed: the production replica, partition,
 * coordinator and worker session over simulated ports, one thread, one ordered queue of events. The same seed gives
 * the same course.
 */
public final class Simulation implements Operator
{
    private static final long CYCLE_NS = 1_000_000;
    static final long FAULTS_NS = 600_000_000;
    private static final long MOST_LATE_NS = 400_000_000;
    private static final long RESTART_NS = 1_000_000;
    private static final String ANOTHER_PROCESS = "another process";
    private static final long END_NS = 12_000_000_000L;
    /** How long a loss for good is looked at. */
    private static final long LOSS_NS = 1_500_000_000;

    /**
     * A simulation to run.
     *
     * @param seed          that everything is drawn from.
     * @param program       that workers run.
     * @param planted       mistake.
     * @param off           fault classes that do not strike.
     * @param faultsNs      how long faults strike.
     * @param isWithJournal keep a history in words.
     */
    record Setup(
        long seed, Program program, PlantedFault planted, Set<FaultClass> off, long faultsNs, boolean isWithJournal)
    {
        static Setup of(final long seed)
        {
            return of(seed, PlantedFault.NONE);
        }

        static Setup of(final long seed, final PlantedFault planted)
        {
            return of(seed, planted.program(), planted);
        }

        static Setup of(final long seed, final Program program, final PlantedFault planted)
        {
            return new Setup(seed, program, planted, EnumSet.noneOf(FaultClass.class), FAULTS_NS, false);
        }
    }

    /** The result of a seed. */
    record Result(
        long traceHash, long events, int crashes, int takeovers, int fenced, int lackingReplaced, int startedAgain,
        int backupsStarted, int leftAlone, int leaderships, int replacedNodes,
        CoordinatorTally coordinators, Violation violation, Set<FaultClass> faults, List<String> journal,
        int comparedCuts, int exactCopies, int resumed, WorkTally work)
    {
    }

    private final Setup setup;
    private final World world;
    private final Histories histories;
    private final Cluster cluster;
    private final Checker checker;
    private final FaultSchedule schedule;
    private final CutChecks cutChecks;
    private final Convergence convergence;
    /** The processes that share a work, or null where each has a slot of its own. */
    private final UnitsCrew crew;
    private final JobWorkers jobWorkers;
    private final SimulatedWorker[] workers = new SimulatedWorker[ScenarioConfig.SLOTS];
    /** By slot the process that held it before and lives. */
    private final SimulatedWorker[] replaced = new SimulatedWorker[ScenarioConfig.SLOTS];
    /** By slot the process that pushes the same as the holder. */
    private final SimulatedWorker[] backups = new SimulatedWorker[ScenarioConfig.SLOTS];
    /** By slot, true if a holder and a backup share it. */
    private final boolean[] isShared = new boolean[ScenarioConfig.SLOTS];
    private final long[] incarnations = new long[ScenarioConfig.SLOTS];
    /** Second hosts that have been used. */
    private final Set<SimulatedNode> others = new HashSet<>();
    private int crashes;
    private int replacedNodes;
    private int takeovers;
    private int fenced;
    /** Replaced processes that ended as they lacked parts of the process before them. */
    private int lackingReplaced;
    /** Processes that lacked parts of the process before them. */
    private int startedAgain;
    private int backupsStarted;
    /** Slots that were backed up, and have been given to one process since neither could go on. */
    private int leftAlone;
    /** Where another run goes on after this one, or null. */
    private Resumed next;

    private Simulation(final Setup setup, final Resumed resumed)
    {
        this.setup = setup;
        world = new World(setup.seed, setup.program, setup.planted, setup.off, resumed, setup.isWithJournal);
        histories = new Histories(world);
        cluster = new Cluster(world, histories);
        checker = new Checker(world, cluster, histories);
        schedule = new FaultSchedule(world, cluster, checker);
        cluster.watch(checker, schedule);
        cutChecks = new CutChecks(world, cluster, setup.seed);
        convergence = new Convergence(world, cluster);
        crew = world.config().isOfUnits() ? new UnitsCrew(world, cluster, checker) : null;
        jobWorkers = new JobWorkers(world, cluster, checker.jobs());
    }

    static Result run(final long seed, final PlantedFault planted)
    {
        return run(Setup.of(seed, planted));
    }

    /** Run one seed to its end or to the first violation. */
    static Result run(final Setup setup)
    {
        return run(setup, null);
    }

    private static Result run(final Setup setup, final Resumed resumed)
    {
        BufferArena.begin();
        final Simulation simulation = new Simulation(setup, resumed);
        Violation violation = null;
        try
        {
            simulation.run();
        }
        catch (final Violation ex)
        {
            violation = ex;
        }
        catch (final RuntimeException ex)
        {
            violation = new Violation(Violation.Kind.INVARIANT_BROKEN, String.valueOf(ex.getMessage()), ex);
        }
        final World world = simulation.world;
        if (null == violation && null != simulation.next)
        {
            return run(setup, simulation.next);
        }
        if (null != violation)
        {
            world.journal().note("VIOLATION", violation.getMessage());
        }

        return new Result(world.events().traceHash(), world.events().count(), simulation.crashes, simulation.takeovers,
            simulation.fenced, simulation.lackingReplaced, simulation.startedAgain, simulation.backupsStarted,
            simulation.leftAlone, simulation.checker.leaderships(), simulation.replacedNodes,
            simulation.cluster.coordinator().tally(), violation, world.faults().on(), world.journal().lines(),
            simulation.cutChecks.compared(), simulation.checker.exact(),
            null == resumed ? 0 : 1, null == simulation.crew ? WorkTally.NONE : simulation.crew.tally());
    }

    private void run()
    {
        world.journal().note("seed", String.valueOf(setup.seed), world.config().job(), List.of(world.config().levels()),
            world.faults().on());
        for (final SimulatedNode node : cluster.nodes())
        {
            world.events().after(world.config().isLate(node.id()) ?
                world.faults().draw(FaultClass.LATE_NODE, 10_000_000, MOST_LATE_NS) : jitter(), () -> start(node));
            world.events().after(CYCLE_NS, () -> nodeCycle(node));
            world.events().after(CYCLE_NS, () -> recordingCycle(node));
        }
        startWorkers();
        jobWorkers.start();
        world.events().after(CYCLE_NS, this::faultCycle);
        world.events().after(setup.faultsNs, this::heal);
        if (world.config().isEndedEarly())
        {
            next = new EarlyEnd(world, cluster, checker, convergence).run(schedule.fatalLoss());
            return;
        }
        if (isEndedByLoss())
        {
            schedule.fatalLoss().check();
            return;
        }
        world.journal().note("simulation", "everything is acknowledged and whole; all nodes start again");
        checkEnd();
        cutChecks.checkEnd();

        // what processes do who share a work is over
        if (world.config().job().copies() > 1 && null == crew)
        {
            new NetsplitTrial(world, cluster, this).run();
            runUntilWhole();
            world.journal().note("simulation", "everything is whole again after a cut");
        }
        for (final SimulatedNode node : cluster.nodes())
        {
            crash(node, CYCLE_NS);
        }
        runUntilWhole();
        checkEnd();
    }

    private void checkEnd()
    {
        checker.checkEnd();
        if (null != crew)
        {
            crew.checkEnd();
        }
    }

    private void startWorkers()
    {
        if (null != crew)
        {
            crew.start();
        }
        for (int slot = 0; slot < ScenarioConfig.SLOTS && null == crew; slot++)
        {
            isShared[slot] = world.config().isBackedUp(slot);
            startWorker(slot);
            if (isShared[slot])
            {
                startBackup(slot);
            }
        }
    }

    /** Until everything is whole, or as long as it takes to see what is said of what is lost for good. */
    private boolean isEndedByLoss()
    {
        world.events().runUntil(setup.faultsNs);
        if (!schedule.fatalLoss().isAny())
        {
            runUntilWhole();
            return false;
        }
        world.events().runUntil(world.events().nowNs() + LOSS_NS);

        return true;
    }

    private void runUntilWhole()
    {
        final long endNs = world.events().nowNs() + END_NS;
        boolean isWhole = false;
        while (!isWhole)
        {
            if (world.events().nowNs() >= endNs)
            {
                throw new Violation(Violation.Kind.NO_PROGRESS, jobWorkers.describe(
                    convergence.describe(Stream.of(workers, backups).flatMap(Stream::of).toList()) +
                    (null == crew ? "" : crew.describe())));
            }
            world.events().runNext();
            isWhole = world.faults().isHealing() && 0 == world.events().count() % 16 &&
                (null == crew ? areWorkersDone() : crew.isDone()) && jobWorkers.isDone() && convergence.isReached();
        }
    }

    private boolean areWorkersDone()
    {
        for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
        {
            // who was replaced and lives has to hear of it
            if (null == workers[slot] || !workers[slot].isDone() || null != replaced[slot] ||
                isShared[slot] && (null == backups[slot] || !backups[slot].isDone()))
            {
                return false;
            }
        }

        return true;
    }

    private void heal()
    {
        world.journal().note("simulation", "no more faults");
        world.faults().heal();
        for (final SimulatedNode node : cluster.nodes())
        {
            node.disarm();
        }
    }

    private void nodeCycle(final SimulatedNode node)
    {
        final SimulatedProcess process = node.process();
        try
        {
            node.doWork();
        }
        catch (final SimulatedCrash ex)
        {
            // a process that was paused inside its duty cycle may be gone already
            if (process == node.process())
            {
                crash(node, world.faults().draw(FaultClass.CRASH_POINT, 1_000_000, 60_000_000));
            }
        }
        catch (final IllegalStateException ex)
        {
            final String reason = ex.getMessage();
            if (reason.contains(ANOTHER_PROCESS) && cluster.isReplacedByDead(node))
            {
                crash(node, RESTART_NS);
            }
            else if (!mayEnd(node, reason))
            {
                throw ex;
            }
            else if (!world.isPlanted(PlantedFault.REPLACED_PROCESS_GOES_ON))
            {
                end(node, reason);
            }
        }
        checker.checkNode(node);
        cutChecks.onCycle(node);
        world.events().after(jitter(), () -> nodeCycle(node));
    }

    /** Another process is the node, or the only copy of something is damaged for good. */
    private boolean mayEnd(final SimulatedNode node, final String reason)
    {
        final boolean isLost = schedule.fatalLoss().isAny() && reason.contains("has no other copy");
        if (isLost)
        {
            schedule.fatalLoss().onEnd();
        }

        return isLost || !cluster.isNode(node) && reason.contains(ANOTHER_PROCESS);
    }

    private void workerCycle(final SimulatedWorker worker)
    {
        final boolean isReplaced = replaced[worker.slot()] == worker;
        if (isReplaced || workers[worker.slot()] == worker || backups[worker.slot()] == worker)
        {
            worker.doWork();
            worker.check(isReplaced);
            if (isReplaced && worker.isHalted())
            {
                onReplacedEnded(worker);
            }
            else if (worker.lacksPartsBefore() && isShared[worker.slot()])
            {
                leaveAlone(worker.slot());
            }
            else if (worker.lacksPartsBefore())
            {
                startAgain(worker);
            }
            else
            {
                world.events().after(jitter(), () -> workerCycle(worker));
            }
        }
    }

    /** A replaced process has heard of the newer one, or lacks parts of the process before itself. */
    private void onReplacedEnded(final SimulatedWorker worker)
    {
        world.journal().note("slot-" + worker.slot(),
            worker.lacksPartsBefore() ? "is replaced and lacks parts, incarnation" : "is fenced, incarnation",
            worker.incarnation());
        if (worker.lacksPartsBefore())
        {
            lackingReplaced++;
        }
        else
        {
            fenced++;
        }
        endReplaced(worker.slot());
    }

    /** A process lacks parts of the process before it, and says that it is to be started once more. */
    private void startAgain(final SimulatedWorker over)
    {
        world.journal().note("slot-" + over.slot(), "has to be started once more, incarnation", over.incarnation());
        startedAgain++;
        over.onDeath();
        cluster.onWorkerDead(over.client());
        startWorker(over.slot());
    }

    /**
     * A process of a slot that is backed up lacks what the other one has pushed. It says that both are to be ended, and
     * a process that holds the slot alone is to be started.
     */
    private void leaveAlone(final int slot)
    {
        world.journal().note("slot-" + slot, "can go on neither with its holder nor with its backup");
        leftAlone++;
        isShared[slot] = false;
        // what is lost was said
        histories.onDoubt();
        end(workers[slot]);
        end(backups[slot]);
        backups[slot] = null;
        startWorker(slot);
    }

    private void end(final SimulatedWorker over)
    {
        if (null != over)
        {
            over.onDeath();
            cluster.onWorkerDead(over.client());
        }
    }

    private void recordingCycle(final SimulatedNode node)
    {
        if (node.isAlive())
        {
            node.record(1 + world.faults().work().nextInt(4));
        }
        world.events().after(world.faults().strike(FaultClass.RECORDING_LAG, 0.03) ?
            world.faults().draw(FaultClass.RECORDING_LAG, 5_000_000, 30_000_000) : jitter(),
            () -> recordingCycle(node));
    }

    private void faultCycle()
    {
        schedule.strike(this);
        if (null != crew)
        {
            crew.strike();
        }
        for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
        {
            if (null != workers[slot])
            {
                workerFaults(slot);
            }
            if (null != backups[slot])
            {
                processFaults(backups[slot]);
                crashOf(backups[slot]);
            }
        }
        world.events().after(CYCLE_NS, this::faultCycle);
    }

    private void workerFaults(final int slot)
    {
        processFaults(workers[slot]);
        // in a slot that is backed up a second holder would stand where its backup does
        if (world.faults().strike(FaultClass.TAKEOVER, 0.004) && !isShared[slot])
        {
            takeOver(slot);
        }
        crashOf(workers[slot]);
    }

    private void processFaults(final SimulatedWorker worker)
    {
        final Faults faults = world.faults();
        if (faults.strike(FaultClass.PAUSE, 0.004))
        {
            worker.pause(faults.draw(FaultClass.PAUSE, 1_000_000, 60_000_000));
        }
        for (final SimulatedNode node : cluster.nodes())
        {
            if (faults.strike(FaultClass.LINK_LOSS, 0.006))
            {
                cluster.link(worker.client(), node.seat()).lose();
            }
        }
    }

    /** A process may die, and is started again after a while. */
    private void crashOf(final SimulatedWorker worker)
    {
        final Faults faults = world.faults();
        if (!faults.strike(FaultClass.WORKER_CRASH, worker.isAtWorst() ? 0.1 : 0.004))
        {
            return;
        }
        final int slot = worker.slot();
        final boolean isOfTwo = isShared[slot];
        final boolean isBackup = worker == backups[slot];
        world.journal().note("slot-" + slot, "dies, incarnation", worker.incarnation());
        worker.onDeath();
        (isBackup ? backups : workers)[slot] = null;
        takeovers++;
        cluster.onWorkerDead(worker.client());
        world.events().after(faults.draw(FaultClass.WORKER_CRASH, 1_000_000, 30_000_000), () ->
        {
            // a slot that was given to one process meanwhile has that
            if (isOfTwo == isShared[slot])
            {
                startAfter(worker, isBackup);
            }
        });
    }

    private void startAfter(final SimulatedWorker dead, final boolean isBackup)
    {
        final int slot = dead.slot();
        if (isBackup)
        {
            startBackup(slot);
        }
        else
        {
            startWorker(slot);
        }
        final int client = (isBackup ? backups : workers)[slot].client();
        cluster.leaveAnswers(dead.client(), client);
    }

    /** A process stands still for a while, maybe not at all, and another one takes its slot over. */
    private void takeOver(final int slot)
    {
        endReplaced(slot);
        replaced[slot] = workers[slot];
        takeovers++;
        final long pauseNs = world.faults().draw(FaultClass.TAKEOVER, -20_000_000, 120_000_000);
        world.journal().note("slot-" + slot, "is replaced and stands still for ms", pauseNs / 1_000_000);
        replaced[slot].pause(Math.max(0, pauseNs));
        startWorker(slot);
    }

    private void endReplaced(final int slot)
    {
        if (null != replaced[slot])
        {
            final SimulatedWorker over = replaced[slot];
            over.onDeath();
            replaced[slot] = null;
            cluster.onWorkerDead(over.client());
        }
    }

    private void start(final SimulatedNode node)
    {
        if (node.isAlive())
        {
            return;
        }
        node.start(cluster);
        cluster.onStarted(node);
    }

    /** A node is started a second time, on another host with an empty directory, while its first process lives. */
    @Override
    public void startAnother(final int id)
    {
        final SimulatedNode other = cluster.otherHost(world, id);
        start(other);
        if (others.add(other))
        {
            world.events().after(CYCLE_NS, () -> nodeCycle(other));
            world.events().after(CYCLE_NS, () -> recordingCycle(other));
        }
    }

    /** A process ends that is not the node any more, or never was: nobody starts it again. */
    private void end(final SimulatedNode node, final String reason)
    {
        world.journal().note("simulation", "a process ends:", reason);
        replacedNodes++;
        node.crash();
        cluster.onDead(node);
        node.discard();
    }

    /** A node dies, and is started again after a while. */
    @Override
    public void crash(final SimulatedNode node, final long awayNs)
    {
        if (!node.isAlive())
        {
            return;
        }
        crashes++;
        node.crash();
        schedule.rot(node);
        cluster.onDead(node);
        if (cluster.isNode(node))
        {
            world.events().after(awayNs, () -> startAgain(node));
        }
        else
        {
            node.discard();
        }
    }

    private void startAgain(final SimulatedNode node)
    {
        if (cluster.isNode(node))
        {
            start(node);
        }
        else if (!node.isAlive())
        {
            node.discard();
        }
    }

    private void startWorker(final int slot)
    {
        if (null != replaced[slot] && replaced[slot].client() == ScenarioConfig.client(slot, incarnations[slot] + 1))
        {
            endReplaced(slot);
        }
        workers[slot] =
            startProcess(slot, isShared[slot] ? SlotRole.backedUp(Iterations.PARTS) : SlotRole.SOLE);
    }

    private void startBackup(final int slot)
    {
        backupsStarted++;
        backups[slot] = startProcess(slot, SlotRole.backup(Iterations.PARTS));
    }

    private SimulatedWorker startProcess(final int slot, final SlotRole role)
    {
        incarnations[slot]++;
        // holders of a slot that is backed up are even, backups are odd: each stands at a place of its own
        incarnations[slot] += role.isSole() || role.isBackup() == (1 == incarnations[slot] % 2) ? 0 : 1;
        final SimulatedWorker worker = new SimulatedWorker(
            world, cluster, checker, new WorkerIdentity(1, slot, incarnations[slot], role));
        world.journal().note("slot-" + slot, "starts, incarnation", incarnations[slot], role.kind());
        for (int seat = 0; seat < world.config().seats(); seat++)
        {
            cluster.link(worker.client(), seat).onWorkerStarted();
        }
        world.events().after(jitter(), () -> workerCycle(worker));

        return worker;
    }

    private long jitter()
    {
        return CYCLE_NS / 2 + world.faults().work().nextInt((int)CYCLE_NS);
    }
}
