// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

/** Measures how long at least one partition has said that its chain is shorter than it should be. */
public final class DegradedWatch
{
    private final boolean[] isDegraded;
    private int count;
    private long sinceNs;
    private long totalNs;

    public DegradedWatch(final int partitionCount)
    {
        isDegraded = new boolean[partitionCount];
    }

    /** A partition's primary said whether its chain is short. */
    public void onWatermarks(final int partition, final boolean degraded, final long nowNs)
    {
        if (degraded == isDegraded[partition])
        {
            return;
        }
        isDegraded[partition] = degraded;
        if (degraded && 1 == ++count)
        {
            sinceNs = nowNs;
        }
        else if (!degraded && 0 == --count)
        {
            totalNs += nowNs - sinceNs;
        }
    }

    /** Partitions whose last word was that they are degraded. */
    public int count()
    {
        return count;
    }

    /** Time in which at least one was. */
    public long totalNs(final long nowNs)
    {
        return totalNs + (count > 0 ? nowNs - sinceNs : 0);
    }
}
