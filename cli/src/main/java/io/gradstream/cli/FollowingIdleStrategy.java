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

import org.agrona.concurrent.IdleStrategy;

/**
 * Idles as another strategy does, and looks each time for news from outside: a client that waits for an answer has no
 * other moment to hear of them on its own thread.
 */
public final class FollowingIdleStrategy implements IdleStrategy
{
    private final IdleStrategy delegate;
    private final Runnable news;

    /**
     * Idle as another, with an ear for news.
     *
     * @param delegate how to idle.
     * @param news     looks for news; called at each idle, on its thread.
     */
    public FollowingIdleStrategy(final IdleStrategy delegate, final Runnable news)
    {
        this.delegate = delegate;
        this.news = news;
    }

    @Override
    public void idle(final int workCount)
    {
        news.run();
        delegate.idle(workCount);
    }

    @Override
    public void idle()
    {
        news.run();
        delegate.idle();
    }

    @Override
    public void reset()
    {
        delegate.reset();
    }
}
