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

import io.gradstream.worker.GradstreamClient;

/**
 * The tickets of one load in the order they were given; done ones leave from the head.
 */
final class TicketRing
{
    private final long[] tickets = new long[LoadLoop.MAX_DEPTH];
    private final GradstreamClient client;
    private final long refusedBefore;
    private long added;
    private long completed;

    TicketRing(final GradstreamClient client)
    {
        this.client = client;
        refusedBefore = client.refusedTickets();
    }

    void add(final long ticket)
    {
        tickets[(int)added++ & LoadLoop.MAX_DEPTH - 1] = ticket;
    }

    /**
     * Let done tickets go.
     *
     * @throws IllegalStateException if the server refused one.
     */
    void poll()
    {
        while (completed < added && client.isDone(tickets[(int)completed & LoadLoop.MAX_DEPTH - 1]))
        {
            completed++;
        }
        if (client.refusedTickets() != refusedBefore)
        {
            throw new IllegalStateException("refusedTickets=" + (client.refusedTickets() - refusedBefore) +
                ": the server refused some of the load");
        }
    }

    int outstanding()
    {
        return (int)(added - completed);
    }

    long completed()
    {
        return completed;
    }
}
