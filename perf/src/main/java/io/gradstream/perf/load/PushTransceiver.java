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

import java.util.Arrays;
import java.util.function.IntSupplier;

/**
 * Pushes as a load: ranges of rows, one range after the other through the whole table.
 */
final class PushTransceiver implements Transceiver
{
    private static final float GRADIENT = 0.5f;

    private final TicketRing tickets;
    private final IntSupplier clientPoll;
    private final Table table;
    private final int rows;
    private final float[] gradients;
    private long nextRow;

    PushTransceiver(
        final GradstreamClient client, final IntSupplier clientPoll, final Table table, final int rows)
    {
        this.clientPoll = clientPoll;
        this.table = table;
        this.rows = rows;
        tickets = new TicketRing(client);
        gradients = new float[rows * table.spec().dim()];
        Arrays.fill(gradients, GRADIENT);
    }

    @Override
    public boolean tryStart()
    {
        final long ticket = table.tryPushRange(nextRow, rows, gradients);
        if (GradstreamClient.NOT_NOW == ticket)
        {
            return false;
        }
        tickets.add(ticket);
        nextRow = (nextRow + rows) % table.spec().rows();

        return true;
    }

    @Override
    public int poll()
    {
        final int workCount = clientPoll.getAsInt();
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
        return (long)gradients.length * Float.BYTES;
    }
}
