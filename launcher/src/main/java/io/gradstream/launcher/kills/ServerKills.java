// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Decides which servers are killed and when, and whether a kill counted, by the reports of workers.
 * <p>
 * A kill counts if at least one push was unacknowledged when the new primary came up, or if no partition lost its
 * primary by it. A kill that did not count is repeated. The next kill waits until every worker has seen every partition
 * of the killed servers come back, and until every partition has all its copies again.
 */
final class ServerKills extends KillSchedule
{
    /** Most attempts at one kill. */
    static final int MAX_TRIES = 5;

    private static final long NO_GAP = Long.MAX_VALUE;

    private final int nodeCount;
    private final int partitionCount;
    /** By worker and partition, of the workers that had begun when servers were killed. */
    private boolean[] reported = {};
    private final long[] ackMs;
    private final boolean[] ackIsOfOutstanding;
    private final BitSet affected = new BitSet();
    private final List<Integer> victims = new ArrayList<>();
    private final List<Outage> outages = new ArrayList<>();
    private int outstandingNow;
    private int tries;

    ServerKills(
        final List<KillOrder> kills,
        final int nodeCount,
        final int partitionCount,
        final long downMs)
    {
        super(kills, downMs);
        this.nodeCount = nodeCount;
        this.partitionCount = partitionCount;
        ackMs = new long[partitionCount];
        ackIsOfOutstanding = new boolean[partitionCount];
    }

    @Override
    Action poll(final Moment moment, final boolean isWhole)
    {
        final Action action = super.poll(moment, isWhole);
        return Action.KILL == action && tries >= MAX_TRIES ? Action.FAIL_NOT_COUNTED : action;
    }

    @Override
    boolean isBack(final Moment moment, final boolean isWhole)
    {
        if (!affected.isEmpty() && !struck().isDrawn() || isDown() || !isWhole)
        {
            return false;
        }
        if (struck().isPause())
        {
            end();
            complete();
            tries = 0;
        }
        else
        {
            count(gapMs());
        }
        return true;
    }

    /** Servers that are to be killed, or were killed last. */
    List<Integer> victims()
    {
        return List.copyOf(victims);
    }

    /** Called when the victims were killed. */
    void onKilled(final long nowMs)
    {
        begin(nowMs);
        outstandingNow = 0;
        tries++;
        Arrays.fill(ackMs, NO_GAP);
        Arrays.fill(ackIsOfOutstanding, false);
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
    boolean onServiceBack(final int slot, final int partition, final int unacknowledged, final long firstAckMs)
    {
        final int index = slot * partitionCount + partition;
        final boolean isWatched = index < reported.length;
        if (!isAway() || !isWatched || !affected.get(partition) || firstAckMs < killedMs() || reported[index])
        {
            return false;
        }

        reported[index] = true;
        outstandingNow += unacknowledged;
        noteAck(partition, unacknowledged > 0, firstAckMs);
        return !struck().isDrawn() && isEverythingBack() && !endOutage();
    }

    /** Attempts at the current kill: those that did not count, and the one under way. */
    int tries()
    {
        return tries;
    }

    /** Kills that counted. */
    List<Outage> outages()
    {
        return List.copyOf(outages);
    }

    @Override
    void choose(final KillOrder order, final Moment moment)
    {
        final List<Integer> heads = moment.heads();
        final List<Integer> servers = moment.servers();
        victims.clear();
        switch (order.target())
        {
            case SERVER -> victims.add(
                KillOrder.NEXT == order.number() ? servers.get(outages.size() % servers.size()) : order.number());
            case PRIMARY -> victims.add(busiest(heads));
            case COORDINATOR, WORKER -> throw new IllegalStateException(order.target() + " is no server");
            case ALL -> victims.addAll(servers);
        }
        if (!servers.containsAll(victims))
        {
            throw new IllegalStateException("server " + order.number() + " cannot be killed, as it does not run now:" +
                " kill it after it is added, and before it is drained");
        }
        reported = new boolean[moment.workers() * partitionCount];
        affected.clear();
        for (int partition = 0; partition < partitionCount; partition++)
        {
            affected.set(partition, victims.contains(heads.get(partition)));
        }
    }

    /** The primary of the most partitions; among servers with equally many, the one whose partition comes first. */
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
        end();
        if (0 == outstandingNow)
        {
            return false;
        }

        count(gapMs());
        return true;
    }

    /** From the kill until the last partition acknowledged again, of those of which it was heard. */
    private long gapMs()
    {
        long lastMs = killedMs();
        for (int partition = 0; partition < partitionCount; partition++)
        {
            lastMs = NO_GAP == ackMs[partition] ? lastMs : Math.max(lastMs, ackMs[partition]);
        }
        return lastMs - killedMs();
    }

    private void count(final long gapMs)
    {
        end();
        complete();
        outages.add(new Outage(killedMs(), gapMs, outstandingNow));
        tries = 0;
    }
}
