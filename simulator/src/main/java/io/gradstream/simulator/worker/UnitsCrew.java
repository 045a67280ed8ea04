// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.WorkStatus;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.coordinator.SimulatedCoordinator;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.SharedWork;
import io.gradstream.simulator.world.World;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The processes that share a work: they come and leave, stand still, die, and others come in place of some of them,
 * until the coordinators say that the work is over.
 */
public final class UnitsCrew
{
    private static final long CYCLE_NS = 5_000_000;
    private static final long STATUS_NS = 20_000_000;
    private static final long MOST_LATE_NS = 400_000_000;
    private static final int SOON_NS = 40_000_000;
    private static final long LATEST_STRIKE_NS = 1_200_000_000;
    private static final int SELDOM = 4;
    private static final int LEAVES_ONE_OF = 2_000;
    private static final int MOST_LEFT = 3;
    private static final int MOST_PROCESSES = SharedWork.CLIENTS / 2;

    private final World world;
    private final Cluster cluster;
    private final Checker checker;
    private final UnitsChecks checks;
    private final PlantedUnitsFaults planted;
    private final SharedWork work;
    private final SplittableRandom random;
    private final CoordinatorLink coordinators;
    private final List<UnitsProcess> processes = new ArrayList<>();
    private final Deque<Integer> links = new ArrayDeque<>();
    private WorkStatus status;
    private long askedNs;
    private long nextNs;
    private int wanted;
    private int started;
    private int left;
    private int finished;
    private int waiting;

    public UnitsCrew(final World world, final Cluster cluster, final Checker checker)
    {
        this.world = world;
        this.cluster = cluster;
        this.checker = checker;
        checks = new UnitsChecks(world, cluster);
        planted = new PlantedUnitsFaults(world, cluster);
        work = world.config().work();
        random = world.faults().units();
        for (int link = 0; link < SharedWork.CLIENTS; link++)
        {
            links.add(link);
        }
        coordinators = new CoordinatorLink((receiver) -> cluster.coordinator().connect(-1, receiver), (error) ->
        {
            throw new IllegalStateException(error);
        });
    }

    /** Begins to start processes. */
    public void start()
    {
        wanted = work.processes();
        world.events().after(CYCLE_NS, this::cycle);
    }

    /** True if one more slot may finish early: in a bounded job, where slots are few, one has to do the rest. */
    boolean mayFinish()
    {
        return !work.consistency().isBounded() || ++finished < work.consistency().slots();
    }

    UnitsChecks checks()
    {
        return checks;
    }

    /** A process begins to wait within a call, or has waited. */
    void onWaiting(final boolean isBegun)
    {
        waiting += isBegun ? 1 : -1;
    }

    /** True if a process waits within a call, so that another one should not. */
    boolean isAnyWaiting()
    {
        return waiting > 0;
    }

    int takeLink()
    {
        return links.remove();
    }

    void giveLink(final int link)
    {
        links.add(link);
    }

    /** A process is no more; another one may come in its place, soon or late. */
    void onEnded(final UnitsProcess process)
    {
        processes.remove(process);
        if (!work.consistency().isBounded() && wanted > 1 && 0 == random.nextInt(SELDOM))
        {
            wanted--;
        }
        wait(0 == random.nextInt(SELDOM) ? (int)MOST_LATE_NS : SOON_NS);
    }

    /** Strikes the processes, once each millisecond; for a while also when nothing else goes wrong any more. */
    public void strike()
    {
        final Faults faults = world.faults();
        for (final UnitsProcess process : awake())
        {
            if (strike(FaultClass.PAUSE, 0.004))
            {
                process.pause(faults.draw(FaultClass.PAUSE, 1_000_000, 60_000_000));
            }
            // a process that waits keeps others from beginning to
            if (strike(FaultClass.LONG_PAUSE, process.isAtWork() ? 0.003 : 0.0003))
            {
                process.pause(faults.draw(FaultClass.LONG_PAUSE, 500_000_000, 2_000_000_000));
            }
            strikeLinks(process);
            if (left < MOST_LEFT && isStruck() && 0 == random.nextInt(LEAVES_ONE_OF))
            {
                left++;
                process.leave();
            }
            if (strike(FaultClass.WORKER_CRASH, process.isAtWork() ? 0.004 : 0.001))
            {
                process.die("dies");
            }
        }
        if (faults.isHealing() && strike(FaultClass.COORDINATOR_CRASH, 0.001))
        {
            cluster.coordinator().crash(true, faults.draw(FaultClass.COORDINATOR_CRASH, 5_000_000, 80_000_000));
        }
    }

    private void strikeLinks(final UnitsProcess process)
    {
        for (final SimulatedNode node : cluster.nodes())
        {
            for (final int link : process.links())
            {
                if (strike(FaultClass.LINK_LOSS, 0.006))
                {
                    cluster.link(link, node.seat()).lose();
                }
            }
        }
    }

    /** True if processes are still struck: while servers are, few have a slot. */
    private boolean isStruck()
    {
        return !world.faults().isHealing() || world.events().nowNs() < LATEST_STRIKE_NS;
    }

    private boolean strike(final FaultClass fault, final double probability)
    {
        return world.faults().isHealing() ?
            isStruck() && world.faults().isOn(fault) && random.nextDouble() < probability :
            world.faults().strike(fault, probability);
    }

    private void cycle()
    {
        final long nowNs = world.events().nowNs();
        coordinators.doWork(nowNs * SimulatedCoordinator.TIME_SCALE);
        status = null == coordinators.pollWorkStatus() ? status : coordinators.pollWorkStatus();
        if (!isOver() && nowNs - askedNs >= STATUS_NS && coordinators.requestStatus())
        {
            askedNs = nowNs;
        }
        final boolean isRoom = cluster.coordinator().checks().slots().isAnyFree(
            work.consistency().isBounded() ? work.consistency().slots() : ScenarioConfig.MOST_SLOTS,
            cluster.coordinator().nowMs());
        if (awake().size() < wanted && processes.size() < MOST_PROCESSES && nowNs >= nextNs && !isOver() && isRoom)
        {
            startProcess();
        }
        world.events().after(CYCLE_NS, this::cycle);
    }

    /** The processes that do not stand still. */
    private List<UnitsProcess> awake()
    {
        return processes.stream().filter(UnitsProcess::isAwake).toList();
    }

    private void startProcess()
    {
        final UnitsProcess process = new UnitsProcess(world, cluster, checker, this, planted);
        processes.add(process);
        started++;
        process.start();
        wait(started < work.processes() && 0 == random.nextInt(SELDOM) ? (int)MOST_LATE_NS : SOON_NS);
    }

    private void wait(final int mostNs)
    {
        nextNs = world.events().nowNs() + random.nextInt(mostNs);
    }

    private boolean isOver()
    {
        return null != status && work.spec().workId() == status.workId() && status.batchesTotal() ==
            status.batchesDone() + status.batchesDropped() + status.batchesLeftOut();
    }

    /** True if the work is over and all processes have ended. */
    public boolean isDone()
    {
        return isOver() && processes.isEmpty();
    }

    /** Returns what has happened. */
    public WorkTally tally()
    {
        return isDone() ? checks.tally(started, left) : WorkTally.NONE;
    }

    /** Checks that each batch was done once. */
    public void checkEnd()
    {
        checks.checkEnd(status);
    }

    /** How far the work is, for people. */
    public String describe()
    {
        return " work: " + status + " " + processes.stream().map(UnitsProcess::describe).toList();
    }
}
