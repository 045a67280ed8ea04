// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.model.ModelRequests;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.OutageMeter;
import io.gradstream.worker.session.Outbound;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.RowCache;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.worker.session.SnapshotRequests;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.CloseHelper;

import java.util.function.Consumer;

/**
 * A worker's side of the protocol: one connection for each server, one session for each partition, the requests to
 * them, and the server that serves each partition.
 * <p>
 * Pure: bytes come and go through {@link Transport} and {@link CoordinatorChannel}, and time is an argument.
 */
public final class Client implements AutoCloseable
{
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final Tickets tickets;
    private final TableRequests tables;
    private final DescribeRequests descriptions;
    private final ModelRequests models;
    private final ModelRequests.Asker modelAsker;
    private final SnapshotRequests snapshots;
    private final DegradedWatch degraded;
    private final RoutingTable routes;
    private final Requests requests;
    private final Outages outages;
    private final ResponseDispatcher dispatcher;
    private final ResponseAdapter adapter;
    private final Transport transport;
    private final CoordinatorLink link;
    private final ReachReports reach;
    private final Outbound outbound;
    private final WorkerIdentity identity;
    private final Consumer<String> problemListener;
    private final boolean isBackup;
    private final boolean isSnapshotLevel;
    private boolean isWelcomed;
    private SessionFailure failure;
    private JobSpec job;

    /**
     * A client that is not connected yet.
     *
     * @param link to the coordinators, closed with the client.
     */
    public Client(
        final ClientSettings settings,
        final Transport transport,
        final CoordinatorLink link,
        final Wait wait,
        final long nowNs)
    {
        this.transport = transport;
        this.link = link;
        identity = settings.identity();
        link.jobId(identity.jobId());
        problemListener = settings.problemListener();
        isBackup = settings.identity().role().isBackup();
        isSnapshotLevel = AckLevel.SNAPSHOTTED == settings.ackLevel();
        tickets = new Tickets(settings.limits().maxTickets(), settings.latencyListener());
        sessions = new PartitionSession[settings.partitions()];
        pulls = new PullRequests[sessions.length];
        fillPartitions(settings);
        tables = new TableRequests(settings.identity(), settings.timing().retryNs());
        descriptions = new DescribeRequests(settings.identity(), settings.timing().retryNs());
        models = new ModelRequests(settings.identity(), settings.timing().retryNs());
        degraded = new DegradedWatch(sessions.length);
        snapshots = new SnapshotRequests(settings.identity(), sessions.length, nowNs);
        routes = new RoutingTable(sessions, new ServerConnection.Opener(settings, transport));
        outbound = routes::offer;
        requests = new Requests(settings, sessions, pulls, tickets, wait);
        outages = new Outages(
            sessions, pulls, routes, requests.iteration().room(), settings.limits().rowCacheBytesPerTable() > 0, nowNs);
        reach = settings.identity().slot() < 0 ? null : new ReachReports(link, routes, settings, nowNs);
        dispatcher = new ResponseDispatcher(
            settings.identity(), sessions, pulls, routes,
            new ResponseDispatcher.Questions(tables, descriptions, models), degraded, requests.cache());
        adapter = new ResponseAdapter(dispatcher);
        modelAsker = (partition, epoch, requestId, clock) ->
            routes.of(partition).publisher().takeModel(partition, epoch, requestId, clock);
    }

    /**
     * One duty cycle: take the messages that came, follow the coordinators, send the messages that are due. Then
     * {@link #failure()} says whether the client cannot go on.
     */
    public int doWork(final long nowNs)
    {
        dispatcher.nowNs(nowNs);
        int workCount = transport.poll(adapter);
        raiseIncarnation(nowNs);
        workCount += followCoordinators(nowNs);
        workCount += routes.doWork(nowNs);
        // before anything is sent, so that a server that comes back is not asked for rows that were answered without it
        workCount += outages.doWork(nowNs) + iteration().doWork(nowNs);
        for (int i = 0; i < sessions.length; i++)
        {
            workCount += send(sessions[i], pulls[i], nowNs);
        }

        return workCount + tables.send(sessions, routes, nowNs) + descriptions.send(sessions, routes, nowNs) +
            models.send(sessions, modelAsker, nowNs);
    }

    /**
     * A process that no partition has welcomed, and whose clock is behind, takes a number above all that it was told.
     */
    private void raiseIncarnation(final long nowNs)
    {
        long newest = 0;
        for (int i = 0; !isWelcomed && i < sessions.length; i++)
        {
            newest = Math.max(newest, sessions[i].fencedBy());
            isWelcomed = sessions[i].epoch() >= 0;
        }
        final long before = identity.incarnation();
        if (isWelcomed || 0 == newest || !identity.raiseAbove(newest))
        {
            return;
        }
        problemListener.accept("slot=" + identity.slot() + " has had a process with incarnation=" + newest +
            ", later than this host's clock: the clock was set back, or another host's is ahead. This process goes on" +
            " as incarnation=" + identity.incarnation() + " instead of " + before);
        for (final PartitionSession session : sessions)
        {
            session.beginAgain();
        }
        for (final ServerConnection connection : routes.all())
        {
            connection.onRenumbered(nowNs);
        }
    }

