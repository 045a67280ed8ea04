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
package io.gradstream.driver;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * How a thread waits for an answer of the others of an {@link IdleGroup}: it wakes them before each wait, since it may
 * have asked since.
 */
final class AwaitingIdleStrategy implements IdleStrategy
{
    private static final int MAX_YIELDS = 100;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = 1_000_000;

    private final IdleGroup group;
    private final IdleStrategy backoff = new BackoffIdleStrategy(0, MAX_YIELDS, MIN_PARK_NS, MAX_PARK_NS);

    AwaitingIdleStrategy(final IdleGroup group)
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
