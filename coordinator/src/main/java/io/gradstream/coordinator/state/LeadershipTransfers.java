// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SnapshotWorkerDecoder;
import io.gradstream.codecs.coordinator.SnapshotWorkerEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * Moves the lead of a partition away from a head that lives but cannot serve, to a member in sync that can. From a head
 * that workers do not reach, the lead goes to a member that more of them reach. From a head that has to confirm and is
 * not heard, the lead goes to a member that is heard. Its time is that of the messages.
 * <p>
 * One worker is not believed against another: two must miss a head, unless nobody is known to reach it. Of a partition
 * only workers of its job are heard: those of another job may be where they reach other nodes.
 */
public final class LeadershipTransfers
{
    /** Most workers whose reports are kept. */
    public static final int MAX_WORKERS = 1024;
    /** Least workers that miss a head which others reach. */
    static final int LEAST_WITNESSES = 2;
    /** A worker that misses a head must have said so within this time. */
    static final long FRESH_MS = 3_000;
    /** A worker that has fallen silent counts for so long as one that reaches what it reached. */
    static final long KEPT_MS = 10_000;
    /**
     * The lead of a partition is moved, or a transferee that did not claim it is named again, no more often than this.
     */
    static final long HYSTERESIS_MS = 10_000;
    /**
     * After a transferee was dismissed because its head is reached after all, or because the head did not hand the lead
     * over, none is named for so long.
     */
    static final long RENAME_MS = 1_000;
    /** A transferee that has not claimed the lead for so long is dismissed. */
    static final long CLAIM_TIMEOUT_MS = 5_000;

    /** A head that has to confirm, and has been silent for so long, does not get to. */
    static final long UNHEARD_MS = 3_000;

    private final CoordinatorState state;
    /** By job and slot. */
    private final TreeMap<Long, Report> reports = new TreeMap<>();

    /** The last report of one worker: what it said, when, and since when it counts. */
    private static final class Report
    {
        private final long incarnation;
        private long heardMs;
        private final TreeMap<Integer, Boolean> nodes;
        private long keptMs;

        Report(final long incarnation, final long heardMs, final long keptMs, final Map<Integer, Boolean> nodes)
        {
            this.incarnation = incarnation;
            this.heardMs = heardMs;
            this.keptMs = keptMs;
            this.nodes = new TreeMap<>(nodes);
        }

        boolean reaches(final int node)
        {
            return nodes.getOrDefault(node, false);
        }

        boolean misses(final int node, final long nowMs)
        {
            return nowMs - heardMs < FRESH_MS && !nodes.getOrDefault(node, true);
        }
    }

    LeadershipTransfers(final CoordinatorState state)
    {
        this.state = state;
    }

    /**
     * A worker says which nodes it reaches.
     *
     * @param jobId       of the worker.
     * @param slot        of the worker, 0 or more.
     * @param incarnation of its process; one older than the newest is not heard.
     * @param nodes       that it has tried for long enough, and whether it reaches them.
     * @param nowMs       time of the message.
     * @return true if the map has changed.
     */
    public boolean onReach(
        final int jobId, final int slot, final long incarnation, final Map<Integer, Boolean> nodes, final long nowMs)
    {
        final Report before = reports.get(key(jobId, slot));
        if (!state.isPlaced() || null == state.jobs.of(jobId) || slot < 0 || nodes.size() > JobSpec.MAX_NODES ||
            null == before && reports.size() >= MAX_WORKERS || null != before && incarnation < before.incarnation)
        {
            return false;
        }
        reports.put(key(jobId, slot), new Report(incarnation, nowMs, nowMs, nodes));
        final JobState job = state.jobs.of(jobId);
        boolean isChanged = false;
        for (final PartitionChain chain :
            state.chains.subMap(job.firstPartition, job.endPartition()).values())
        {
            // a worker that misses a head says so again and again
            final boolean isMissed = !nodes.getOrDefault(chain.head(), true);
            isChanged |= (isMissed || Chain.NONE != chain.lead().transferee()) && judge(chain, jobId, nowMs);
        }

        return state.changed(isChanged);
    }

    private Collection<Report> ofJob(final int jobId)
    {
        return reports.subMap(key(jobId, 0), key(jobId + 1, 0)).values();
    }

    /**
     * Time goes on: forget workers that have fallen silent, dismiss transferees that do not claim, and name a
     * transferee where a head that has to confirm is not heard.
     */
    boolean onTime(final long nowMs)
    {
        reports.values().removeIf((report) -> nowMs - report.keptMs >= KEPT_MS);
        boolean isChanged = false;
        for (final PartitionChain chain : state.chains.values())
        {
            if (chain.lead().isOverdue(CLAIM_TIMEOUT_MS, nowMs))
            {
                chain.giveUpTransfer(nowMs);
                isChanged = true;
            }
            final int heard = Chain.NONE == chain.lead().transferee() && cannotConfirm(chain.chain(), nowMs) ?
                firstHeard(chain.chain(), nowMs) : Chain.NONE;
            if (Chain.NONE != heard)
            {
                chain.startTransfer(heard, nowMs);
                isChanged = true;
            }
        }

        return isChanged;
    }

    /**
     * True if the head cannot confirm. It answers nobody then, though it may live, and its neighbours and workers reach
     * it.
     */
    private boolean cannotConfirm(final Chain chain, final long nowMs)
    {
        return Chain.NONE != chain.head() && !chain.isConfirmed() && !isHeard(chain.head(), nowMs);
    }

