// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.simulator.world.Violation;
import org.agrona.DirectBuffer;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks that each transferee that is named is in sync, and that workers of its job miss the head, not one of them
 * against another. Goes by what the coordinators' log says that workers reach. A head that serves well is asked to hand
 * the lead over only where leads are uneven, and nothing has changed for a while.
 */
final class LeadChecks
{
    private static final long UNHEARD_MS = 3_000;
    private static final long FRESH_MS = 3_000;
    private static final long KEPT_MS = 10_000;
    private static final long LEAD_KEPT_MS = 30_000;
    private static final long SETTLED_DIVISOR = 6;

    private record Said(long incarnation, long saidMs, long keptMs, Map<Integer, Boolean> nodes)
    {
    }

    /** By job and slot. */
    private final TreeMap<Long, Said> said = new TreeMap<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WorkerReachDecoder reach = new WorkerReachDecoder();
    /** By partition when its lead moved last. */
    private final Map<Integer, Long> movedMs = new TreeMap<>();
    /** When a chain has changed last, and the sum of the versions of all chains. */
    private long changedMs;
    private long changedVersion;
    private int named;
    private int claimed;
    private int handedOver;

    /** How many transferees were named. */
    int named()
    {
        return named;
    }

    /** How many of them took the lead. */
    int claimed()
    {
        return claimed;
    }

    /** How many heads handed the lead over, and stayed in sync. */
    int handedOver()
    {
        return handedOver;
    }

    /** The map has changed. */
    void onDecided(final ClusterMap map, final long nowMs)
    {
        final long version = map.chains().chains().stream().mapToLong(Chain::version).sum();
        changedMs = version == changedVersion ? changedMs : nowMs;
        changedVersion = version;
        said.keySet().removeIf((key) -> null == map.job((int)(key >> Integer.SIZE)));
    }

    void onMessage(final DirectBuffer bytes, final long nowMs)
    {
        if (WorkerReachDecoder.TEMPLATE_ID != header.wrap(bytes, 0).templateId())
        {
            return;
        }
        reach.wrapAndApplyHeader(bytes, 0, header);
        final long incarnation = reach.incarnation();
        final long key = (long)reach.jobId() << Integer.SIZE | reach.slot();
        final Said before = said.get(key);
        if (null == before || incarnation >= before.incarnation)
        {
            final Map<Integer, Boolean> nodes = new TreeMap<>();
            reach.nodes().forEach((node) -> nodes.put(node.nodeId(), 0 != node.isReached()));
            said.put(key, new Said(incarnation, nowMs, nowMs, nodes));
        }
    }

    /** Forgets reports for good: a later leader whose clock shows less does not remember them. */
    void onTimer(final long nowMs)
    {
        said.values().removeIf((last) -> nowMs - last.keptMs >= KEPT_MS);
    }

    void onTerm(final long nowMs)
    {
        said.replaceAll((slot, last) ->
            new Said(last.incarnation, last.saidMs, Math.max(last.keptMs, nowMs), last.nodes));
    }

    void check(
        final ClusterMap map, final int partition, final Chain before, final long nowMs, final long[] heardMs)
    {
        final Chain now = map.chains().chains().get(partition);
        claimed += Chain.NONE != before.transferee() && now.head() == before.transferee() ? 1 : 0;
        handedOver += now.head() != before.head() && now.members().contains(before.head()) ? 1 : 0;
        if (now.epoch() != before.epoch())
        {
            movedMs.put(partition, nowMs);
        }
        if (Chain.NONE == now.transferee() || before.transferee() == now.transferee())
        {
            return;
        }
        named++;
        Violation.check(now.members().indexOf(now.transferee()) > 0, Violation.Kind.DECISION_WRONG,
            "a transferee not in sync: partition, transferee", partition, now.transferee());
        if (!now.isConfirmed() && nowMs - heardMs[now.head()] > UNHEARD_MS &&
            nowMs - heardMs[now.transferee()] <= UNHEARD_MS)
        {
            // the head cannot confirm, and answers nobody
            return;
        }
        if (!map.assignment().get(partition).contains(now.head()) && !now.isDegraded() && now.isConfirmed())
        {
            // the head's place has moved
            return;
        }
        Violation.check(!now.isDegraded(), Violation.Kind.DECISION_WRONG,
            "a transferee of a short chain: partition, transferee", partition, now.transferee());
        int witnesses = 0;
        int reached = 0;
        final ClusterMap.Job job = map.jobOf(partition);
        for (final Said last : ofJob(job.id()))
        {
            final boolean isFresh = nowMs - last.saidMs < FRESH_MS;
            witnesses += isFresh && !last.nodes.getOrDefault(now.head(), true) &&
                last.nodes.getOrDefault(now.transferee(), false) ? 1 : 0;
            reached += nowMs - last.keptMs < KEPT_MS && last.nodes.getOrDefault(now.head(), false) ? 1 : 0;
        }
        final long keptMs = Math.min(LEAD_KEPT_MS, map.job().repairDelayMs());
        final boolean isKept = nowMs - movedMs.getOrDefault(partition, 0L) >= keptMs &&
            nowMs - changedMs >= keptMs / SETTLED_DIVISOR;
        Violation.check(witnesses > 1 || witnesses > 0 && 0 == reached || isUneven(map, now) && isKept,
            Violation.Kind.DECISION_WRONG,
            "a transferee named on one worker's word, or too soon: partition, transferee, witnesses, reached," +
            " settled ms", partition, now.transferee(), witnesses, reached, nowMs - changedMs);
    }

    private Collection<Said> ofJob(final int jobId)
    {
        return said.subMap((long)jobId << Integer.SIZE, (long)jobId + 1 << Integer.SIZE).values();
    }

    /** True if the head leads at least two partitions more than another member. */
    private static boolean isUneven(final ClusterMap map, final Chain chain)
    {
        return chain.members().stream().anyMatch((member) -> leads(map, chain.head()) > leads(map, member) + 1);
    }

    private static long leads(final ClusterMap map, final int node)
    {
        return map.chains().chains().stream().filter((chain) -> chain.head() == node).count();
    }
}
