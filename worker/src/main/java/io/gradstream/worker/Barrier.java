// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.JobSpec;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.PartitionAnswer;
import io.gradstream.worker.session.Tickets;

import java.util.ArrayList;
import java.util.List;

/**
 * Waits until every slot of the job has ended an iteration, whatever the staleness bound. It asks the primaries of all
 * partitions, again and again, how far the slots are.
 */
final class Barrier
{
    /** Least time from an answer to the next question. */
    static final long MIN_INTERVAL_NS = 1_000_000L;
    /** Longest such time: the wait for other slots may be long, and servers have other things to do. */
    static final long MAX_INTERVAL_NS = 50_000_000L;
    /**
     * Between these limits, the interval is the time waited divided by this number: so the questions lengthen the wait
     * by this part at most.
     */
    private static final int WAITED_PER_INTERVAL = 8;
    /** Slots that an error names. */
    private static final int MAX_NAMED = 8;

    private final ClientContext context;
    private final Client client;
    private final Descriptions descriptions;
    private final BlockingCalls calls;

    Barrier(
        final ClientContext context, final Client client, final Descriptions descriptions, final BlockingCalls calls)
    {
        this.context = context;
        this.client = client;
        this.descriptions = descriptions;
        this.calls = calls;
    }

    /**
     * Require that there are slots to wait for.
     *
     * @throws IllegalStateException if there are none.
     */
    void requireSlots()
    {
        if (0 == slots())
        {
            throw new IllegalStateException("barrier: the job has slots=0, so there is nobody to wait for: say how" +
                " many there are with 'job set --slots N', or with --slots when the coordinator starts");
        }
    }

    /**
     * Wait until all slots have ended an iteration.
     *
     * @param ticket of this slot's clock. In a sequential job it is done when the last slot's clock has come, so it
     *               tells when to ask.
     * @param clock  that all must have ended.
     * @throws OperationTimeoutException if they have not in time; it names the slots that are behind.
     */
    void await(final long ticket, final long clock)
    {
        client.outageMeter().onBlocked(true, calls.nowNs());
        try
        {
            awaitSlots(ticket, clock);
        }
        finally
        {
            client.outageMeter().onBlocked(false, calls.nowNs());
        }
    }

    private void awaitSlots(final long ticket, final long clock)
    {
        final long startNs = calls.nowNs();
        final long timeoutNs = context.operationTimeoutNs;
        boolean isOwnDone = client.tickets().isDone(ticket);
        List<PartitionAnswer> answers = descriptions.await(timeoutNs);
        List<PartitionAnswer> known = answers;
        while (!isComplete(answers) || !behind(answers, clock).isEmpty())
        {
            final long waitedNs = calls.nowNs() - startNs;
            known = isComplete(answers) ? answers : known;
            if (waitedNs - timeoutNs >= 0)
            {
                throw new OperationTimeoutException("barrier: waited " + timeoutNs / 1_000_000 + " ms in vain for " +
                    awaited(known, clock) + client.describe(calls.nowNs()));
            }
            pause(isOwnDone ? Tickets.NONE : ticket, Math.min(timeoutNs - waitedNs, intervalNs(waitedNs)));
            isOwnDone = client.tickets().isDone(ticket);
            answers = descriptions.await(Math.max(0, timeoutNs - (calls.nowNs() - startNs)));
        }
        client.requests().cache().leastClock(clock);
    }

    static long intervalNs(final long waitedNs)
    {
        return Math.max(MIN_INTERVAL_NS, Math.min(MAX_INTERVAL_NS, waitedNs / WAITED_PER_INTERVAL));
    }

    /** Poll for a while, but no longer than until a ticket is done. */
    private void pause(final long ticket, final long durationNs)
    {
        calls.await("the other slots", () -> Tickets.NONE != ticket && client.tickets().isDone(ticket),
            calls.deadlineNs(durationNs));
    }

    /** Number of slots that the coordinators name now: they may change it during the wait. */
    private int slots()
    {
        final JobSpec newest = client.job();
        return (null == newest ? context.job : newest).consistency().slots();
    }

    private static boolean isComplete(final List<PartitionAnswer> answers)
    {
        return answers.stream().allMatch(PartitionAnswer::isComplete);
    }

    private List<Integer> behind(final List<PartitionAnswer> answers, final long clock)
    {
        final List<Integer> behind = new ArrayList<>();
        for (int slot = 0, end = slots(); slot < end; slot++)
        {
            if (clockOf(slot, answers) < clock)
            {
                behind.add(slot);
            }
        }

        return behind;
    }

    /** Iterations that a slot has ended at every partition; 0 where it was never seen. */
    private static long clockOf(final int slot, final List<PartitionAnswer> answers)
    {
        long clock = Long.MAX_VALUE;
        for (final PartitionAnswer answer : answers)
        {
            final PartitionAnswer.SlotAt at = answer.slots().get(slot);
            clock = Math.min(clock, null == at ? 0 : at.clock());
        }

        return clock;
    }

    private String awaited(final List<PartitionAnswer> answers, final long clock)
    {
        if (!isComplete(answers))
        {
            return "an answer from partitions " + Descriptions.silent(answers);
        }
        final List<Integer> behind = behind(answers, clock);
        final List<String> named = behind.stream().limit(MAX_NAMED)
            .map((slot) -> slot + " (has ended " + clockOf(slot, answers) + ")").toList();

        return behind.size() + " of " + slots() + " slots to end iteration " + clock + ": slots " +
            String.join(", ", named) + (behind.size() > MAX_NAMED ? ", ..." : "");
    }
}
