// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;

/** Gives the partitions of jobs that nobody keeps yet their first places. */
final class JobPlaces
{
    /** Nodes empty the chain of a copy whose job was deleted, and its version grows by one. */
    private static final int BEYOND_EMPTIED = 2;

    private final CoordinatorState state;

    JobPlaces(final CoordinatorState state)
    {
        this.state = state;
    }

    /**
     * The places on some nodes, of all jobs. A partition that no job has wants no copies.
     *
     * @param on       nodes of the placement; places on others are left out.
     * @param isForNew true if jobs that are not placed want their copies, and no other job wants more than it has.
     */
    Placement of(final Set<Integer> on, final boolean isForNew)
    {
        final List<List<Integer>> places = new ArrayList<>();
        final int[] copies = new int[state.jobs.endPartition()];
        for (int partition = 0; partition < copies.length; partition++)
        {
            final PartitionChain chain = state.chains.get(partition);
            places.add(null == chain ? List.of() : chain.assignment().stream().filter(on::contains).toList());
            final JobState job = state.jobs.ofPartition(partition);
            copies[partition] = null == job || null == chain && !isForNew ? 0 :
                isForNew && job.isPlaced ? places.get(partition).size() : job.spec.copies();
        }

        return Placement.of(on, places, copies, state.jobs.first().spec.virtualNodes());
    }

    /** Place the first job, once as many nodes have registered as it wants. */
    void placeFirst()
    {
        final Set<Integer> registered = new TreeSet<>();
        for (int node = 0; node < state.nodes.size(); node++)
        {
            if (state.nodes.get(node).isRegistered())
            {
                registered.add(node);
            }
        }
        final JobState first = state.jobs.first();
        if (first.isPlaced || null == first.spec || registered.size() < first.spec.nodes())
        {
            return;
        }

        final JobSpec job = first.spec;
        final Placement placement =
            Placement.initial(registered, job.partitions(), job.copies(), job.virtualNodes());
        for (int partition = 0; partition < job.partitions(); partition++)
        {
            state.chains.get(partition).place(placement.assignment(partition));
        }
        first.isPlaced = true;
    }

    /** Place jobs that were created since, on nodes that live. Their places go where the fewest places are. */
    boolean placeOthers(final long nowMs)
    {
        final Set<Integer> living = state.living(nowMs - Rebalance.HEARD_MS);
        living.removeIf((node) -> state.nodes.get(node).isDraining);
        boolean isAnyPlaced = false;
        for (final JobState job : state.jobs.all())
        {
            if (!job.isPlaced && living.size() >= job.spec.copies())
            {
                place(job, of(living, true).filled());
                isAnyPlaced = true;
            }
        }

        return isAnyPlaced;
    }

    private void place(final JobState job, final Placement placement)
    {
        final Map<Integer, Integer> leads = new TreeMap<>();
        state.chains.values().forEach((chain) -> leads.merge(
            chain.assignment().isEmpty() ? Chain.NONE : chain.assignment().get(0), 1, Integer::sum));
        for (int partition = job.firstPartition; partition < job.endPartition(); partition++)
        {
            final List<Integer> places = new ArrayList<>(placement.assignment(partition));
            places.sort(Comparator.comparingInt((node) -> leads.getOrDefault(node, 0)));
            leads.merge(places.get(0), 1, Integer::sum);
            final PartitionChain chain = new PartitionChain(
                job.spec.copies(), state.jobs.retiredEpoch, state.jobs.retiredVersion + BEYOND_EMPTIED);
            chain.place(places);
            state.chains.put(partition, chain);
        }
        job.isPlaced = true;
    }
}
