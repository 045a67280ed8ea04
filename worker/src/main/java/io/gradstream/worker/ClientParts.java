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
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.ClientTimeoutException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.DriverTimeoutException;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.worker.session.DegradedWatch;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.RowCache;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.SnapshotRequests;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;

/**
 * What a client is made of: its Aeron client, one connection for each server, one session for each partition.
 */
final class ClientParts implements AutoCloseable
{
    static final String DRIVER_GONE =
        "the Aeron client is closed: is the media driver at %s running? Start it and make a new client";

    final PartitionSession[] sessions;
    final PullRequests[] pulls;
    final Routes routes;
    final DegradedWatch degraded;
    final SnapshotRequests snapshotRequests;
    final Tickets tickets;
    final TableRequests tables;
    final DescribeRequests descriptions;
    final ResponseAdapter adapter;

    private final ClientContext context;
    private final CoordinatorLink link;
    private final Aeron aeron;
    private final AgentInvoker conductor;
    private final Subscription subscription;
    private final Responses responses;
    private final ReachReports reach;

    ClientParts(final ClientContext context, final CoordinatorLink link)
    {
        this.context = context;
        this.link = link;
        aeron = null != context.aeron ? context.aeron :
            DriverConnection.open(context.aeronDirectoryName, context.errorHandler);
        conductor = aeron.conductorAgentInvoker();
        try
        {
            tickets = new Tickets(context.maxTickets, context.latencyListener);
            tables = new TableRequests(context.connectRetryNs);
            descriptions = new DescribeRequests(context.connectRetryNs);
            subscription = aeron.addSubscription(
                context.channels.responseChannel(context.channels.responseEndpoint),
                context.channels.responseStreamId, (image) -> {}, this::onGone);
            final String responseChannel = awaitResponseEndpoint();
            sessions = new PartitionSession[context.partitionMap.partitionCount()];
            pulls = new PullRequests[sessions.length];
            fillPartitions();
            routes = new Routes(context.partitionMap, sessions,
                (node) -> new ServerConnection(node, aeron, context, responseChannel));
            reach = null == link || context.slot < 0 ? null :
                new ReachReports(link, routes, identity(), context.serverTimeoutNs / 2);
            degraded = new DegradedWatch(sessions.length);
            snapshotRequests = new SnapshotRequests(identity(), sessions.length, System.nanoTime());
            responses = new Responses(
                identity(), sessions, pulls, routes, tables, descriptions, degraded);
            adapter = new ResponseAdapter(subscription, responses);
        }
        catch (final RuntimeException ex)
        {
            closeAeron();
            throw ex;
        }
    }

    int doWork(final long nowNs)
    {
        try
        {
            return doConnectedWork(nowNs);
        }
        catch (final DriverTimeoutException | ConductorServiceTimeoutException | ClientTimeoutException ex)
        {
            throw new GradstreamException(DRIVER_GONE.formatted(context.aeronDirectoryName), ex);
        }
    }

    private int doConnectedWork(final long nowNs)
    {
        if (aeron.isClosed())
        {
            throw new GradstreamException(DRIVER_GONE.formatted(context.aeronDirectoryName));
        }
        int workCount = null != conductor ? conductor.invoke() : 0;
        responses.nowNs(nowNs);
        workCount += null == link ? 0 : followCoordinator(nowNs);
        workCount += adapter.poll();
        for (final ServerConnection connection : routes.all())
        {
            workCount += connection.doWork(nowNs);
        }

        return workCount;
    }

    private int followCoordinator(final long nowNs)
    {
        final int workCount = link.doWork(nowNs) + (null == reach ? 0 : reach.doWork(nowNs));
        final ClusterMap map = link.poll();
        if (null != map)
        {
            routes.onMap(map, nowNs);
        }

        return workCount;
    }

    private void onGone(final Image image)
    {
        if (null != adapter)
        {
            adapter.onSessionGone(image.sessionId());
        }
    }

    /** What is not connected or attached, for errors. */
    String describe()
    {
        final StringBuilder text = new StringBuilder();
        for (final ServerConnection connection : routes.all())
        {
            if (ServerConnection.State.CONNECTED != connection.state())
            {
                text.append("; ").append(connection.describe(System.nanoTime()));
            }
        }
        int detached = 0;
        for (final PartitionSession session : sessions)
        {
            detached += PartitionSession.State.ATTACHED == session.state() ? 0 : 1;
        }

        return text + "; " + detached + " of " + sessions.length + " partitions not attached";
    }

    static GradstreamException exceptionOf(final SessionFailure failure)
    {
        return switch (failure.kind())
        {
            case PUSHES_LOST -> new PushesLostException(failure.detail());
            case FENCED -> new SlotFencedException(failure.detail());
            case REJECTED -> new GradstreamException(failure.detail());
        };
    }

    public void close()
    {
        if (!aeron.isClosed())
        {
            CloseHelper.closeAll(routes.all());
            CloseHelper.close(link);
            CloseHelper.close(subscription);
        }
        closeAeron();
    }

    private void closeAeron()
    {
        if (aeron != context.aeron || context.ownsAeron)
        {
            CloseHelper.close(aeron);
        }
    }

    private String awaitResponseEndpoint()
    {
        final long deadlineNs = System.nanoTime() + context.operationTimeoutNs;
        String channel = subscription.tryResolveChannelEndpointPort();
        while (null == channel)
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new OperationTimeoutException(
                    "responseEndpoint=" + context.channels.responseEndpoint + " was not opened: is the port free?");
            }
            context.idleStrategy.idle(null != conductor ? conductor.invoke() : 0);
            channel = subscription.tryResolveChannelEndpointPort();
        }

        return channel;
    }

    private WorkerIdentity identity()
    {
        return new WorkerIdentity(context.jobId, context.slot, context.incarnation);
    }

    private void fillPartitions()
    {
        final WorkerIdentity identity = identity();
        final RowCache cache = context.isOutageReading ?
            new RowCache(context.rowCacheBytesPerTable) : null;
        final SessionTiming timing = new SessionTiming(
            context.connectRetryNs, context.busyRetryNs, context.stallNs);
        for (int i = 0; i < sessions.length; i++)
        {
            sessions[i] = new PartitionSession(
                i,
                identity,
                context.ackLevel,
                new Spool(context.spoolBytesPerPartition, context.maxInFlight),
                tickets,
                timing,
                context.outageListener);
            pulls[i] = new PullRequests(i, identity, context.maxPullsPerPartition, tickets, timing, cache);
        }
    }
}
