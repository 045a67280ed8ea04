// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides when processes of one kind are killed and when they are started again. Pure: time and the state of the
 * cluster come in, {@link Action}s come out. The next kill waits until the one before is over and the cluster is whole.
 */
abstract class KillSchedule
{
    /** Longest time that service may stay away once the killed processes are started again. */
    static final long MAX_AWAY_MS = 120_000;
    /** Longest time until all is whole again after a fault that was drawn: under full load copies take minutes. */
    static final long MAX_AWAY_DRAWN_MS = 600_000;

    private static final long NOT_BEGUN = -1;
    private static final long NOT_WAITING = -1;

    private final List<KillOrder> pending;
    private final long downMs;
    private long beganMs = NOT_BEGUN;
    private long waitingSinceMs = NOT_WAITING;
    private long killedMs;
    private boolean isDown;
    private boolean isAway;
    private KillOrder current;
    /** The kill whose processes are away, or were last. */
    private KillOrder struck;

    /** The next step. */
    enum Action
    {
        /** Nothing now. */
        NONE,
        /** Kill the processes. */
        KILL,
        /** Start the killed processes again and call {@link #onRestarted()}. */
        RESTART,
        /** Service did not come back in time. */
        FAIL_AWAY,
        /** A kill is due, but the cluster did not become whole in time. */
        FAIL_NOT_WHOLE,
        /** No attempt at a kill met a push in flight. */
        FAIL_NOT_COUNTED
    }

    /** A schedule of which no kill has happened yet; killed processes stay away for {@code downMs}. */
    KillSchedule(final List<KillOrder> kills, final long downMs)
    {
        pending = new ArrayList<>(kills);
        this.downMs = downMs;
    }

    /** Called when training began: times count from then. Only the first call counts. */
    final void onTrainingBegan(final long nowMs)
    {
        beganMs = NOT_BEGUN == beganMs ? nowMs : beganMs;
    }

    /** True if the time of a kill has come, whether or not the kill must wait. */
    final boolean isDue(final Moment moment)
    {
        return null != current || null != due(moment);
    }

    /** Decide the next step; the next kill may be only if the cluster is whole. */
    Action poll(final Moment moment, final boolean isWhole)
    {
        if (isDown && moment.nowMs() - killedMs >= downMs())
        {
            return Action.RESTART;
        }
        isAway = isAway && !isBack(moment, isWhole);
        if (isAway)
        {
            return moment.nowMs() - killedMs > downMs() + maxAwayMs(struck) ? Action.FAIL_AWAY : Action.NONE;
        }
        current = null == current ? due(moment) : current;
        if (null == current)
        {
            return Action.NONE;
        }
        if (isDown || !isWhole)
        {
            waitingSinceMs = NOT_WAITING == waitingSinceMs ? moment.nowMs() : waitingSinceMs;
            return moment.nowMs() - waitingSinceMs > downMs + maxAwayMs(current) ? Action.FAIL_NOT_WHOLE : Action.NONE;
        }
        choose(current, moment);

        return Action.KILL;
    }

    /** Add a fault that was drawn, which is due at once. */
    final void add(final KillOrder order)
    {
        pending.add(order);
    }

    /** The kill that is due, or that is not complete. */
    final KillOrder current()
    {
        return current;
    }

    /** The kill whose processes are away, or were last. */
    final KillOrder struck()
    {
        return struck;
    }

    /** The longest time, for people, until service is back after a kill, or until a kill may be. */
    final long awaySeconds()
    {
        return maxAwayMs(null == current ? struck : current) / 1000;
    }

    private long downMs()
    {
        return null != struck && struck.isPause() ? struck.pauseMs() : downMs;
    }

    private static long maxAwayMs(final KillOrder order)
    {
        return order.isDrawn() ? MAX_AWAY_DRAWN_MS : MAX_AWAY_MS;
    }

    /** True if the last kill is over with this moment. */
    abstract boolean isBack(Moment moment, boolean isWhole);

    /** Choose the processes that are killed now. */
    abstract void choose(KillOrder order, Moment moment);

    /** Called when the killed processes were started again. */
    final void onRestarted()
    {
        isDown = false;
    }

    /** Kills of another kind are under way: the time for which a kill that is due waits counts from their end. */
    final void waitForOthers()
    {
        waitingSinceMs = NOT_WAITING;
    }

    /** True if all kills are done, and the last one is over. */
    final boolean isDone()
    {
        return pending.isEmpty() && !isAway;
    }

    /** True while service is away after a kill. */
    final boolean isAway()
    {
        return isAway;
    }

    final boolean isDown()
    {
        return isDown;
    }

    final long killedMs()
    {
        return killedMs;
    }

    /** The processes were killed. */
    final void begin(final long nowMs)
    {
        isAway = true;
        isDown = true;
        struck = current;
        killedMs = nowMs;
        waitingSinceMs = NOT_WAITING;
    }

    /** The last kill is over, whether or not it counts. */
    final void end()
    {
        isAway = false;
    }

    /** The present kill, which is returned, needs no repetition. */
    final KillOrder complete()
    {
        final KillOrder completed = current;
        pending.remove(completed);
        current = null;
        return completed;
    }

    /** A kill that was complete is to be done again. */
    final void repeat(final KillOrder order)
    {
        pending.add(0, order);
    }

    private KillOrder due(final Moment moment)
    {
        return NOT_BEGUN == beganMs ? null : pending.stream()
            .filter((order) -> order.when().isDue(moment.nowMs() - beganMs, moment.shareDone(), moment.isAllHeld()))
            .findFirst().orElse(null);
    }
}
