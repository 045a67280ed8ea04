// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

/**
 * Counts what happened to works that processes share, to show that a run puts them to the test.
 *
 * @param works      that are over.
 * @param processes  that were started.
 * @param fenced     processes that lived on when another one had taken their slot.
 * @param left       processes that left early.
 * @param adopted    slots whose batches a process has taken away from another one.
 * @param givenAgain pieces that were given again.
 * @param leftOut    batches that were left out where another process had taken the slot over.
 * @param dropped    batches that nobody was to do again.
 */
public record WorkTally(
    int works,
    int processes,
    int fenced,
    int left,
    int adopted,
    int givenAgain,
    int leftOut,
    int dropped)
{
    /** No work. */
    public static final WorkTally NONE = new WorkTally(0, 0, 0, 0, 0, 0, 0, 0);

    /** Adds the counts of another run. */
    public WorkTally plus(final WorkTally other)
    {
        return new WorkTally(works + other.works, processes + other.processes, fenced + other.fenced,
            left + other.left, adopted + other.adopted, givenAgain + other.givenAgain, leftOut + other.leftOut,
            dropped + other.dropped);
    }
}
