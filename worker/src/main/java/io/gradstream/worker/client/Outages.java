// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.worker.session.OutageMeter;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;

/** Watches which partitions can be reached, and answers pulls from the rows last pulled while one cannot. */
final class Outages
{
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final RoutingTable routes;
    private final boolean isReadingCache;
    private final Room room;
    private final long[] heardNs;
    private final boolean[] isAway;
    private final OutageMeter meter;

    Outages(
        final PartitionSession[] sessions,
        final PullRequests[] pulls,
        final RoutingTable routes,
        final Room room,
        final boolean isReadingCache,
        final long nowNs)
    {
        this.sessions = sessions;
        this.pulls = pulls;
        this.routes = routes;
        this.room = room;
        this.isReadingCache = isReadingCache;
        isAway = new boolean[sessions.length];
        heardNs = new long[sessions.length];
        java.util.Arrays.fill(heardNs, nowNs);
        meter = new OutageMeter(nowNs);
    }

    OutageMeter meter()
    {
        return meter;
    }

    int doWork(final long nowNs)
    {
        int workCount = 0;
        boolean isOutage = false;
        boolean isWaitedFor = false;
        long oldestHeardNs = nowNs;
        for (int i = 0; i < sessions.length; i++)
        {
            isAway[i] = !isReachable(i, nowNs);
            if (!isAway[i])
            {
                heardNs[i] = routes.of(i).heardNs();
            }
            else if (sessions[i].epoch() < 0)
            {
                // a partition that never was attached is not yet connected, which is no outage
                heardNs[i] = nowNs;
            }
            else
            {
                isOutage = true;
                workCount += isReadingCache ? pulls[i].answerFromCache(nowNs) : 0;
                isWaitedFor |= pulls[i].outstanding() > 0 || room.isAwaitedOf(sessions[i]);
            }
            oldestHeardNs = Math.min(oldestHeardNs - nowNs, heardNs[i] - nowNs) + nowNs;
        }
        meter.onTick(isOutage, isWaitedFor, oldestHeardNs, nowNs);

        return workCount;
    }

    /** Which pulls wait since they name rows that were never pulled here, for errors. */
    String describe()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < sessions.length; i++)
        {
            if (isAway[i] && pulls[i].waitingForRows() > 0)
            {
                text.append("; partition=").append(i).append(" cannot be reached and ")
                    .append(pulls[i].waitingForRows())
                    .append(" pulls need rows that this process has never pulled");
            }
        }

        return text.toString();
    }

    private boolean isReachable(final int partition, final long nowNs)
    {
        final ServerConnection connection = routes.of(partition);
        return null != connection && !connection.isSilent(nowNs) &&
            PartitionSession.State.ATTACHED == sessions[partition].state();
    }
}
