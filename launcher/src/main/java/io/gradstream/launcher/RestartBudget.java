// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Limits how often a part that ended by itself is started again within ten minutes. */
public final class RestartBudget
{
    /** Time over which restarts are counted. */
    public static final long WINDOW_NS = TimeUnit.MINUTES.toNanos(10);

    private final int most;
    private final Map<String, Deque<Long>> restarts = new HashMap<>();

    /** An unused budget of so many restarts of each part within {@link #WINDOW_NS}; 0 for none. */
    public RestartBudget(final int most)
    {
        this.most = most;
    }

    /**
     * Count one more restart, if it is allowed.
     *
     * @param part that has ended.
     * @return number of this restart within the window, from 1; 0 if it is not allowed.
     */
    public int take(final String part, final long nowNs)
    {
        final Deque<Long> ofPart = restarts.computeIfAbsent(part, (ignore) -> new ArrayDeque<>());
        while (!ofPart.isEmpty() && nowNs - ofPart.peek() > WINDOW_NS)
        {
            ofPart.remove();
        }
        if (ofPart.size() >= most)
        {
            return 0;
        }
        ofPart.add(nowNs);

        return ofPart.size();
    }

    /** Most restarts of each part within ten minutes. */
    public int most()
    {
        return most;
    }
}
