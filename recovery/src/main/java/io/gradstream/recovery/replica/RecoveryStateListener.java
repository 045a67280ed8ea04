// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/** Told of each step of a replica from state to state, and of its links to neighbours. */
@FunctionalInterface
public interface RecoveryStateListener
{
    /** Nobody is told. */
    RecoveryStateListener NONE = (partition, from, to, reason) -> {};

    /** A replica enters another state, for a reason in a few words. */
    void onState(int partition, Replica.State from, Replica.State to, String reason);

    /**
     * A replica's link to a neighbour is in another state.
     *
     * @param from   state of {@link Upstream} or {@link Downstream} it was in.
     * @param to     state it is in.
     * @param reason why, in a few words.
     */
    default void onLink(final int partition, final Enum<?> from, final Enum<?> to, final String reason)
    {
        // most listeners look at states only
    }
}
