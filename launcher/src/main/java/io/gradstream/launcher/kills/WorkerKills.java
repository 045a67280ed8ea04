// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.List;

/**
 * Decides when a worker is killed. A kill is over when the slot's next process has begun where the slot stands.
 */
final class WorkerKills extends KillSchedule
{
    private int victim;
    private int killed;
    private boolean hasBegun = true;

    WorkerKills(final List<KillOrder> kills, final long downMs)
    {
        super(kills, downMs);
    }

    @Override
    boolean isBack(final Moment moment, final boolean isWhole)
    {
        return !isDown() && hasBegun;
    }

    @Override
    void choose(final KillOrder order, final Moment moment)
    {
        if (order.number() >= moment.workers())
        {
            throw new IllegalStateException("worker " + order.number() + " cannot be killed, as it does not run yet:" +
                " kill it after it is added");
        }
        victim = KillOrder.NEXT == order.number() ? killed % moment.workers() : order.number();
    }

    /** Slot of the worker that is to be killed, or was killed last. */
    int victim()
    {
        return victim;
    }

    /**
     * Called when the worker was killed, or stands still.
     *
     * @param nowMs {@link io.gradstream.driver.client.HostClock#monotonicMs()} just before.
     */
    void onKilled(final long nowMs)
    {
        begin(nowMs);
        hasBegun = struck().isPause();
        killed++;
        complete();
    }

    /** Called when a process says where it begins in its slot. */
    void onBegun(final int slot)
    {
        hasBegun |= slot == victim && !isDown();
    }
}
