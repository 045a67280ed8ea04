// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulation;

/**
 * What was pushed to each partition, and how it is drawn.
 */
final class Histories
{
    private final History[] histories;
    private final Workload[] workloads;

    Histories(final World world)
    {
        histories = new History[world.shape.partitions()];
        workloads = new Workload[histories.length];
        for (int partition = 0; partition < histories.length; partition++)
        {
            histories[partition] = new History(world.shape);
            workloads[partition] = new Workload(
                partition, world.shape.firstKey(partition), world.faults.work(), world.shape,
                null != world.faults.bound(), histories[partition]);
        }
    }

    History history(final int partition)
    {
        return histories[partition];
    }

    Workload workload(final int partition)
    {
        return workloads[partition];
    }
}
