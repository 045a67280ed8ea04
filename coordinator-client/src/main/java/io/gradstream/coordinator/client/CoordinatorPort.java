// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.ClusterMap;

/** The coordinators as a node reaches them: one report up, one map down. Calls never wait. For one thread. */
public interface CoordinatorPort extends AutoCloseable
{
    /**
     * Tell all that the coordinators must know of this node. The report may be lost.
     *
     * @param report newest.
     * @return false if it was not taken: try again later.
     */
    boolean report(NodeReport report);

    /** True if the coordinators, a majority of them, have answered at an instant of this node's clock or since. */
    boolean isAnswered(long sinceNs);

    /** Ask the coordinators for an answer at once, however often this is called. */
    void ask();

    /**
     * The number of this session with the coordinators; what was under way in the session before may be lost.
     *
     * @return 0 while there is none, else a number that grows with every new one.
     */
    long connection();

    /**
     * One duty cycle of the way to the coordinators.
     *
     * @param nowNs now.
     * @return how much was done.
     */
    int doWork(long nowNs);

    /** The newest map, if it has changed since the last call, or null. */
    ClusterMap poll();

    @Override
    void close();
}
