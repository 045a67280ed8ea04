// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All slots that push to a cluster: threads of this process, and one host of its own.
 */
final class Load implements AutoCloseable
{
    /** Acknowledgements of each slot that show that load flows. */
    private static final long FLOWING = 200;
    private static final long FLOW_TIMEOUT_MS = 120_000;

    private final FaultCluster cluster;
    private final List<SlotLoad> slots = new ArrayList<>();
    private HostLoad host;

    private Load(final FaultCluster cluster)
    {
        this.cluster = cluster;
    }

    /**
     * Start pushing from everywhere.
     *
     * @param threads of this process that push, besides the host of its own.
     */
    static Load start(final FaultCluster cluster, final int threads)
    {
        final Load load = ofThreads(cluster, threads);
        try
        {
            load.host = HostLoad.start(threads, cluster);
            load.slots.add(load.host);
            return load;
        }
        catch (final RuntimeException | AssertionError ex)
        {
            load.close();
            throw ex;
        }
    }

    /**
     * Start pushing from this process alone, through the cluster's media driver for workers.
     *
     * @param threads that push.
     */
    static Load ofThreads(final FaultCluster cluster, final int threads)
    {
        final Load load = new Load(cluster);
        for (int slot = 0; slot < threads; slot++)
        {
            load.slots.add(ThreadLoad.start(slot, cluster));
        }

        return load;
    }

    List<SlotLoad> slots()
    {
        return slots;
    }

    HostLoad host()
    {
        return host;
    }

    long outstanding()
    {
        return slots.stream().mapToLong(SlotLoad::outstanding).sum();
    }

    void check()
    {
        slots.forEach(SlotLoad::check);
    }

    /** How far the slots of this process have pushed. */
    Map<SlotLoad, Long> mark()
    {
        final Map<SlotLoad, Long> marks = new HashMap<>();
        slots.stream().filter((slot) -> slot != host).forEach((slot) -> marks.put(slot, slot.pushed()));
        return marks;
    }

    /** Is everything up to the marks acknowledged? */
    static boolean isAcknowledged(final Map<SlotLoad, Long> marks)
    {
        return marks.entrySet().stream().allMatch((mark) -> mark.getKey().acknowledged() >= mark.getValue());
    }

    /** Push slowly from everywhere, or flat out as at first. */
    void slow(final boolean isWanted)
    {
        slots.forEach((slot) -> slot.slow(isWanted));
    }

    /** Wait until every slot has got acknowledgements from now on. */
    void awaitFlowing()
    {
        final Map<SlotLoad, Long> from = new HashMap<>();
        slots.forEach((slot) -> from.put(slot, slot.acknowledged()));
        cluster.await("load flows", FLOW_TIMEOUT_MS, () ->
        {
            check();
            return slots.stream().allMatch((slot) -> slot.acknowledged() >= from.get(slot) + FLOWING);
        });
    }

    /** Push no more, and wait until everything is acknowledged. */
    void drain()
    {
        slots.forEach(SlotLoad::drain);
        cluster.await("everything is acknowledged", FLOW_TIMEOUT_MS, () ->
        {
            check();
            return slots.stream().allMatch(SlotLoad::isDrained);
        });
    }

    @Override
    public void close()
    {
        slots.forEach(SlotLoad::close);
    }
}
