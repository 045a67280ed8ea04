// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.service;

import io.gradstream.codecs.ClusterMap;

/**
 * Follows what a coordinator member takes and decides, in the order of the cluster's log. A member that starts again
 * tells again what it takes again: the position tells which is which. Called on the service's thread; must not wait.
 */
public interface CoordinatorListener
{
    /** Nobody listens. */
    CoordinatorListener NONE = new CoordinatorListener()
    {
        @Override
        public void onCommand(final long position, final CharSequence command)
        {
        }

        @Override
        public void onMap(final long position, final ClusterMap map, final long failovers, final long spurious)
        {
        }

        @Override
        public void onLeader(final long leadershipTerm, final int memberId)
        {
        }
    };

    /**
     * A command was taken that says something new.
     *
     * @param position in the cluster's log, where the command ends.
     * @param command  its type, then its values as {@code name=value}, separated by spaces; valid until this returns.
     */
    void onCommand(long position, CharSequence command);

    /**
     * The command before led to a new map.
     *
     * @param position  in the cluster's log.
     * @param map       newest.
     * @param failovers processes that lost a leadership so far.
     * @param spurious  those of them that turned out to be alive.
     */
    void onMap(long position, ClusterMap map, long failovers, long spurious);

    /**
     * A member leads from now on.
     *
     * @param leadershipTerm grows with each election.
     * @param memberId       of the leader.
     */
    void onLeader(long leadershipTerm, int memberId);
}
