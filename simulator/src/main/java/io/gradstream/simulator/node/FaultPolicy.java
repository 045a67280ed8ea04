// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

/** Decides which faults the promises of the seed bear, and hears of the moments in which a fault does the most harm. */
public interface FaultPolicy
{
    /** True if the node may die now without breaking more than the seed's promises bear. */
    boolean mayDie(SimulatedNode node);

    /** A head has put it into its log that another process holds a slot. */
    void onTakeover(SimulatedNode node);

    /** A server says that its copy of a partition cannot be used. */
    void onDamage(int partition);

    /** True if all copies of a partition were damaged on purpose. */
    boolean isStruck(int partition);
}
