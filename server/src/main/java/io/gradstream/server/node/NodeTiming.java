// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.recovery.chain.ChainTiming;

/**
 * The intervals of everything a node does by the clock, in nanoseconds.
 *
 * @param chain           heartbeats, leases and suspicion.
 * @param slowTickNs      what need not be looked at in each duty cycle is looked at so often.
 * @param reportNs        the coordinators get a report of the node so often, and whenever it changes.
 * @param signOfLifeNs    a worker hears from its server at least so often.
 * @param workerTimeoutNs a worker that was not heard for so long is forgotten.
 * @param otherProcessNs  a process ends when another one has been its node for so long.
 */
public record NodeTiming(
    ChainTiming chain,
    long slowTickNs,
    long reportNs,
    long signOfLifeNs,
    long workerTimeoutNs,
    long otherProcessNs)
{
    /** Default of {@link #slowTickNs()}. */
    public static final long SLOW_TICK_NS = 1_000_000;
    /** Default of {@link #reportNs()}. */
    public static final long REPORT_NS = 500_000_000;
    /**
     * Default of {@link #otherProcessNs()}. Coordinators that hear this process replace the other one well within this
     * time if it is silent: if it is still the node after that, it lives.
     */
    public static final long OTHER_PROCESS_NS = 15_000_000_000L;
    /** Default of {@link #signOfLifeNs()}. */
    public static final long SIGN_OF_LIFE_NS = 100_000_000;

    /**
     * The defaults, where the node has no say.
     *
     * @param chain           heartbeats, leases and suspicion.
     * @param workerTimeoutNs a worker that was not heard for so long is forgotten.
     */
    public static NodeTiming of(final ChainTiming chain, final long workerTimeoutNs)
    {
        return new NodeTiming(
            chain, SLOW_TICK_NS, REPORT_NS, SIGN_OF_LIFE_NS, workerTimeoutNs, OTHER_PROCESS_NS);
    }
}
