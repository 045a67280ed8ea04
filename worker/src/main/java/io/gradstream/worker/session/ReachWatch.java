// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import java.util.Map;
import java.util.TreeMap;

/**
 * Judges which nodes a worker reaches, and when the coordinator must hear of it.
 * <p>
 * The worker misses a node after it has not reached the node for the limit, unless this process itself stood still
 * meanwhile.
 */
public final class ReachWatch
{
    /** Interval after which the coordinator is told again. */
    public static final long REPORT_INTERVAL_NS = 1_000_000_000;
    /** Least interval between reports: a change is reported at once, but no more often than this. */
    public static final long LEAST_INTERVAL_NS = 200_000_000;

    /** Limits after which a node that was never reached is missed: to connect takes time. */
    static final int FIRST_LIMITS = 5;

    private final long limitNs;
    private final long intervalNs;
    private final long leastIntervalNs;
    private final TreeMap<Integer, Node> nodes = new TreeMap<>();
    private boolean hasTicked;
    private boolean hasReported;
    private boolean isChanged;
    private long tickNs;
    private long reportedNs;

    /** The time when a node was reached last, and the state that was reported of it. */
    private static final class Node
    {
        private long reachedNs;
        private boolean isReached = true;
        /** True if it was reached once, or tried for long. It is not reported before. */
        private boolean isKnown;
    }

    /** A watch that knows no node yet, and misses one that is not reached for the limit. */
    public ReachWatch(final long limitNs, final long intervalNs, final long leastIntervalNs)
    {
        this.limitNs = limitNs;
        this.intervalNs = intervalNs;
        this.leastIntervalNs = leastIntervalNs;
    }

    /**
     * A duty cycle begins. A process that stood still for long has missed messages meanwhile: all nodes get their time
     * again.
     */
    public void onTick(final long nowNs)
    {
        if (hasTicked && nowNs - tickNs >= limitNs / 2)
        {
            nodes.values().forEach((node) -> node.reachedNs = nowNs);
        }
        hasTicked = true;
        tickNs = nowNs;
    }

    public void onNode(final int nodeId, final boolean isReached, final long nowNs)
    {
        final Node known = nodes.get(nodeId);
        final Node node = null == known ? new Node() : known;
        if (null == known)
        {
            nodes.put(nodeId, node);
        }
        if (isReached || null == known)
        {
            node.reachedNs = nowNs;
        }
        final boolean wasKnown = node.isKnown;
        node.isKnown |= isReached;
        final boolean isReachedNow = nowNs - node.reachedNs < (node.isKnown ? limitNs : FIRST_LIMITS * limitNs);
        node.isKnown |= !isReachedNow;
        isChanged |= isReachedNow != node.isReached || wasKnown != node.isKnown;
        node.isReached = isReachedNow;
    }

    public boolean isDue(final long nowNs)
    {
        return !nodes.isEmpty() &&
            (!hasReported || nowNs - reportedNs >= (isChanged ? leastIntervalNs : intervalNs));
    }

    public void onReported(final long nowNs)
    {
        hasReported = true;
        isChanged = false;
        reportedNs = nowNs;
    }

    /**
     * The nodes to report.
     *
     * @return whether each node is reached, by node id; without nodes that may not have had time to connect yet.
     */
    public Map<Integer, Boolean> nodes()
    {
        final Map<Integer, Boolean> reached = new TreeMap<>();
        nodes.forEach((id, node) ->
        {
            if (node.isKnown)
            {
                reached.put(id, node.isReached);
            }
        });
        return reached;
    }
}
