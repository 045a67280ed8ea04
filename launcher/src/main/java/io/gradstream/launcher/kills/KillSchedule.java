// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Decides which servers are killed and when, when they are started again, whether a kill counted, and when held workers
 * may go on. Pure: time, the primaries and the reports of workers come in, {@link Action}s come out.
 * <p>
 * A kill counts if at least one push was unacknowledged when the new primary came up, or if no partition lost its
 * primary by it. A kill that did not count is repeated. The next kill waits until every worker has seen every partition
 * of the killed servers come back, and until every partition has all its copies again.
 */
public final class KillSchedule
{
    /** Most attempts at one kill. */
    public static final int MAX_TRIES = 5;
    /** Longest time that service may stay away once the killed servers are started again. */
    public static final long MAX_AWAY_MS = 120_000;

    private static final long NOT_BEGUN = -1;
    private static final long NOT_WAITING = -1;
    private static final long NO_GAP = Long.MAX_VALUE;

    private final List<KillOrder> pending;
    private final int nodeCount;
    private final int partitionCount;
    private final long downMs;
    private final boolean[] reported;
    private final long[] ackMs;
    private final boolean[] ackIsOfOutstanding;
    private final BitSet affected = new BitSet();
    private final List<Integer> victims = new ArrayList<>();
    private final List<Outage> outages = new ArrayList<>();

    private long beganMs = NOT_BEGUN;
    private long killedMs;
    private long waitingSinceMs = NOT_WAITING;
    private boolean isDown;
    private boolean isAway;
    private boolean isReleased;
    private KillOrder current;
    private int outstandingNow;
    private int tries;

    /**
     * A kill that counted.
     *
     * @param killedMs    {@link io.gradstream.driver.client.HostClock#monotonicMs()} of the kill.
     * @param gapMs       from then until the last partition that lost its primary acknowledged again.
     * @param outstanding pushes that were unacknowledged meanwhile.
     */
    public record Outage(long killedMs, long gapMs, int outstanding)
    {
    }

    /**
     * The facts by which a step is decided.
     *
     * @param nowMs     {@link io.gradstream.driver.client.HostClock#monotonicMs()}.
     * @param shareDone batches done by all workers together, of those planned; 0 to 1.
     * @param isAllHeld true if every worker holds back its last batches.
     * @param heads     for each partition the server that is its primary, or a negative number.
     * @param isWhole   true if all servers are up and every partition has all its copies; false also if a kill of the
     *                  leader of the coordinators is due and must wait for them.
     */
    public record Moment(long nowMs, double shareDone, boolean isAllHeld, List<Integer> heads, boolean isWhole)
    {
    }

    /**
     * A schedule of which no kill has happened yet.
     *
     * @param downMs how long each killed server stays away.
     */
    public KillSchedule(
        final List<KillOrder> kills,
        final int nodeCount,
        final int partitionCount,
        final int workerCount,
        final long downMs)
    {
        pending = new ArrayList<>(kills);
        this.nodeCount = nodeCount;
        this.partitionCount = partitionCount;
        this.downMs = downMs;
        reported = new boolean[workerCount * partitionCount];
        ackMs = new long[partitionCount];
        ackIsOfOutstanding = new boolean[partitionCount];
        isReleased = kills.isEmpty();
    }

    /**
     * The next step.
     */
    public enum Action
    {
        /** Nothing now. */
        NONE,
        /** Kill the {@link #victims()}, call {@link #onKilled(long)}, and let held workers do one batch. */
        KILL,
        /** Start the {@link #victims()} again and call {@link #onRestarted()}. */
        RESTART,
        /** All kills are done and service is back: let held workers finish. */
        RELEASE,
        /** Service did not come back in time. */
        FAIL_AWAY,
        /** Partitions did not get all their copies back in time. */
        FAIL_NOT_WHOLE,
        /** No attempt at a kill met a push in flight. */
        FAIL_NOT_COUNTED
    }

    /**
     * Called when training began: times count from then. Only the first call counts.
     */
    public void onTrainingBegan(final long nowMs)
    {
        if (NOT_BEGUN == beganMs)
        {
            beganMs = nowMs;
        }
    }

    /** Decide the next step. */
    public Action poll(final Moment moment)
    {
        if (NOT_BEGUN == beganMs)
        {
            return Action.NONE;
        }
        if (isDown && moment.nowMs - killedMs >= downMs)
        {
            return Action.RESTART;
        }
        if (isReleased)
        {
            return Action.NONE;
        }
        if (isAway)
        {
            return pollAway(moment);
        }

        return tries >= MAX_TRIES ? Action.FAIL_NOT_COUNTED : pollDue(moment);
    }

    /** Servers that are to be killed, or were killed last. */
    public List<Integer> victims()
    {
        return List.copyOf(victims);
    }

    /**
     * Called when the victims were killed.
     */
    public void onKilled(final long nowMs)
    {
        isAway = true;
        isDown = true;
        killedMs = nowMs;
        waitingSinceMs = NOT_WAITING;
        outstandingNow = 0;
        tries++;
        Arrays.fill(reported, false);
        Arrays.fill(ackMs, NO_GAP);
        Arrays.fill(ackIsOfOutstanding, false);
    }

