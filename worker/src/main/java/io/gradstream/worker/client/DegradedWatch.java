/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.worker.client;

/**
 * Measures how long at least one partition has said that its chain is shorter than it should be.
 */
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

    /**
     * A partition's primary said how its chain is.
     *
     * @param degraded true if the chain is short.
     */
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

    /**
     * Partitions whose last word was that they are degraded.
     */
    public int count()
    {
        return count;
    }

    /**
     * Time in which at least one was.
     */
    public long totalNs(final long nowNs)
    {
        return totalNs + (count > 0 ? nowNs - sinceNs : 0);
    }
}
