// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.SimulatedCrash;
import io.gradstream.simulator.world.World;

import java.util.ArrayList;
import java.util.List;

/** One node of the job over all its lives: its disks, its clock, and the process that is alive, if one is. */
public final class SimulatedNode
{
    private final World world;
    private final int id;
    private final int seat;
    private final List<SimulatedStorage> storages = new ArrayList<>();
    private final long clockOffsetNs;
    private final double clockRate;
    private long incarnation;
    private long pausedUntilNs;
    private SimulatedProcess process;

    SimulatedNode(final World world, final int id, final int seat)
    {
        this.world = world;
        this.id = id;
        this.seat = seat;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            storages.add(null);
        }
        final boolean isOff = world.faults().isOn(FaultClass.CLOCKS);
        final FaultClass drawn = seat == id ? FaultClass.CLOCKS : FaultClass.SECOND_PROCESS;
        final long offsetNs = world.faults().draw(drawn, -1_000_000_000_000L, 1_000_000_000_000L);
        final double rate = 1 + world.faults().draw(drawn, -20_000, 20_000) / 1e6;
        clockOffsetNs = isOff ? offsetNs : 0;
        clockRate = isOff ? rate : 1;
    }

    public int id()
    {
        return id;
    }

    /** Number of the host, of which a node has two. */
    public int seat()
    {
        return seat;
    }

    private String name()
    {
        return "node-" + id + (seat == id ? "" : "b");
    }

    /** This node's clock. */
    long nowNs()
    {
        return clockOffsetNs + (long)(world.events().nowNs() * clockRate);
    }

    /** Its copy of a partition becomes one that is kept here. */
    SimulatedStorage keep(final int partition)
    {
        if (null == storages.get(partition))
        {
            storages.set(partition, new SimulatedStorage(world.faults(), world.planted(), world.config()));
        }

        return storages.get(partition);
    }

    /** Its copy of a partition, or null if it has never kept one. */
    public SimulatedStorage storage(final int partition)
    {
        return storages.get(partition);
    }

    public boolean isAlive()
    {
        return null != process;
    }

    public SimulatedProcess process()
    {
        return process;
    }

    /** Number of the newest process here, 0 if there was none. */
    public long incarnation()
    {
        return incarnation;
    }

    public void start(final Cluster cluster)
    {
        incarnation = cluster.nextIncarnation(id);
        pausedUntilNs = 0;
        world.journal().note(name(), "starts, incarnation", incarnation);
        process = new SimulatedProcess(world, cluster, this, incarnation);
    }

    public void crash()
    {
        world.journal().note(name(), "dies");
        process.onDeath();
        process = null;
        for (final SimulatedStorage storage : storages)
        {
            if (null != storage)
            {
                storage.crash();
            }
        }
    }

    /** Deletes what was kept here, because another process is the node from now on. */
    public void discard()
    {
        world.journal().note(name(), "is given up, with its directory");
        storages.replaceAll((storage) -> null);
        incarnation = 0;
    }

    public boolean isGivenUp()
    {
        return 0 == incarnation;
    }

    public void pause(final long durationNs)
    {
        world.journal().note(name(), "is paused for ms", durationNs / 1_000_000);
        pausedUntilNs = Math.max(pausedUntilNs, world.events().nowNs() + durationNs);
    }

    boolean isPaused()
    {
        return world.events().nowNs() < pausedUntilNs;
    }

    public void disarm()
    {
        for (final SimulatedStorage storage : storages)
        {
            if (null != storage)
            {
                storage.disarm();
            }
        }
    }

    boolean isArmed()
    {
        return storages.stream().anyMatch((storage) -> null != storage && storage.isArmed());
    }

    public void doWork()
    {
        if (isAlive() && !isPaused())
        {
            process.doWork();
        }
    }

    /** Now and then a pause falls inside a duty cycle: everything else goes on, and this process may be killed. */
    void pauseWithin(final Cluster cluster, final SimulatedProcess current)
    {
        if (world.faults().strike(FaultClass.PAUSE_IN_CYCLE, 0.0004))
        {
            final long durationNs = world.faults().draw(FaultClass.PAUSE_IN_CYCLE, 1_000_000, 90_000_000);
            world.journal().note(name(), "is paused inside its duty cycle for ms", durationNs / 1_000_000);
            world.events().runUntil(world.events().nowNs() + durationNs);
            if (process != current)
            {
                throw new SimulatedCrash();
            }
        }
    }

    public void record(final int most)
    {
        for (final SimulatedStorage storage : storages)
        {
            if (null != storage)
            {
                storage.record(most);
            }
        }
    }
}
