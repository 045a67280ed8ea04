// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.worker.filter.FilterCounts;

/**
 * The counts and times of a client since it was made.
 *
 * @param degradedNs     time in which at least one partition last said that its chain is shorter than it should be.
 * @param outages        how often some partition could not be reached.
 * @param outageNs       time in which some partition could not be reached, from when it was last heard of.
 * @param blockedNs      the part of it in which the worker waited for such a partition, for a pull or for room in a
 *                       spool, or was held back.
 * @param spoolPeakBytes most bytes that pushes ever took in the spools: the sum of each partition's own peak.
 * @param spoolWaits     how often a push or clock waited for room in a spool.
 * @param pushesRefused  pushes of which a part was refused by a server for its content.
 * @param pushesDropped  pushes that were not made because a spool was full, under {@code DROP_NEWEST}.
 * @param cachedPulls    parts of pulls answered with rows pulled earlier, each of one partition.
 * @param maxStaleNs     the oldest row a pull was answered with: time since it was asked for.
 * @param snapshotsAsked requests for a snapshot that were sent.
 * @param maxStaleness   most iterations by which the slowest slot was behind a pull.
 * @param meanStaleness  iterations by which the slowest slot was behind, on average over pulls.
 * @param cachedRows     rows that pulls of cached tables took from this process.
 * @param fetchedRows    rows that pulls of cached tables asked servers for.
 * @param keyBytesSaved  bytes of keys that messages did not carry, because servers had them.
 * @param filtered       rows that filters have left out of pushes, and the bytes that this has saved.
 * @param rowsHeldNow    rows of which filters hold gradients back now.
 */
public record ClientStats(
    long degradedNs,
    long outages,
    long outageNs,
    long blockedNs,
    long spoolPeakBytes,
    long spoolWaits,
    long pushesRefused,
    long pushesDropped,
    long cachedPulls,
    long maxStaleNs,
    long snapshotsAsked,
    long maxStaleness,
    double meanStaleness,
    long cachedRows,
    long fetchedRows,
    long keyBytesSaved,
    FilterCounts filtered,
    long rowsHeldNow)
{
}
