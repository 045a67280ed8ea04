// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Pushes as fast as spools allow, or slowly, each push adding 1 to a number of its own: number n of one life of a slot
 * stands in row {@link #keyOf} at {@link #elementOf}. Afterwards the table says of each push how often it was applied.
 * For one thread; others may read the counts.
 */
final class PushLoop
{
    /** Pushes whose numbers stand in one row. */
    static final int ROW = 64;
    /** Rows that are pushed to in turn, so that every partition has its part at all times. */
    static final int LANES = 8;
    /** The slot table. */
    static final TableSpec TABLE =
        new TableSpec(0, "slots", ROW, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1");

    private static final int PUSHES_A_TURN = 64;
    /** Between turns of a slow load: 3,200 pushes a second, a tenth of what flat out is on two cores. */
    private static final long SLOW_TURN_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LIFE_BITS = 40;
    private static final int SLOT_BITS = 52;
    private static final int BLOCK_BITS = 6;

    private final GradstreamClient client;
    private final Table table;
    private final int slot;
    private final int life;
    private final long[] keys = new long[1];
    private final long[] values = new long[ROW];
    private final Queue<Long> tickets = new ArrayDeque<>();
    private volatile long pushed;
    private volatile long acknowledged;
    private volatile boolean isSlow;
    private long turnNs;

    /**
     * Create the table if need be, and wait for it.
     *
     * @param client connected, with the audit on.
     * @param slot   of the client.
     * @param life   how many processes have held the slot before.
     */
    PushLoop(final GradstreamClient client, final int slot, final int life)
    {
        this.client = client;
        this.slot = slot;
        this.life = life;
        table = client.createTable(TABLE);
    }

    /** Push what there is room for, and poll. */
    int doWork()
    {
        if (isSlow)
        {
            final long nowNs = System.nanoTime();
            if (nowNs - turnNs < SLOW_TURN_NS)
            {
                return poll();
            }
            turnNs = nowNs;
        }
        int pushes = 0;
        while (pushes < PUSHES_A_TURN && tryPush())
        {
            pushes++;
        }

        return pushes + poll();
    }

    /** Push slowly, or as fast as spools allow. Any thread may say so. */
    void slow(final boolean isWanted)
    {
        isSlow = isWanted;
    }

    /** Poll only. */
    int poll()
    {
        final int workCount = client.poll();
        while (!tickets.isEmpty() && client.isDone(tickets.peek()))
        {
            tickets.remove();
            acknowledged++;
        }

        return workCount;
    }

    /** Numbers given to pushes: 0 to this, exclusive. */
    long pushed()
    {
        return pushed;
    }

    /** Every push of a number below this is acknowledged. */
    long acknowledged()
    {
        return acknowledged;
    }

    int slot()
    {
        return slot;
    }

    int life()
    {
        return life;
    }

    /** Rows that the numbers 0 to pushed, exclusive, are spread over. */
    static int rowsOf(final long pushed)
    {
        return (int)((pushed + ROW * LANES - 1) / (ROW * LANES)) * LANES;
    }

    /** Key of a row; blocks of keys are spread over partitions, so each row has a block of its own. */
    static long keyOf(final int slot, final int life, final int row)
    {
        return (long)slot << SLOT_BITS | (long)life << LIFE_BITS | (long)row << BLOCK_BITS;
    }

    /** The number that stands in a row at an element. */
    static long numberAt(final int row, final int element)
    {
        return ((long)(row / LANES) * ROW + element) * LANES + row % LANES;
    }

    static int rowOf(final long number)
    {
        return (int)(number / (ROW * LANES)) * LANES + (int)(number % LANES);
    }

    static int elementOf(final long number)
    {
        return (int)(number / LANES % ROW);
    }

    private boolean tryPush()
    {
        final long number = pushed;
        keys[0] = keyOf(slot, life, rowOf(number));
        values[elementOf(number)] = 1;
        final long ticket = table.tryPush(keys, 0, 1, values);
        values[elementOf(number)] = 0;
        if (GradstreamClient.NOT_NOW == ticket)
        {
            return false;
        }
        tickets.add(ticket);
        pushed = number + 1;

        return true;
    }
}