    private int followCoordinators(final long nowNs)
    {
        final int workCount = link.doWork(nowNs) + (null == reach ? 0 : reach.doWork(nowNs));
        final ClusterMap map = link.poll();
        final ClusterMap.Job ours = null == map ? null : map.job(identity.jobId());
        if (null != ours && map.isPlaced(ours))
        {
            routes.onMap(map.of(ours), nowNs);
            job = ours.spec();
            requests.cache().consistency(job.consistency());
        }
        else if (null != map && map.isDeleted(identity.jobId()))
        {
            failure = SessionFailure.jobDeleted(identity.jobId());
        }

        return workCount;
    }

    /**
     * True if the first partition has not taken this process for its slot yet. It decides for all: no other partition
     * is asked before, so that none gives a slot to a process which another refuses.
     */
    private boolean isUndecided()
    {
        return identity.slot() >= 0 && sessions[0].epoch() < 0;
    }

    private int send(final PartitionSession session, final PullRequests partitionPulls, final long nowNs)
    {
        if (session != sessions[0] && isUndecided())
        {
            return 0;
        }
        final int sent = session.send(outbound, nowNs);
        return sent + switch (session.state())
        {
            case ATTACHED -> partitionPulls.send(outbound, session.epoch(), nowNs) +
                (isSnapshotLevel ? snapshots.send(session, outbound, nowNs) : 0);
            case HALTED ->
            {
                failure = session.failure();
                yield 0;
            }
            case DETACHED, HELLO_SENT -> 0;
        };
    }

    /** Why the client cannot go on, or null if it can. */
    public SessionFailure failure()
    {
        return failure;
    }

    /** The job as the coordinators have named it last, or null if they have not since this client was made. */
    public JobSpec job()
    {
        return job;
    }

    /** The conversation with the coordinators. */
    public CoordinatorLink coordinators()
    {
        return link;
    }

    public int partitions()
    {
        return sessions.length;
    }

    public PartitionSession session(final int partition)
    {
        return sessions[partition];
    }

    public PullRequests pulls(final int partition)
    {
        return pulls[partition];
    }

    /** Pushes and pulls. */
    public Requests requests()
    {
        return requests;
    }

    /** The iterations of the slot. */
    public Iteration iteration()
    {
        return requests.iteration();
    }

    public Tickets tickets()
    {
        return tickets;
    }

    public TableRequests tables()
    {
        return tables;
    }

    /** Requests for descriptions of partitions. */
    public DescribeRequests descriptions()
    {
        return descriptions;
    }

    /** The export of a model. */
    public ModelRequests models()
    {
        return models;
    }

    public SnapshotRequests snapshots()
    {
        return snapshots;
    }

    /** Counts how long chains were short. */
    public DegradedWatch degraded()
    {
        return degraded;
    }

    /** Measures how long partitions were out of reach. */
    public OutageMeter outageMeter()
    {
        return outages.meter();
    }

    /** Bytes of keys that pushes and pulls did not carry, because servers had them. */
    public long keyBytesSaved()
    {
        return routes.keyBytesSaved();
    }

    /** Messages of unknown schema, version or kind that were ignored. */
    public long unknownMessages()
    {
        return adapter.unknownCount();
    }

    /**
     * The servers and partitions that are not connected or attached, and the requests that wait for them, for errors.
     */
    public String describe(final long nowNs)
    {
        int detached = 0;
        boolean isHolderAwaited = false;
        for (final PartitionSession session : sessions)
        {
            isHolderAwaited |= isBackup && session.epoch() < 0;
            detached += PartitionSession.State.ATTACHED == session.state() ? 0 : 1;
        }

        return routes.describe(nowNs) + "; " + detached + " of " + sessions.length + " partitions not attached" +
            (sessions.length > 1 && isUndecided() ?
            "; partition=0 decides first who has slot=" + identity.slot() : "") +
            (isHolderAwaited ? "; a backup waits for a holder of its slot that is backedUp: does it run?" : "") +
            outages.describe();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(routes.all());
        CloseHelper.close(link);
    }

    private void fillPartitions(final ClientSettings settings)
    {
        final ClientSettings.Limits limits = settings.limits();
        final RowCache cache =
            limits.rowCacheBytesPerTable() > 0 ? new RowCache(limits.rowCacheBytesPerTable()) : null;
        final Spool.Memory memory = new Spool.Memory(limits.spoolTotalBytes(), sessions.length);
        for (int i = 0; i < sessions.length; i++)
        {
            sessions[i] = new PartitionSession(
                i,
                settings.identity(),
                settings.ackLevel(),
                new Spool(limits.spoolBytesPerPartition(), limits.maxInFlight(), memory),
                tickets,
                settings.sessionTiming(),
                settings.outageListener());
            pulls[i] = new PullRequests(i, settings.identity(), limits.maxPullsPerPartition(), tickets,
                settings.sessionTiming(), cache);
        }
    }
}
