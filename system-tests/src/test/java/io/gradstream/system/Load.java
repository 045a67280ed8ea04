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
    /** Of another job of the cluster, whose tables and slots have the same numbers. */
    private final List<SlotLoad> others = new ArrayList<>();
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

    /** Start pushing to another job, too, from a thread of this process, in a slot of that job. */
    void startOther(final String job, final int slot)
    {
        others.add(ThreadLoad.start(slot, cluster.clientContext().job(job)));
    }

    /** The slots of the other job. */
    List<SlotLoad> others()
    {
        return others;
    }

    private List<SlotLoad> all()
    {
        final List<SlotLoad> all = new ArrayList<>(slots);
        all.addAll(others);

        return all;
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
        all().forEach(SlotLoad::check);
    }

    /** How far the slots of this process have pushed. */
    Map<SlotLoad, Long> mark()
    {
        final Map<SlotLoad, Long> marks = new HashMap<>();
        all().stream().filter((slot) -> slot != host).forEach((slot) -> marks.put(slot, slot.pushed()));
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
        all().forEach((slot) -> slot.slow(isWanted));
    }

    /** Wait until every slot has got acknowledgements from now on. */
    void awaitFlowing()
    {
        final Map<SlotLoad, Long> from = new HashMap<>();
        all().forEach((slot) -> from.put(slot, slot.acknowledged()));
        cluster.await("load flows", FLOW_TIMEOUT_MS, () ->
        {
            check();
            return all().stream().allMatch((slot) -> slot.acknowledged() >= from.get(slot) + FLOWING);
        });
    }

    /** Push no more, and wait until everything is acknowledged. */
    void drain()
    {
        all().forEach(SlotLoad::drain);
        cluster.await("everything is acknowledged", FLOW_TIMEOUT_MS, () ->
        {
            check();
            return all().stream().allMatch(SlotLoad::isDrained);
        });
    }

    @Override
    public void close()
    {
        all().forEach(SlotLoad::close);
    }
}
