// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
