/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decides when a server is killed, whether the kill counted, and when held workers may go on. Pure: time and what
 * workers report come in, {@link Action}s come out.
 * <p>
 * A kill counts if at least one push was unacknowledged when the new primary came up. One that did not is repeated.
 * The next kill waits until every worker has seen every partition of the killed node come back.
 */
final class KillSchedule
{
    /** Most attempts at one kill. */
    static final int MAX_TRIES = 5;
    /** Longest time a killed node may stay away. */
    static final long MAX_AWAY_MS = 120_000;

    private static final long NOT_BEGUN = -1;
    private static final long NO_GAP = Long.MAX_VALUE;

    private final List<When> pending;
    private final int nodeCount;
    private final int partitionCount;
    private final int workerCount;
    private final boolean[] reported;
    private final long[] ackMs;
    private final boolean[] ackIsOfOutstanding;
    private final List<Long> serviceGapsMs = new ArrayList<>();
    private final List<Integer> outstanding = new ArrayList<>();

    private long beganMs = NOT_BEGUN;
    private long killedMs;
    private boolean isAway;
    private boolean isReleased;
    private When current;
    private int outstandingNow;
    private int tries;

    KillSchedule(final List<When> kills, final int nodeCount, final int partitionCount, final int workerCount)
    {
        pending = new ArrayList<>(kills);
        this.nodeCount = nodeCount;
        this.partitionCount = partitionCount;
        this.workerCount = workerCount;
        reported = new boolean[workerCount * partitionCount];
        ackMs = new long[partitionCount];
        ackIsOfOutstanding = new boolean[partitionCount];
        isReleased = kills.isEmpty();
    }

    /**
     * What to do next.
     */
    enum Action
    {
        /** Nothing now. */
        NONE,
        /** Kill {@link #node()}, call {@link #onKilled(long)}, start it again and let held workers do one batch. */
        KILL,
        /** All kills are done and service is back: let held workers finish. */
        RELEASE,
        /** The killed node did not come back in time. */
        FAIL_AWAY,
        /** No attempt at a kill met a push in flight. */
        FAIL_NOT_COUNTED
    }

    /**
     * Training began: times count from here. Only the first call counts.
     */
    void onTrainingBegan(final long nowMs)
    {
        if (NOT_BEGUN == beganMs)
        {
            beganMs = nowMs;
        }
    }

    /**
     * Decide.
     *
     * @param nowMs     wall clock.
     * @param shareDone batches done by all workers together, of those planned; 0 to 1.
     * @param isAllHeld is every worker holding back its last batches?
     */
    Action poll(final long nowMs, final double shareDone, final boolean isAllHeld)
    {
        if (isReleased || NOT_BEGUN == beganMs)
        {
            return Action.NONE;
        }
        if (isAway)
        {
            return nowMs - killedMs > MAX_AWAY_MS ? Action.FAIL_AWAY : Action.NONE;
        }
        if (tries >= MAX_TRIES)
        {
            return Action.FAIL_NOT_COUNTED;
        }
        if (null == current)
        {
            current = due(nowMs, shareDone, isAllHeld);
        }
        if (null != current)
        {
            return Action.KILL;
        }
        if (pending.isEmpty())
        {
            isReleased = true;
            return Action.RELEASE;
        }

        return Action.NONE;
    }

    /**
     * Node to kill, or that was killed last.
     */
    int node()
    {
        return serviceGapsMs.size() % nodeCount;
    }

    /**
     * The node is killed.
     */
    void onKilled(final long nowMs)
    {
        isAway = true;
        killedMs = nowMs;
        outstandingNow = 0;
        tries++;
        Arrays.fill(reported, false);
        Arrays.fill(ackMs, NO_GAP);
        Arrays.fill(ackIsOfOutstanding, false);
    }

    /**
     * A worker saw a partition come back.
     *
     * @param slot        of the worker.
     * @param partition   that came back.
     * @param unacknowledged pushes outstanding when its new primary came up.
     * @param firstAckMs  wall clock of the first new acknowledgement.
     * @return true if the outage is over with this report, and was not long enough to count.
     */
    boolean onServiceBack(final int slot, final int partition, final int unacknowledged, final long firstAckMs)
    {
        final int index = slot * partitionCount + partition;
        if (!isAway || partition % nodeCount != node() || firstAckMs < killedMs || reported[index])
        {
            return false;
        }

        reported[index] = true;
        outstandingNow += unacknowledged;
        noteAck(partition, unacknowledged > 0, firstAckMs);
        return isEverythingBack() && !endOutage();
    }

    int tries()
    {
        return tries;
    }

    boolean isAway()
    {
        return isAway;
    }

    /**
     * For each counted kill, the time from the kill until the last of the node's partitions acknowledged again.
     */
    List<Long> serviceGapsMs()
    {
        return List.copyOf(serviceGapsMs);
    }

    /**
     * For each counted kill, the pushes that were outstanding in its outage.
     */
    List<Integer> outstandingInOutage()
    {
        return List.copyOf(outstanding);
    }

    private When due(final long nowMs, final double shareDone, final boolean isAllHeld)
    {
        for (final When when : pending)
        {
            final boolean isDue = when.isTime() ?
                nowMs - beganMs >= when.afterMs() :
                isAllHeld || shareDone >= when.share();
            if (isDue)
            {
                return when;
            }
        }

        return null;
    }

    /**
     * The first acknowledgement of an outstanding push is the true end of a partition's outage; a worker that had none
     * only tells when it was welcomed, which counts if no worker had one.
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
        for (int partition = node(); partition < partitionCount; partition += nodeCount)
        {
            for (int slot = 0; slot < workerCount; slot++)
            {
                if (!reported[slot * partitionCount + partition])
                {
                    return false;
                }
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
        for (int partition = node(); partition < partitionCount; partition += nodeCount)
        {
            lastMs = Math.max(lastMs, ackMs[partition]);
        }
        serviceGapsMs.add(lastMs - killedMs);
        outstanding.add(outstandingNow);
        pending.remove(current);
        current = null;
        tries = 0;
        return true;
    }
}
