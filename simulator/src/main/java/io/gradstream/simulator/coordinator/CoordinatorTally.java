// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

/**
 * Counts what happened to the coordinators, to show that a run puts them to the test.
 *
 * @param elections       of a leader.
 * @param lostEntries     that a leader had appended and a majority had not.
 * @param lostSessions    of nodes and workers that lived on.
 * @param diedWithPrimary leaders that died in the same moment as a primary.
 * @param restores        members that started from a snapshot.
 * @param moves           places given to another node.
 * @param transferees           members named to take the lead from a head that workers do not reach.
 * @param claims          transferees that took it.
 * @param handOvers       heads that handed the lead over and stayed in sync.
 * @param boundChanges    of how far slots may run apart.
 * @param jobs            created beside the first one.
 */
public record CoordinatorTally(
    int elections,
    int lostEntries,
    int lostSessions,
    int diedWithPrimary,
    int restores,
    int moves,
    int transferees,
    int claims,
    int handOvers,
    int boundChanges,
    int jobs)
{
    public static final CoordinatorTally NONE = new CoordinatorTally(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    public CoordinatorTally plus(final CoordinatorTally other)
    {
        return new CoordinatorTally(
            elections + other.elections, lostEntries + other.lostEntries, lostSessions + other.lostSessions,
            diedWithPrimary + other.diedWithPrimary, restores + other.restores, moves + other.moves,
            transferees + other.transferees, claims + other.claims,
            handOvers + other.handOvers, boundChanges + other.boundChanges, jobs + other.jobs);
    }
}
