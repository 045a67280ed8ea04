// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.check.PullChecks;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.client.Client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The process cache of a process that goes through iterations, in some seeds with a bound. A row that it answers with
 * must be one that the process has fetched from the primary that it is attached to, with all own pushes since. Every
 * slot that counts must have pushed as much of it as the bound asks for.
 */
final class CachedPulls
{
    private static final long ROOM = 1L << 20;
    /** In some seeds rows have to make room. */
    private static final long LITTLE_ROOM = 300;

    /** Where the log stood when a row was fetched. */
    private record Fetched(long epoch, long position)
    {
    }

    /** Where a row was fetched. */
    private static final class Fetches extends ArrayList<Fetched>
    {
        private static final long serialVersionUID = 1;
    }

    /** A push of this process, and the last sequence that it took. */
    private record Pushed(long sequence, History.Part part)
    {
    }

    private final World world;
    private final Checker checker;
    private final int slot;
    private final Client client;
    private final boolean isOn;
    /** By partition and key: first those of the counts, then those that are imported. */
    private final Fetches[][] fetches;
    private final List<List<Pushed>> pushed = new ArrayList<>();

    CachedPulls(
        final World world, final Checker checker, final int slot, final boolean isShared, final Client client)
    {
        this.world = world;
        this.checker = checker;
        this.slot = slot;
        this.client = client;
        isOn = world.config().isCached() && !isShared;
        fetches = new Fetches[client.partitions()][History.KEYS + Imports.KEYS];
        for (final Fetches[] ofPartition : fetches)
        {
            pushed.add(new ArrayList<>());
            Arrays.setAll(ofPartition, (key) -> new Fetches());
        }
    }

    /** The process begins. */
    void begin()
    {
        if (isOn)
        {
            // the table is cached as if it had another function, to which own pushes cannot be added
            final TableSpec spec = world.isPlanted(PlantedFault.OWN_PUSHES_NOT_CACHED) ?
                TableSpec.sparse(Workload.COUNTS.tableId(), "counts", 1, "assign/1") : Workload.COUNTS;
            final long room = world.config().isCacheTight() ? LITTLE_ROOM : ROOM;
            final Consistency consistency = world.config().job().consistency();
            client.requests().cacheRows(spec, room, OwnPushes.LATER, consistency);
            client.requests().cacheRows(Imports.TABLE, room, OwnPushes.AT_ONCE, consistency);
        }
    }

    /** The process has pushed a part to a partition. */
    void onPushed(final int partition, final History.Part part)
    {
        if (isOn)
        {
            pushed.get(partition).add(new Pushed(client.session(partition).lastSequence(), part));
        }
    }

    /** Rows are about to be pulled: those that do not come at once stay marked. */
    void mark(final float[] rows)
    {
        if (isOn)
        {
            Arrays.fill(rows, Float.NaN);
        }
    }

    /**
     * Check the rows of a pull that have come at once.
     *
     * @param keys       of the partition's.
     * @param isImported true if they are of the table that is imported.
     * @return true for each row that has.
     */
    boolean[] check(
        final int partition, final int[] keys, final float[] rows, final boolean isImported, final long clock)
    {
        final int dim = rows.length / keys.length;
        final boolean[] isCached = new boolean[keys.length];
        for (int i = 0; isOn && i < keys.length; i++)
        {
            isCached[i] = !Float.isNaN(rows[i * dim]);
            if (isCached[i])
            {
                check(partition, keys[i], Arrays.copyOfRange(rows, i * dim, (i + 1) * dim), isImported, clock);
            }
        }

        return isCached;
    }

    /** A row of a pull has come from a primary. */
    void onFetched(
        final int partition, final int key, final boolean isImported, final long epoch, final long position)
    {
        if (isOn)
        {
            fetches[partition][isImported ? History.KEYS + key : key].add(new Fetched(epoch, position));
        }
    }

    private void check(
        final int partition, final int key, final float[] row, final boolean isImported, final long clock)
    {
        final long epoch = client.session(partition).epoch();
        boolean isOfPrimary = false;
        boolean isRecent = false;
        boolean isRight = false;
        for (final Fetched place : fetches[partition][isImported ? History.KEYS + key : key])
        {
            final PullChecks.Contents contents = checker.pulls().at(partition, place.epoch(), place.position());
            final boolean isExpected = isImported ? isAsImported(partition, key, row, contents) :
                row[0] == contents.sums()[key] + since(partition, key, contents.lasts()[slot]);
            isRight |= isExpected;
            isOfPrimary |= isExpected && place.epoch() == epoch;
            isRecent |= isExpected && place.epoch() == epoch && allows(clock, contents);
        }
        Violation.check(isRight, Violation.Kind.MODEL_DIFFERS, "cached row, slot, partition, key, iteration", slot,
            partition, key, clock);
        Violation.check(isOfPrimary, Violation.Kind.STALE_READ, "cached row of an older primary: slot, partition, key",
            slot, partition, key);
        Violation.check(isRecent, Violation.Kind.STALENESS_EXCEEDED, "cached row: slot, iteration, partition, key",
            slot, clock, partition, key);
    }

    /** True if a row is as it was fetched, and this process has not pushed to it since. */
    private boolean isAsImported(
        final int partition, final int key, final float[] row, final PullChecks.Contents contents)
    {
        boolean isAsFetched = true;
        for (final Pushed push : pushed.get(partition))
        {
            isAsFetched &= push.sequence() <= contents.lasts()[slot] || History.Form.COUNTS == push.part().form() ||
                Arrays.stream(push.part().keys()).noneMatch((other) -> other == key);
        }
        for (int i = 0; i < row.length; i++)
        {
            isAsFetched &= row[i] == contents.imported()[key][i];
        }

        return isAsFetched;
    }

    private float since(final int partition, final int key, final long last)
    {
        float sum = 0;
        for (final Pushed push : pushed.get(partition))
        {
            final boolean isLater = push.sequence() > last && History.Form.COUNTS == push.part().form();
            for (int i = 0; isLater && i < push.part().keys().length; i++)
            {
                sum += push.part().keys()[i] == key ?
                    Workload.gradient(world.config(), push.part().values()[i]) : 0;
            }
        }

        return sum;
    }

    private boolean allows(final long clock, final PullChecks.Contents contents)
    {
        final Consistency consistency = world.config().job().consistency();
        boolean isAllowed = true;
        for (int other = 0; other < Math.min(consistency.slots(), ScenarioConfig.SLOTS); other++)
        {
            isAllowed &= consistency.allows(clock, contents.clocks()[other]);
        }

        return isAllowed;
    }
}
