// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.session.ReachWatch;
import io.gradstream.worker.session.WorkerIdentity;

/**
 * Tells the coordinator which servers this worker reaches, so that it can give a partition a head that workers reach.
 */
final class ReachReports
{
    private static final long LOOK_INTERVAL_NS = 10_000_000;

    private final CoordinatorLink link;
    private final RoutingTable routes;
    private final WorkerIdentity identity;
    private final ReachWatch watch;
    private long lookedNs;

    ReachReports(
        final CoordinatorLink link, final RoutingTable routes, final ClientSettings settings, final long nowNs)
    {
        this.link = link;
        this.routes = routes;
        identity = settings.identity();
        lookedNs = nowNs - LOOK_INTERVAL_NS;
        watch = new ReachWatch(
            settings.timing().timeoutNs() / 2, settings.timing().reportNs(), settings.timing().leastReportNs());
    }

    int doWork(final long nowNs)
    {
        if (nowNs - lookedNs < LOOK_INTERVAL_NS)
        {
            return 0;
        }
        lookedNs = nowNs;
        watch.onTick(nowNs);
        for (final ServerConnection connection : routes.all())
        {
            // a server that has no room for this worker serves others: nobody is to take its leads for that
            final boolean isReached = !connection.isSilent(nowNs) || connection.isRefused(nowNs);
            watch.onNode(connection.nodeId(), isReached, nowNs);
        }
        if (watch.isDue(nowNs) && link.reportReach(identity.slot(), identity.incarnation(), watch.nodes()))
        {
            watch.onReported(nowNs);
            return 1;
        }

        return 0;
    }
}
