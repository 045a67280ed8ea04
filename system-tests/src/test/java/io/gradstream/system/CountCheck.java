// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.launcher.Audit;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

/**
 * Asks the servers afterwards how often each push was applied, in two ways that do not know of each other: the slot
 * table has a number for each push, the audit table power sums over sequences.
 */
final class CountCheck
{
    /** A killed worker had not told its parent of more pushes than that. */
    private static final long MAX_UNTOLD = 1 << 14;
    private static final int ROWS_AT_ONCE = 64;

    private final FaultCluster cluster;
    private final List<String> differences = new ArrayList<>();
    private long lost;
    private long doubled;
    private long applied;

    CountCheck(final FaultCluster cluster)
    {
        this.cluster = cluster;
    }

    /** Look at everything that a drained load has pushed. */
    void run(final Load load)
    {
        run(cluster.clientContext(), load.slots());
    }

    /** Look at everything that some slots of a job have pushed. */
    void run(final ClientContext context, final List<SlotLoad> slots)
    {
        try (GradstreamClient observer = GradstreamClient.connect(context.slot(-1)))
        {
            final Table table = observer.openTable(PushLoop.TABLE);
            for (final SlotLoad slot : slots)
            {
                long ones = 0;
                for (final SlotLoad.Life life : slot.lives())
                {
                    ones += count(observer, table, slot.slot(), life);
                }
                audit(observer, slot, ones);
                applied += ones;
            }
        }
    }

    /** What is not as the mode promises, one line each. */
    List<String> differences()
    {
        return differences;
    }

    long lost()
    {
        return lost;
    }

    long doubled()
    {
        return doubled;
    }

    long applied()
    {
        return applied;
    }

    private long count(
        final GradstreamClient observer, final Table table, final int slot, final SlotLoad.Life life)
    {
        final boolean isKnown = SlotLoad.Life.UNKNOWN != life.pushed();
        final int rows = PushLoop.rowsOf(isKnown ? life.pushed() : life.acknowledged() + MAX_UNTOLD);
        final long[] keys = new long[ROWS_AT_ONCE];
        final long[] values = new long[ROWS_AT_ONCE * PushLoop.ROW];
        long ones = 0;
        for (int begin = 0; begin < rows; begin += ROWS_AT_ONCE)
        {
            final int count = Math.min(ROWS_AT_ONCE, rows - begin);
            for (int i = 0; i < count; i++)
            {
                keys[i] = PushLoop.keyOf(slot, life.number(), begin + i);
            }
            observer.await(table.pull(keys, count, values));
            for (int i = 0; i < count * PushLoop.ROW; i++)
            {
                final long number = PushLoop.numberAt(begin + i / PushLoop.ROW, i % PushLoop.ROW);
                final long least = number < life.acknowledged() ? 1 : 0;
                final long most = !isKnown || number < life.pushed() ? 1 : 0;
                compare("slot " + slot + " life " + life.number() + " push " + number, values[i], least, most);
                ones += values[i];
            }
        }

        return ones;
    }

    private void compare(final String what, final long times, final long least, final long most)
    {
        if (times < least || times > most)
        {
            lost += Math.max(0, least - times);
            doubled += Math.max(0, times - most);
            if (times > most || cluster.mode().isLossless())
            {
                differences.add(what + " was applied " + times + " times");
            }
        }
    }

    private void audit(final GradstreamClient observer, final SlotLoad slot, final long ones)
    {
        final boolean isLossless = cluster.mode().isLossless();
        final Audit audit = new Audit();
        final long[] sums = new long[TableSpec.AUDIT.dim()];
        for (int partition = 0; partition < observer.partitionCount(); partition++)
        {
            observer.await(observer.pullSystem(partition, TableSpec.AUDIT, new long[]{slot.slot()}, sums));
            final Audit.Sums counted = new Audit.Sums(sums[0], sums[1], sums[2], sums[3]);
            // a killed worker's sequences are not known, but without gap they end where their count does, and what
            // was in them the slot table knows; where pushes may be lost only the slot table knows which
            final Audit.Sums sent =
                !isLossless ? counted : null != slot.sent() ? slot.sent().get(partition) :
                    Audit.Sums.upTo(sums[0], sums[3]);
            audit.add("slot " + slot.slot() + " at partition " + partition, sent, counted);
        }
        differences.addAll(audit.differences());
        if (audit.applied() != ones)
        {
            differences.add("slot " + slot.slot() + ": the audit table counts " + audit.applied() +
                " pushes, the slot table " + ones);
        }
        lost += audit.lost();
        doubled += audit.doubled();
    }
}
