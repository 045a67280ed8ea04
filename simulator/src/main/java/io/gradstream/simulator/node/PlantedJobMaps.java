// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;

import java.util.ArrayList;
import java.util.List;

/** The planted fault of a process that does not hear that jobs are deleted; without it nothing is changed. */
final class PlantedJobMaps
{
    private final World world;
    private ClusterMap last;

    PlantedJobMaps(final World world)
    {
        this.world = world;
    }

    /** Returns what a process takes for a map: with the jobs before, as long as no other job has their partitions. */
    ClusterMap map(final ClusterMap map)
    {
        if (!world.isPlanted(PlantedFault.DELETED_JOB_KEEPS_ITS_ROLE) || map.jobs().isEmpty())
        {
            return map;
        }
        final List<ClusterMap.Job> jobs = new ArrayList<>(map.jobs());
        final List<List<Integer>> assignment = new ArrayList<>(map.assignment());
        final List<Chain> chains = new ArrayList<>(map.chains().chains());
        for (final ClusterMap.Job job : null == last ? List.<ClusterMap.Job>of() : last.jobs())
        {
            final boolean isTaken = jobs.stream().anyMatch((other) -> other.id() == job.id() ||
                other.firstPartition() < job.endPartition() && job.firstPartition() < other.endPartition());
            for (int partition = job.firstPartition(); !isTaken && partition < job.endPartition(); partition++)
            {
                while (chains.size() <= partition)
                {
                    chains.add(last.chains().chains().get(chains.size()));
                    assignment.add(last.assignment().get(assignment.size()));
                }
                chains.set(partition, last.chains().chains().get(partition));
                assignment.set(partition, last.assignment().get(partition));
            }
            if (!isTaken)
            {
                jobs.add(job);
            }
        }
        last = new ClusterMap(jobs, map.deletedJobs(), map.endpoints(), assignment,
            new ChainMap(map.version(), map.chains().incarnations(), chains), map.clusterId());

        return last;
    }
}
