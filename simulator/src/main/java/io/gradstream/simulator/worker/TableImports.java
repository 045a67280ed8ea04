// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The imports of one process between its iterations: pushes of whole rows as a model's upload makes them, and nothing
 * else until all are acknowledged. A process that takes the slot over imports once more what was not whole. Also pushes
 * the gradients of the rows.
 */
final class TableImports
{
    private final World world;
    private final Checker checker;
    private final int slot;
    private final Imports imports;
    private final Client core;
    private final GradstreamClient client;
    private final CachedPulls cached;
    private final Table table;
    private final PushRequest push;
    private final UnsafeBuffer rows = new UnsafeBuffer(new byte[Imports.KEYS * Imports.ROW_LENGTH]);
    private final long[] keys;
    private final float[] gradients;
    private final List<Long> outstanding = new ArrayList<>();
    /** By partition the last sequence of the import. */
    private final long[] lasts;
    /** By partition the epoch in which the import was done. */
    private final long[] epochs;
    /** The iteration before which an import is being made. */
    private long iteration;
    /** The iteration before which the last import was made; -1: none. */
    private long done = -1;
    private int pushed;
    private boolean isUnderWay;
    private boolean isRepeated;

    TableImports(
        final World world,
        final Checker checker,
        final WorkerIdentity identity,
        final Client core,
        final GradstreamClient client,
        final CachedPulls cached)
    {
        this.cached = cached;
        this.world = world;
        this.checker = checker;
        slot = identity.slot();
        imports = world.config().iterations().imports();
        this.core = core;
        this.client = client;
        table = null == imports ? null :
            client.knownTable(Imports.TABLE).cacheKeys(world.config().isKeyCached());
        push = new PushRequest(core.partitions());
        keys = new long[Imports.KEYS * core.partitions()];
        gradients = new float[keys.length * Imports.TABLE.dim()];
        lasts = new long[core.partitions()];
        epochs = new long[core.partitions()];
    }

    /** The rows that the process keeps. */
    CachedPulls cached()
    {
        return cached;
    }

    /** The table, or null if nothing is imported. */
    Table table()
    {
        return table;
    }

    /**
     * True if rows have to be imported before an iteration, and are not yet.
     *
     * @param isBetween true while nothing of the iteration is pushed.
     */
    boolean isDue(final long next, final boolean isBetween)
    {
        if (null == imports || isUnderWay)
        {
            return isUnderWay;
        }
        if (done < next && imports.isBefore(slot, next))
        {
            begin(next);
        }
        else if (done >= 0 && !isRepeated && world.isPlanted(PlantedFault.IMPORT_REPEATED_AFTER_FAILOVER) &&
            isBetween && hasFailedOver())
        {
            isRepeated = true;
            begin(done);
        }

        return isUnderWay;
    }

    private void begin(final long ofIteration)
    {
        iteration = ofIteration;
        pushed = 0;
        isUnderWay = true;
    }

    private boolean hasFailedOver()
    {
        boolean isOther = false;
        for (int i = 0; i < epochs.length; i++)
        {
            isOther |= epochs[i] != core.session(i).epoch();
        }

        return isOther;
    }

    /** Goes on with the import that is due. */
    void doWork()
    {
        if (pushed < Imports.PUSHES)
        {
            push();
        }
        else if (outstanding.isEmpty())
        {
            onDone();
        }
    }

    /** Looks which pushes of the import are done. */
    void poll()
    {
        for (int i = 0; isUnderWay && world.isPlanted(PlantedFault.IMPORT_DONE_WHEN_APPLIED) && i < lasts.length; i++)
        {
            final PartitionSession session = core.session(i);
            final long applied = session.watermarks().of(AckLevel.APPLIED);
            session.onWatermarks(session.epoch(), applied, applied, applied, applied, world.events().nowNs());
        }
        for (int i = outstanding.size() - 1; i >= 0; i--)
        {
            if (client.isDone(outstanding.get(i)))
            {
                Violation.check(Refusal.NONE == core.tickets().refusal(outstanding.remove(i)),
                    Violation.Kind.WRONG_OUTCOME, "an import was refused: slot, iteration", slot, iteration);
            }
        }
    }

    /** Pushes the gradients of an iteration, and returns their ticket. */
    long tryStep(final long clock)
    {
        int count = 0;
        for (int partition = 0; partition < core.partitions(); partition++)
        {
            final History.Part part = imports.steps(partition, slot, clock);
            for (int i = 0; i < part.keys().length; i++)
            {
                for (int j = 0; j < Imports.TABLE.dim(); j++)
                {
                    gradients[count * Imports.TABLE.dim() + j] = part.values()[i];
                }
                keys[count++] = world.config().firstKey(Imports.TABLE, partition) + part.keys()[i];
            }
        }

        final long ticket = table.tryPush(keys, 0, count, gradients);
        for (int i = 0; GradstreamClient.NOT_NOW != ticket && i < core.partitions(); i++)
        {
            cached.onPushed(i, imports.steps(i, slot, clock));
        }

        return ticket;
    }

    /** Number of pushes of gradients of an iteration. */
    int steps(final long clock)
    {
        return null != imports && imports.isStep(slot, clock) ? 1 : 0;
    }

    private void push()
    {
        int count = 0;
        for (int partition = 0; partition < core.partitions(); partition++)
        {
            final History.Part part = imports.rows(partition, slot, iteration, pushed);
            for (int i = 0; i < part.keys().length; i++)
            {
                final float[] row = Imports.row(part.values()[i]);
                for (int j = 0; j < row.length; j++)
                {
                    rows.putFloat(count * Imports.ROW_LENGTH + j * Float.BYTES, row[j], ByteOrder.LITTLE_ENDIAN);
                }
                keys[count++] = world.config().firstKey(Imports.TABLE, partition) + part.keys()[i];
            }
        }
        push.of(Imports.TABLE, keys, 0, count).wholeRows(rows, 0, Imports.ROW_LENGTH);
        final long ticket = core.requests().tryPush(push, world.events().nowNs());
        if (GradstreamClient.NOT_NOW != ticket)
        {
            outstanding.add(ticket);
            for (int i = 0; i < lasts.length; i++)
            {
                cached.onPushed(i, imports.rows(i, slot, iteration, pushed));
                lasts[i] = core.session(i).lastSequence();
            }
            pushed++;
        }
    }

    /** The caller hears that the import is done: its rows must be safe at each partition. */
    private void onDone()
    {
        done = iteration;
        isUnderWay = false;
        for (int i = 0; i < lasts.length; i++)
        {
            checker.checkSafe(slot, i, lasts[i]);
            epochs[i] = core.session(i).epoch();
        }
        world.journal().note("slot-" + slot, "has imported before iteration", iteration);
    }
}
