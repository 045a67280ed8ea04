// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;

/** One job: what it is, which partitions of the cluster are its own, its slots, and the work that these share. */
final class JobState
{
    final int id;
    final String name;
    /** Number of its first partition in the cluster. */
    final int firstPartition;
    final SlotLeases slots = new SlotLeases(this);
    final WorkUnits work = new WorkUnits(this);
    /** Null while the cluster's first job is not defined. */
    JobSpec spec;
    boolean isPlaced;

    JobState(final int id, final String name, final int firstPartition, final JobSpec spec)
    {
        this.id = id;
        this.name = name;
        this.firstPartition = firstPartition;
        this.spec = spec;
    }

    /** How far its slots may run apart. */
    Consistency consistency()
    {
        return spec.consistency();
    }

    /** True if a partition of the cluster is one of its own. */
    boolean has(final int partition)
    {
        return null != spec && partition >= firstPartition && partition < endPartition();
    }

    /** The number after that of its last partition in the cluster. */
    int endPartition()
    {
        return firstPartition + spec.partitions();
    }

    ClusterMap.Job told()
    {
        return new ClusterMap.Job(id, name, firstPartition, spec);
    }
}
