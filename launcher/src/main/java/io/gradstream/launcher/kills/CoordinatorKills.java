// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides when the leader of the coordinators is killed and when it is started again, and measures how long nobody led.
 * Pure: time and what is known of the coordinators come in, {@link Action}s come out.
 * <p>
 * The next kill waits until all coordinators run and one leads, and until the servers are whole. One kill is over when
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
     * What to do next.
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
     * What there is to decide by.
     *
     * @param nowMs                {@link io.gradstream.driver.client.HostClock#monotonicMs()}.
     * @param shareDone            batches done by all workers together, of those planned; 0 to 1.
     * @param isAllHeld            is every worker holding back its last batches?
     * @param areServersWhole      are all servers up, and has every partition all its copies?
     * @param areCoordinatorsWhole do all coordinators run, and does one lead?
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
     * No kill has happened yet.
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
     * Training began: times count from here. Only the first call counts.
     */
    public void onTrainingBegan(final long nowMs)
    {
        beganMs = NOT_BEGUN == beganMs ? nowMs : beganMs;
    }

    /**
     * Is the time of a kill here, whether or not it must wait? A kill of servers due at the same time waits with it.
     */
    public boolean isDue(final Moment moment)
    {
        return null != due(moment);
    }

    /** Decide. */
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
     * The leader is killed.
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
     * The servers that died together with the last one are to die again, for that kill did not count: so is the leader.
     */
    public void onRepeated()
    {
        pending.add(0, last);
    }

    /**
     * The killed one is started again.
     */
    public void onRestarted()
    {
        isDown = false;
    }

    /** Are all kills done, with a new leader after each, and do all coordinators run? */
    public boolean isDone()
    {
        return pending.isEmpty() && !isAway;
    }

    /** For each kill, from then until the next leader's term began; in their order. */
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
