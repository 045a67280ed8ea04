// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Spreads the leads over the nodes, one after the other: a head that leads at least two partitions more than the other
 * member of its chain hands the lead to that member. It does so only once nothing else has changed for a while. What is
 * handed over next follows from the chains as they are, so that a hand-over which a fault has ended needs no memory.
 */
final class LeadBalance
{
    /** The lead of a partition stays where it is for so long, or for the job's repair delay if that is shorter. */
    static final long KEPT_MS = 30_000;
    /** Chains have been the same, and every node that has places was heard, for so much of that time. */
    static final int SETTLED_DIVISOR = 6;
    private static final int LEAST_DIFFERENCE = 2;
    /** A member between the two would not know at once that the old head follows it. */
    private static final int MEMBERS = 2;

    private final CoordinatorState state;
    /** Since when no chain has changed and all are heard, and the sum of the chains' versions since then. */
    long settledMs;
    long settledVersion = -1;

    LeadBalance(final CoordinatorState state)
    {
        this.state = state;
    }

    /**
     * Ask one head to hand its lead over, if leads are uneven and nothing else happens.
     *
     * @param nowMs time.
     * @return true if one was asked.
     */
    boolean onTime(final long nowMs)
    {
        state.chains.values().forEach((chain) -> chain.lead().onTime(nowMs));
        final long version = state.chains.values().stream().mapToLong(PartitionChain::version).sum();
        if (settledVersion != version || !isSettled(nowMs))
        {
            settledVersion = version;
            settledMs = nowMs;
        }

        return nowMs - settledMs >= keptMs() / SETTLED_DIVISOR && handOver(nowMs);
    }

    /** Nobody could report while nobody led. */
    void onNewLeader(final long nowMs)
    {
        settledMs = nowMs;
    }

    /** Chains are gone: the versions of the others may add up to as much as before, though they have changed. */
    void onChainsGone()
    {
        settledVersion = -1;
    }

    /** True if every chain is whole, no place moves, and every node that has places is heard. */
    private boolean isSettled(final long nowMs)
    {
        final TreeSet<Integer> placed = new TreeSet<>();
        state.chains.values().forEach((chain) -> placed.addAll(chain.assignment()));

        return state.chains.values().stream().allMatch(PartitionChain::isSettled) &&
            state.living(nowMs - Rebalance.HEARD_MS).containsAll(placed);
    }

    private long keptMs()
    {
        return Math.min(KEPT_MS, state.repairDelayMs());
    }

    private boolean handOver(final long nowMs)
    {
        final Map<Integer, Integer> leads = new TreeMap<>();
        state.chains.values().forEach((chain) -> leads.merge(chain.head(), 1, Integer::sum));
        PartitionChain uneven = null;
        int most = LEAST_DIFFERENCE - 1;
        for (final Map.Entry<Integer, PartitionChain> entry : state.chains.entrySet())
        {
            final PartitionChain chain = entry.getValue();
            final List<Integer> members = chain.chain().members();
            final int difference = MEMBERS != members.size() ? 0 :
                leads.get(chain.head()) - leads.getOrDefault(members.get(1), 0);
            if (difference > most && chain.lead().hasKeptLead(keptMs(), nowMs) &&
                mayLead(entry.getKey(), members.get(1)))
            {
                uneven = chain;
                most = difference;
            }
        }
        if (null != uneven)
        {
            uneven.startHandOver(nowMs);
        }

        return null != uneven;
    }

    private boolean mayLead(final int partition, final int node)
    {
        return !state.nodes.get(node).isDraining &&
            !state.leads().isMissed(state.jobs.ofPartition(partition).id, node);
    }
}
