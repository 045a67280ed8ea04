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
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Transceiver;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

/**
 * Pulls as a load: ranges of rows, one range after the other through the whole table, each into its own array.
 */
final class PullTransceiver implements Transceiver
{
    private final TicketRing tickets;
    private final GradstreamClient client;
    private final Table table;
    private final int rows;
    private final float[][] results;
    private int nextResult;
    private long nextRow;

    PullTransceiver(final GradstreamClient client, final Table table, final int rows, final int depth)
    {
        this.client = client;
        this.table = table;
        this.rows = rows;
        tickets = new TicketRing(client);
        results = new float[depth][rows * table.spec().dim()];
    }

    @Override
    public boolean tryStart()
    {
        if (tickets.outstanding() >= results.length)
        {
            return false;
        }
        tickets.add(table.pullRange(nextRow, rows, results[nextResult]));
        nextResult = (nextResult + 1) % results.length;
        nextRow = (nextRow + rows) % table.spec().rows();

        return true;
    }

    @Override
    public int poll()
    {
        final int workCount = client.poll();
        tickets.poll();
        return workCount;
    }

    @Override
    public long completed()
    {
        return tickets.completed();
    }

    @Override
    public long transferBytes()
    {
        return (long)results[0].length * Float.BYTES;
    }
}
