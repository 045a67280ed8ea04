// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.SimulatedCrash;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;

import java.util.Map;
import java.util.TreeMap;

/** One node of the job over all its lives: its disks, its clock, and the process that is alive, if one is. */
public final class SimulatedNode
{
    private final World world;
    private final int id;
    private final int seat;
    /** By job, and the number of the partition in its job. */
    private final Map<Long, SimulatedStorage> storages = new TreeMap<>();
    /** The jobs that its directory names, and how many partitions they have or had. */
    private final Map<Integer, Integer> jobs = new TreeMap<>();
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
    SimulatedStorage keep(final int jobId, final int partition)
    {
        return storages.computeIfAbsent(key(jobId, partition),
            (unknown) -> new SimulatedStorage(world.faults(), world.planted(), world.config()));
    }

    /** Its copy of a partition of the first job, or null if it has never kept one. */
    public SimulatedStorage storage(final int partition)
    {
        return storage(ScenarioConfig.JOB_ID, partition);
    }

    /** Its copy of a partition of a job, or null if it keeps none. */
    public SimulatedStorage storage(final int jobId, final int partition)
    {
        return storages.get(key(jobId, partition));
    }

    private static long key(final int jobId, final int partition)
    {
        return (long)jobId << Integer.SIZE | partition;
    }

    /** For a planted fault: what is left of a deleted job's partition of the same number becomes this one's. */
    void takeOfDeletedJob(final Cluster cluster, final int jobId, final int partition)
    {
        for (int other = ScenarioConfig.JOB_ID + 1; other < jobId; other++)
        {
            if (null != storage(other, partition) && !cluster.coordinator().checks().jobs().isLiving(other))
            {
                storages.put(key(jobId, partition), storages.remove(key(other, partition)));
            }
        }
    }

    /** A process says that nothing is left of a deleted job: that has to be so. */
    void onDeleted(final int jobId)
    {
        for (final Map.Entry<Long, SimulatedStorage> storage : new TreeMap<>(storages).entrySet())
        {
            if (jobId == storage.getKey() >> Integer.SIZE)
            {
                Violation.check(storage.getValue().isEmpty(), Violation.Kind.INVARIANT_BROKEN,
                    "something is left of a deleted job: node, job", id, jobId);
                storages.remove(storage.getKey());
            }
        }
        jobs.remove(jobId);
    }

    /** The jobs that its directory names, and how many partitions they have or had. */
    Map<Integer, Integer> jobs()
    {
        return jobs;
    }

    /** True if its disk has anything of a job. */
    boolean keepsOf(final int jobId)
    {
        return jobs.containsKey(jobId) ||
            storages.keySet().stream().anyMatch((key) -> jobId == key >> Integer.SIZE);
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
        storages.values().forEach(SimulatedStorage::crash);
    }

    /** Deletes what was kept here, because another process is the node from now on. */
    public void discard()
    {
        world.journal().note(name(), "is given up, with its directory");
        storages.clear();
        jobs.clear();
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
        storages.values().forEach(SimulatedStorage::disarm);
    }

    boolean isArmed()
    {
        return storages.values().stream().anyMatch(SimulatedStorage::isArmed);
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
        storages.values().forEach((storage) -> storage.record(most));
    }
}