    private int firstHeard(final Chain chain, final long nowMs)
    {
        return chain.members().stream().filter((member) -> isAlive(member, nowMs)).findFirst().orElse(Chain.NONE);
    }

    private boolean isHeard(final int node, final long nowMs)
    {
        return state.nodes.get(node).isHeardSince(nowMs - UNHEARD_MS);
    }

    /** True if a node can be relied on: it has reported lately, and to this leader of the coordinators. */
    boolean isAlive(final int node, final long nowMs)
    {
        return state.nodes.get(node).isAliveSince(nowMs - UNHEARD_MS);
    }

    /**
     * Nobody could report while nobody led: what was said last counts for its whole time again. The new leader's clock
     * may show less than the last one's.
     */
    void onNewLeader(final long nowMs)
    {
        for (final Report report : reports.values())
        {
            report.keptMs = nowMs;
            report.heardMs = Math.min(report.heardMs, nowMs);
        }
        state.chains.values().forEach((chain) -> chain.onNewLeader(nowMs));
    }

    /** A job was deleted: what its workers reach no longer counts. */
    void forget(final int jobId)
    {
        reports.keySet().removeIf((key) -> jobOf(key) == jobId);
    }

    private static long key(final int jobId, final int slot)
    {
        return (long)jobId << Integer.SIZE | slot;
    }

    private static int jobOf(final long key)
    {
        return (int)(key >> Integer.SIZE);
    }

    /** Write all reports, a message each. */
    void encode(
        final MutableDirectBuffer buffer, final MessageHeaderEncoder header, final CoordinatorSnapshot.Output output)
    {
        final SnapshotWorkerEncoder encoder = new SnapshotWorkerEncoder();
        reports.forEach((key, report) ->
        {
            encoder.wrapAndApplyHeader(buffer, 0, header)
                .incarnation(report.incarnation).heardMs(report.heardMs).keptMs(report.keptMs).slot((int)(long)key)
                .jobId(jobOf(key));
            final SnapshotWorkerEncoder.NodesEncoder nodes = encoder.nodesCount(report.nodes.size());
            report.nodes.forEach((node, isReached) -> nodes.next().nodeId(node).isReached((short)(isReached ? 1 : 0)));
            output.onMessage(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
        });
    }

    /** Read what {@link #encode} wrote. */
    void decode(final SnapshotWorkerDecoder decoder)
    {
        final int slot = decoder.slot();
        final int jobId = decoder.jobId();
        final long incarnation = decoder.incarnation();
        final long heardMs = decoder.heardMs();
        final long keptMs = decoder.keptMs();
        final Map<Integer, Boolean> nodes = new TreeMap<>();
        decoder.nodes().forEach((node) -> nodes.put(node.nodeId(), 0 != node.isReached()));
        reports.put(key(jobId, slot), new Report(incarnation, heardMs, keptMs, nodes));
    }

    /**
     * Name a transferee if a member should lead in the head's place, or dismiss a transferee that no longer needs to.
     * Returns true if the chain has changed.
     */
    private boolean judge(final PartitionChain partition, final int jobId, final long nowMs)
    {
        final Collection<Report> said = ofJob(jobId);
        final Chain chain = partition.chain();
        if (Chain.NONE != chain.transferee())
        {
            final boolean isDismissed = partition.leaving() != chain.head() && !partition.lead().isHandingOver() &&
                !isMissed(said, chain.head(), chain.transferee(), nowMs) && !cannotConfirm(chain, nowMs);
            if (isDismissed)
            {
                partition.dismissTransferee(nowMs);
            }
            return isDismissed;
        }
        final boolean isAllowed =
            chain.members().size() > 1 && !chain.isDegraded() && partition.lead().mayTransfer(nowMs);
        final int best = isAllowed ? best(said, chain, nowMs) : Chain.NONE;
        if (Chain.NONE != best)
        {
            partition.startTransfer(best, nowMs);
        }

        return Chain.NONE != best;
    }

    /** The member reached by most of the workers that miss the head; the first of them in the chain. */
    private static int best(final Collection<Report> said, final Chain chain, final long nowMs)
    {
        int best = Chain.NONE;
        for (final int member : chain.members())
        {
            if (member != chain.head() && isMissed(said, chain.head(), member, nowMs) &&
                (Chain.NONE == best || reachedBy(said, member) > reachedBy(said, best)))
            {
                best = member;
            }
        }

        return best;
    }

    /**
     * True if more workers reach a member than reach the head, and it is not one worker alone that says so against
     * another.
     */
    private static boolean isMissed(
        final Collection<Report> said, final int head, final int member, final long nowMs)
    {
        int witnesses = 0;
        for (final Report report : said)
        {
            witnesses += report.misses(head, nowMs) && report.reaches(member) ? 1 : 0;
        }
        final int reached = reachedBy(said, head);

        return reachedBy(said, member) > reached && witnesses >= (0 == reached ? 1 : LEAST_WITNESSES);
    }

    /** True if a worker of a job says that it does not reach this node. */
    boolean isMissed(final int jobId, final int node)
    {
        return ofJob(jobId).stream().anyMatch((report) -> !report.nodes.getOrDefault(node, true));
    }

    private static int reachedBy(final Collection<Report> said, final int node)
    {
        int count = 0;
        for (final Report report : said)
        {
            count += report.reaches(node) ? 1 : 0;
        }

        return count;
    }
}
