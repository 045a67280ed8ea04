// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides when the leader of the coordinators is killed and when it is started again, and measures how long there was
 * no leader. Pure: time and the state of the coordinators come in, {@link Action}s come out.
 * <p>
 * The next kill waits until all coordinators run and one leads, and until the servers are whole. A kill is over when
 * there was a new leader and all coordinators run again.
 */
public final class CoordinatorKills
{
    /** Longest time that a leader, or a coordinator, may stay away once the killed one is started again. */
    public static final long MAX_AWAY_MS = 120_000;

    private static final long NOT_BEGUN = -1;
    private static final long NOT_WAITING = -1;

    private final List<KillTime> pending;
    private final long downMs;
    private final List<Long> gapsMs = new ArrayList<>();
    private KillTime last;
    private long beganMs = NOT_BEGUN;
    private long waitingSinceMs = NOT_WAITING;
    private long killedMs;
    private long killedTerm;
    private boolean isDown;
    private boolean isLeaderless;
    private boolean isAway;

    /**
     * The next step.
     */
    public enum Action
    {
        /** Nothing now. */
        NONE,
        /** Kill the leader and call {@link #onKilled(long, long)}. */
        KILL,
        /** Start the killed one again and call {@link #onRestarted()}. */
        RESTART,
        /** No new leader was found, or the killed one was not ready again, in time. */
        FAIL_AWAY,
        /** A kill is due, but servers or coordinators did not become whole in time. */
        FAIL_NOT_WHOLE
    }

    /**
     * The facts by which a step is decided.
     *
     * @param nowMs                {@link io.gradstream.driver.client.HostClock#monotonicMs()}.
     * @param shareDone            batches done by all workers together, of those planned; 0 to 1.
     * @param isAllHeld            true if every worker holds back its last batches.
     * @param areServersWhole      true if all servers are up and every partition has all its copies.
     * @param areCoordinatorsWhole true if all coordinators run and one leads.
     * @param term                 of the newest leader; grows with each.
     * @param termBeganMs          when it began, by the same clock.
     */
    public record Moment(
        long nowMs,
        double shareDone,
        boolean isAllHeld,
        boolean areServersWhole,
        boolean areCoordinatorsWhole,
        long term,
        long termBeganMs)
    {
    }

    /**
     * A schedule of which no kill has happened yet.
     *
     * @param kills  times at which the leader is killed.
     * @param downMs how long each killed coordinator stays away.
     */
    public CoordinatorKills(final List<KillTime> kills, final long downMs)
    {
        pending = new ArrayList<>(kills);
        this.downMs = downMs;
    }

    /**
     * Called when training began: times count from then. Only the first call counts.
     */
    public void onTrainingBegan(final long nowMs)
    {
        beganMs = NOT_BEGUN == beganMs ? nowMs : beganMs;
    }

    /**
     * True if the time of a kill has come, whether or not the kill must wait. A kill of servers that is due at the same
     * time waits with it.
     */
    public boolean isDue(final Moment moment)
    {
        return null != due(moment);
    }

    /** Decide the next step. */
    public Action poll(final Moment moment)
    {
        if (isLeaderless && moment.term > killedTerm)
        {
            isLeaderless = false;
            gapsMs.add(Math.max(0, moment.termBeganMs - killedMs));
        }
        if (isDown && moment.nowMs - killedMs >= downMs)
        {
            return Action.RESTART;
        }
        isAway = isAway && (isDown || isLeaderless || !moment.areCoordinatorsWhole);
        if (isAway)
        {
            return moment.nowMs - killedMs > downMs + MAX_AWAY_MS ? Action.FAIL_AWAY : Action.NONE;
        }

        return isDue(moment) ? pollDue(moment) : Action.NONE;
    }

    /**
     * Called when the leader was killed.
     *
     * @param nowMs {@link io.gradstream.driver.client.HostClock#monotonicMs()} just before.
     * @param term  in which it led.
     */
    public void onKilled(final long nowMs, final long term)
    {
        isAway = true;
        isDown = true;
        isLeaderless = true;
        killedMs = nowMs;
        killedTerm = term;
        waitingSinceMs = NOT_WAITING;
        pending.remove(last);
    }

    /**
     * Called when the kill of servers that went with the last kill of the leader did not count, and is repeated: then
     * the leader is killed again, too.
     */
    public void onRepeated()
    {
        pending.add(0, last);
    }

    /**
     * Called when the killed coordinator was started again.
     */
    public void onRestarted()
    {
        isDown = false;
    }

    /** True if all kills are done, there was a new leader after each, and all coordinators run. */
    public boolean isDone()
    {
        return pending.isEmpty() && !isAway;
    }

    /** For each kill, in order, the time from the kill until the next leader's term began. */
    public List<Long> gapsMs()
    {
        return List.copyOf(gapsMs);
    }

    private Action pollDue(final Moment moment)
    {
        if (!moment.areServersWhole || !moment.areCoordinatorsWhole)
        {
            waitingSinceMs = NOT_WAITING == waitingSinceMs ? moment.nowMs : waitingSinceMs;
            return moment.nowMs - waitingSinceMs > downMs + MAX_AWAY_MS ? Action.FAIL_NOT_WHOLE : Action.NONE;
        }

        last = due(moment);
        return Action.KILL;
    }

    private KillTime due(final Moment moment)
    {
        if (NOT_BEGUN != beganMs)
        {
            for (final KillTime when : pending)
            {
                if (when.isDue(moment.nowMs - beganMs, moment.shareDone, moment.isAllHeld))
                {
                    return when;
                }
            }
        }

        return null;
    }
}
