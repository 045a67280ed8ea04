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
package io.gradstream.simulation;

import io.gradstream.codecs.PartitionFunction;

import java.util.PriorityQueue;

/**
 * Everything that happens, one thing after another: simulated time and a hash of the whole course.
 */
final class EventQueue
{
    private record Event(long timeNs, long number, Runnable action) implements Comparable<Event>
    {
        @Override
        public int compareTo(final Event other)
        {
            return timeNs != other.timeNs ? Long.compare(timeNs, other.timeNs) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNs;
    private long lastNumber;
    private long count;
    private long traceHash;

    void after(final long delayNs, final Runnable action)
    {
        events.add(new Event(nowNs + delayNs, ++lastNumber, action));
    }

    void runNext()
    {
        final Event event = events.remove();
        nowNs = event.timeNs;
        count++;
        trace(event.number);
        event.action.run();
    }

    /** All that happens until then. */
    void runUntil(final long timeNs)
    {
        while (!events.isEmpty() && events.peek().timeNs <= timeNs)
        {
            runNext();
        }
        nowNs = Math.max(nowNs, timeNs);
    }

    /** Something happened that is part of the course. */
    void trace(final long what)
    {
        traceHash = PartitionFunction.mix(traceHash * 31 + nowNs ^ what);
    }

    long nowNs()
    {
        return nowNs;
    }

    long count()
    {
        return count;
    }

    long traceHash()
    {
        return traceHash;
    }
}
