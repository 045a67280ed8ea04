// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import io.gradstream.codecs.Check;

/**
 * The times after which neighbours in a chain notice each other's silence. The lease must run out well before the
 * suspicion, so that a head which nobody hears has stopped answering before its successor may be promoted. In a longer
 * chain each member grants its predecessor a lease while it holds one itself, so leases add up:
 * {@link #requireCopies(int)}.
 *
 * @param heartbeatNs between two heartbeats.
 * @param leaseNs     a head answers for so long after it sent the newest heartbeat for which its chain granted a lease.
 * @param suspicionNs silence after which a neighbour is suspected.
 */
public record ChainTiming(long heartbeatNs, long leaseNs, long suspicionNs)
{
    /** Copies of a partition for which leases and suspicion are shown to fit. */
    public static final int MAX_COPIES = 3;

    private static final long NS_PER_MS = 1_000_000;

    /** For a machine whose cores are idle otherwise. */
    public static final ChainTiming QUIET = ofMs(20, 100, 200);
    /** For a machine that shares its cores with others. */
    public static final ChainTiming SHARED = ofMs(80, 400, 800);

    /** Check the order of the three. */
    public ChainTiming
    {
        if (heartbeatNs <= 0 || leaseNs < 2 * heartbeatNs || suspicionNs < leaseNs + 2 * heartbeatNs)
        {
            throw new IllegalArgumentException("invalid heartbeatNs=" + heartbeatNs + " leaseNs=" + leaseNs +
                " suspicionNs=" + suspicionNs + ": lease must be at least 2 heartbeats, and suspicion at least 2 " +
                "heartbeats longer than the lease");
        }
    }

    /**
     * Check that the times fit chains of so many copies.
     *
     * @param copies of each partition.
     * @return this.
     * @throws IllegalArgumentException if the suspicion is shorter than the leases that may follow each other.
     */
    public ChainTiming requireCopies(final int copies)
    {
        Check.range("copies", copies, 1, MAX_COPIES);
        if (suspicionNs < (copies - 1) * leaseNs)
        {
            throw new IllegalArgumentException("invalid suspicionNs=" + suspicionNs + " leaseNs=" + leaseNs + ": " +
                copies + " copies need a suspicion of at least " + (copies - 1) + " leases");
        }

        return this;
    }

    /**
     * From milliseconds.
     *
     * @param heartbeatMs between two heartbeats.
     * @param leaseMs     as above.
     * @param suspicionMs as above.
     * @return timing.
     */
    public static ChainTiming ofMs(final long heartbeatMs, final long leaseMs, final long suspicionMs)
    {
        return new ChainTiming(heartbeatMs * NS_PER_MS, leaseMs * NS_PER_MS,
            suspicionMs * NS_PER_MS);
    }
}
