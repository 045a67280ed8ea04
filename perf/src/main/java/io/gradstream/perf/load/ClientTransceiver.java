// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Transceiver;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.util.Arrays;
import java.util.List;

/** Pushes or pulls as a load: ranges of rows, one range after the other through the whole table. */
public abstract class ClientTransceiver implements Transceiver
{
    private static final float GRADIENT = 0.5f;

    /** Tickets in the order they were given; done ones leave from the head. */
    private final long[] tickets = new long[LoadLoop.MAX_DEPTH];
    private final GradstreamClient client;
    private final Table table;
    private final int rows;
    private final long refusedBefore;
    private long nextRow;
    private long started;
    private long completed;

    private ClientTransceiver(final GradstreamClient client, final Table table, final int rows)
    {
        this.client = client;
        this.table = table;
        this.rows = rows;
        refusedBefore = client.refusedTickets();
    }

    /** Pushes of so many rows each. */
    public static ClientTransceiver pushes(final GradstreamClient client, final Table table, final int rows)
    {
        return pushes(client, List.of(table), rows);
    }

    /**
     * Pushes to tables in turn.
     *
     * @param tables that are all alike.
     * @param rows   of each push.
     */
    public static ClientTransceiver pushes(final GradstreamClient client, final List<Table> tables, final int rows)
    {
        final float[] gradients = new float[rows * tables.get(0).spec().dim()];
        Arrays.fill(gradients, GRADIENT);
        return new ClientTransceiver(client, tables.get(0), rows)
        {
            @Override
            long tryStart(final long firstRow, final long index)
            {
                return tables.get((int)(index % tables.size())).tryPushRange(firstRow, rows, gradients);
            }
        };
    }

    /**
     * Pushes by keys.
     *
     * @param keys  taken in turn, again and again.
     * @param count of each push, of which keys.length is a multiple.
     */
    public static ClientTransceiver keyPushes(
        final GradstreamClient client, final Table table, final long[] keys, final int count)
    {
        final float[] gradients = new float[count * table.spec().dim()];
        Arrays.fill(gradients, GRADIENT);
        return new ClientTransceiver(client, table, count)
        {
            @Override
            long tryStart(final long firstRow, final long index)
            {
                return table.tryPush(keys, (int)(index * count % keys.length), count, gradients);
            }
        };
    }

    /** Pulls, at most {@code depth} of them outstanding, each into an array of its own. */
    public static ClientTransceiver pulls(
        final GradstreamClient client, final Table table, final int rows, final int depth)
    {
        final float[][] results = new float[depth][rows * table.spec().dim()];
        return new ClientTransceiver(client, table, rows)
        {
            @Override
            long tryStart(final long firstRow, final long index)
            {
                return index - completed() >= depth ? GradstreamClient.NOT_NOW :
                    table.pullRange(firstRow, rows, results[(int)(index % depth)]);
            }
        };
    }

    /** Start the transfer of that index; {@link GradstreamClient#NOT_NOW} if there is no room. */
    abstract long tryStart(long firstRow, long index);

    @Override
    public boolean tryStart()
    {
        final long ticket = tryStart(nextRow, started);
        if (GradstreamClient.NOT_NOW == ticket)
        {
            return false;
        }
        tickets[(int)started++ & LoadLoop.MAX_DEPTH - 1] = ticket;
        nextRow = (nextRow + rows) % table.spec().rows();

        return true;
    }

    /**
     * Poll the client, and let done tickets go.
     *
     * @throws IllegalStateException if the server refused one.
     */
    @Override
    public int poll()
    {
        final int workCount = client.poll();
        while (completed < started && client.isDone(tickets[(int)completed & LoadLoop.MAX_DEPTH - 1]))
        {
            completed++;
        }
        if (client.refusedTickets() != refusedBefore)
        {
            throw new IllegalStateException("refusedTickets=" + (client.refusedTickets() - refusedBefore) +
                ": the server refused some of the load");
        }

        return workCount;
    }

    @Override
    public long completed()
    {
        return completed;
    }

    @Override
    public long transferBytes()
    {
        return (long)rows * table.spec().dim() * Float.BYTES;
    }
}
