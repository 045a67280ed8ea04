// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides when the leader of the coordinators is killed, and measures how long there was no leader. A kill is over when
 * there was a new leader and all coordinators run again.
 */
final class CoordinatorKills extends KillSchedule
{
    private final List<Long> gapsMs = new ArrayList<>();
    private long killedTerm;
    private boolean isLeaderless;

    CoordinatorKills(final List<KillOrder> kills, final long downMs)
    {
        super(kills, downMs);
    }

    @Override
    boolean isBack(final Moment moment, final boolean isWhole)
    {
        if (isLeaderless && moment.term() > killedTerm)
        {
            isLeaderless = false;
            gapsMs.add(Math.max(0, moment.termBeganMs() - killedMs()));
        }

        return !isDown() && !isLeaderless && moment.areCoordinatorsWhole();
    }

    @Override
    void choose(final KillOrder order, final Moment moment)
    {
        killedTerm = moment.term();
    }

    /**
     * Called when the leader was killed, or stands still.
     *
     * @param nowMs {@link io.gradstream.driver.client.HostClock#monotonicMs()} just before.
     */
    void onKilled(final long nowMs)
    {
        begin(nowMs);
        isLeaderless = !complete().isPause();
    }

    /**
     * Called when the kill of servers that went with the last kill of the leader did not count, and is repeated: then
     * the leader is killed again, too.
     */
    void onRepeated()
    {
        repeat(struck());
    }

    /** For each kill, in order, the time from the kill until the next leader's term began. */
    List<Long> gapsMs()
    {
        return List.copyOf(gapsMs);
    }
}