    /**
     * Called when the victims were started again.
     */
    public void onRestarted()
    {
        isDown = false;
    }

    /**
     * Called when a worker saw a partition come back.
     *
     * @param partition      that came back.
     * @param unacknowledged pushes outstanding when its new primary came up.
     * @param firstAckMs     {@link io.gradstream.driver.client.HostClock#monotonicMs()} of the first new
     *                       acknowledgement.
     * @return true if the outage is over with this report, and does not count, as no push was unacknowledged.
     */
    public boolean onServiceBack(final int slot, final int partition, final int unacknowledged, final long firstAckMs)
    {
        final int index = slot * partitionCount + partition;
        if (!isAway || !affected.get(partition) || firstAckMs < killedMs || reported[index])
        {
            return false;
        }

        reported[index] = true;
        outstandingNow += unacknowledged;
        noteAck(partition, unacknowledged > 0, firstAckMs);
        return isEverythingBack() && !endOutage();
    }

    /** Attempts at the current kill: those that did not count, and the one under way. */
    public int tries()
    {
        return tries;
    }

    /** True while service is away after a kill. */
    public boolean isAway()
    {
        return isAway;
    }

    /** Kills that counted. */
    public List<Outage> outages()
    {
        return List.copyOf(outages);
    }

    private Action pollAway(final Moment moment)
    {
        if (affected.isEmpty() && !isDown && moment.isWhole)
        {
            count(0);
            return Action.NONE;
        }

        return moment.nowMs - killedMs > downMs + MAX_AWAY_MS ? Action.FAIL_AWAY : Action.NONE;
    }

    private Action pollDue(final Moment moment)
    {
        if (null == current)
        {
            current = due(moment);
        }
        if (null == current)
        {
            isReleased = pending.isEmpty();
            return isReleased ? Action.RELEASE : Action.NONE;
        }
        if (isDown || !moment.isWhole)
        {
            waitingSinceMs = NOT_WAITING == waitingSinceMs ? moment.nowMs : waitingSinceMs;
            return moment.nowMs - waitingSinceMs > downMs + MAX_AWAY_MS ? Action.FAIL_NOT_WHOLE : Action.NONE;
        }

        choose(moment.heads);
        return Action.KILL;
    }

    private KillOrder due(final Moment moment)
    {
        for (final KillOrder order : pending)
        {
            if (order.when().isDue(moment.nowMs - beganMs, moment.shareDone, moment.isAllHeld))
            {
                return order;
            }
        }

        return null;
    }

    private void choose(final List<Integer> heads)
    {
        victims.clear();
        switch (current.target())
        {
            case SERVER -> victims.add(
                KillOrder.NEXT == current.server() ? outages.size() % nodeCount : current.server());
            case PRIMARY -> victims.add(busiest(heads));
            case COORDINATOR -> throw new IllegalStateException("a coordinator is no server");
            case ALL ->
            {
                for (int node = 0; node < nodeCount; node++)
                {
                    victims.add(node);
                }
            }
        }
        affected.clear();
        for (int partition = 0; partition < partitionCount; partition++)
        {
            affected.set(partition, victims.contains(heads.get(partition)));
        }
    }

    /**
     * The primary of the most partitions; among servers with equally many, the one whose partition comes first.
     */
    private int busiest(final List<Integer> heads)
    {
        final int[] counts = new int[nodeCount];
        heads.forEach((head) -> counts[head]++);
        int best = heads.get(0);
        for (final int head : heads)
        {
            best = counts[head] > counts[best] ? head : best;
        }

        return best;
    }

    /**
     * Note the end of a partition's outage, which is the first acknowledgement of an outstanding push. A worker without
     * an outstanding push only reports when it was welcomed; this counts if no worker had one.
     */
    private void noteAck(final int partition, final boolean isOfOutstanding, final long firstAckMs)
    {
        if (isOfOutstanding == ackIsOfOutstanding[partition])
        {
            ackMs[partition] = Math.min(ackMs[partition], firstAckMs);
        }
        else if (isOfOutstanding)
        {
            ackIsOfOutstanding[partition] = true;
            ackMs[partition] = firstAckMs;
        }
    }

    private boolean isEverythingBack()
    {
        for (int index = 0; index < reported.length; index++)
        {
            if (affected.get(index % partitionCount) && !reported[index])
            {
                return false;
            }
        }

        return true;
    }

    private boolean endOutage()
    {
        isAway = false;
        if (0 == outstandingNow)
        {
            return false;
        }

        long lastMs = killedMs;
        for (int partition = 0; partition < partitionCount; partition++)
        {
            lastMs = affected.get(partition) ? Math.max(lastMs, ackMs[partition]) : lastMs;
        }
        count(lastMs - killedMs);
        return true;
    }

    private void count(final long gapMs)
    {
        isAway = false;
        outages.add(new Outage(killedMs, gapMs, outstandingNow));
        pending.remove(current);
        current = null;
        tries = 0;
    }
}
