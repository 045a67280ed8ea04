// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches how long slots that push flat out go without an acknowledgement. A slot's pushes go to every partition in
 * turn and count as acknowledged in their order, so that one partition that nobody serves shows. On a thread of its
 * own, so that nothing else the test does is taken for a gap.
 */
final class GapWatch implements AutoCloseable
{
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long JOIN_MS = 5_000;

    private final List<SlotLoad> slots;
    private final Map<SlotLoad, Long> counts = new HashMap<>();
    private final Map<SlotLoad, Long> sinceNs = new HashMap<>();
    private final Thread thread;
    private volatile long longestNs;
    private volatile boolean isClosed;
    private volatile RuntimeException failure;

    private GapWatch(final List<SlotLoad> slots)
    {
        this.slots = List.copyOf(slots);
        thread = new Thread(this::run, "gap-watch");
        thread.setDaemon(true);
    }

    /** Watch from now on. */
    static GapWatch start(final List<SlotLoad> slots)
    {
        final GapWatch watch = new GapWatch(slots);
        watch.thread.start();
        return watch;
    }

    /** The longest gap of a slot until now, one that has not ended included. */
    long longestMs()
    {
        if (null != failure)
        {
            throw failure;
        }
        return TimeUnit.NANOSECONDS.toMillis(longestNs);
    }

    @Override
    public void close()
    {
        isClosed = true;
        try
        {
            thread.join(JOIN_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        try
        {
            watch();
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
    }

    private void watch()
    {
        final long startNs = System.nanoTime();
        slots.forEach((slot) -> sinceNs.put(slot, startNs));
        while (!isClosed)
        {
            final long nowNs = System.nanoTime();
            for (final SlotLoad slot : slots)
            {
                longestNs = Math.max(longestNs, nowNs - sinceNs.get(slot));
                final long count = slot.acknowledged();
                if (!Long.valueOf(count).equals(counts.put(slot, count)))
                {
                    sinceNs.put(slot, nowNs);
                }
            }
            LockSupport.parkNanos(SAMPLE_NS);
        }
    }
}
