// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Waits for an answer of other threads of an {@link WakeupGroup}. It wakes them before each wait, since its thread may
 * have asked them something since the last one.
 */
final class AwaitingIdleStrategy implements IdleStrategy
{
    private static final int MAX_YIELDS = 100;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = 1_000_000;

    private final WakeupGroup group;
    private final IdleStrategy backoff = new BackoffIdleStrategy(0, MAX_YIELDS, MIN_PARK_NS, MAX_PARK_NS);

    AwaitingIdleStrategy(final WakeupGroup group)
    {
        this.group = group;
    }

    @Override
    public void idle(final int workCount)
    {
        group.onWork(null);
        backoff.idle(workCount);
    }

    @Override
    public void idle()
    {
        group.onWork(null);
        backoff.idle();
    }

    @Override
    public void reset()
    {
        backoff.reset();
    }
}
