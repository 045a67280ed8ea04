// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.codecs.PartitionFunction;

import java.util.PriorityQueue;

/** Everything that happens, one thing after another: simulated time and a hash of the whole course. */
public final class EventQueue
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

    public void after(final long delayNs, final Runnable action)
    {
        events.add(new Event(nowNs + delayNs, ++lastNumber, action));
    }

    public void runNext()
    {
        final Event event = events.remove();
        nowNs = event.timeNs;
        count++;
        trace(event.number);
        event.action.run();
    }

    /** All that happens until then. */
    public void runUntil(final long timeNs)
    {
        while (!events.isEmpty() && events.peek().timeNs <= timeNs)
        {
            runNext();
        }
        nowNs = Math.max(nowNs, timeNs);
    }

    /** Something happened that is part of the course. */
    public void trace(final long what)
    {
        traceHash = PartitionFunction.mix(traceHash * 31 + nowNs ^ what);
    }

    public long nowNs()
    {
        return nowNs;
    }

    public long count()
    {
        return count;
    }

    public long traceHash()
    {
        return traceHash;
    }
}
