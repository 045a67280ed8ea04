// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.cache;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Rows that a worker has pulled, and that answer its later pulls while the staleness bound of the job allows it: the
 * process cache of the parameter-server papers. Tables are cached one by one.
 * <p>
 * A row comes with the slowest clock that its primary named with the answer: it holds what every slot had pushed up to
 * there. It answers a pull for which the primary would have read it then. A row of a primary that was replaced does
 * not answer, since what that primary had not replicated may be gone.
 */
public final class ProcessCache
{
    private final Int2ObjectHashMap<CachedRows> byTable = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<PulledNorms> normsByTable = new Int2ObjectHashMap<>();
    private final long[] epochs;
    /** By partition a number that rows must have: the partition's rows are dropped by raising it. */
    private final int[] generations;
    private Consistency consistency = Consistency.EVENTUAL;
    private long leastClock;
    private long cachedRows;
    private long fetchedRows;

    /** No table is cached yet. */
    public ProcessCache(final int partitions)
    {
        epochs = new long[partitions];
        generations = new int[partitions];
    }

    /**
     * Cache the rows of a table.
     *
     * @param spec      of the table.
     * @param maxBytes  of rows and what finds them; beyond it rows that no pull has used lately make room.
     * @param ownPushes whether the rows must show what this worker has pushed.
     * @throws IllegalArgumentException if the table cannot be cached, or not one row has room.
     * @throws IllegalStateException    if the table is cached already.
     */
    public void add(final TableSpec spec, final long maxBytes, final OwnPushes ownPushes)
    {
        if (spec.isSystem())
        {
            throw new IllegalArgumentException("system table '" + spec.name() + "' is never cached");
        }
        if (byTable.containsKey(spec.tableId()))
        {
            throw new IllegalStateException("table '" + spec.name() + "' is cached already");
        }
        byTable.put(spec.tableId(), new CachedRows(this, spec, maxBytes, ownPushes));
    }

    /** The cached rows of a table, or null if it is not cached. */
    public CachedRows of(final int tableId)
    {
        return byTable.get(tableId);
    }

    /** Keep the norms of the rows of a table of floats from here on; they are those that are kept already, if any. */
    public PulledNorms addNorms(final TableSpec spec)
    {
        return normsByTable.computeIfAbsent(
            spec.tableId(), (id) -> new PulledNorms(spec.dim(), PulledNorms.MAX_ROWS));
    }

    /** The norms of a table's rows, or null if they are not kept. */
    public PulledNorms norms(final int tableId)
    {
        return normsByTable.get(tableId);
    }

    /**
     * The coordinators have named the consistency of the job. If it is another one, rows that came under the one before
     * are dropped: they may not count every slot.
     */
    public void consistency(final Consistency newConsistency)
    {
        if (!newConsistency.equals(consistency))
        {
            consistency = newConsistency;
            for (final CachedRows rows : byTable.values())
            {
                rows.dropAll();
            }
        }
    }

    /** True if the job has a staleness bound within which rows can be kept: of 1 or more. */
    public boolean isBounded()
    {
        return consistency.isBounded() && !consistency.isSequential();
    }

    /** Every slot has ended so many iterations, and later pulls of this worker must show them. */
    public void leastClock(final long clock)
    {
        leastClock = Math.max(leastClock, clock);
    }

    /** The primary of a partition has welcomed this worker. If it is a new one, the rows of the one before it go. */
    public void onEpoch(final int partition, final long epoch)
    {
        if (epochs[partition] != epoch)
        {
            epochs[partition] = epoch;
            drop(partition);
        }
    }

    /** Drop the rows of a partition. */
    public void drop(final int partition)
    {
        generations[partition]++;
    }

    /** Rows that pulls were answered with from here. */
    public long cachedRows()
    {
        return cachedRows;
    }

    /** Rows of cached tables for which servers were asked. */
    public long fetchedRows()
    {
        return fetchedRows;
    }

    int generation(final int partition)
    {
        return generations[partition];
    }

    /** True if rows that hold what every slot had pushed up to an iteration may answer a pull. */
    boolean allows(final long clock, final long minClock)
    {
        return consistency.allows(clock, minClock) && minClock >= leastClock;
    }

    void onCached()
    {
        cachedRows++;
    }

    void onFetched(final int rows)
    {
        fetchedRows += rows;
    }
}
