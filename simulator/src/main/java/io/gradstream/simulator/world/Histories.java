// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

/** The pushes to each partition, and how they are drawn. */
public final class Histories
{
    private final History[] histories;
    private final Workload[] workloads;
    private boolean isDoubted;
    private boolean isLoaded;

    public Histories(final World world)
    {
        isLoaded = null == world.config().resumed();
        histories = new History[world.config().partitions()];
        workloads = new Workload[histories.length];
        for (int partition = 0; partition < histories.length; partition++)
        {
            histories[partition] = new History(world.config());
            workloads[partition] = new Workload(
                partition, world.config().firstKey(partition), world.faults().work(), world.config(),
                null != world.faults().bound(), histories[partition]);
        }
    }

    public History history(final int partition)
    {
        return histories[partition];
    }

    /** A process has said that parameters may lack what a process before it has pushed. */
    public void onDoubt()
    {
        isDoubted = true;
    }

    /** The model of an earlier run is in the cluster. */
    public void onLoaded()
    {
        isLoaded = true;
    }

    /** True if there is no model of an earlier run that is not in the cluster yet. */
    public boolean isLoaded()
    {
        return isLoaded;
    }

    public boolean isDoubted()
    {
        return isDoubted;
    }

    public Workload workload(final int partition)
    {
        return workloads[partition];
    }
}
