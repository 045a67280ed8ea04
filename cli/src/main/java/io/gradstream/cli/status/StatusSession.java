// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.gradstream.cli.options.ClusterAccess.Connection;
import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.cli.status.ClusterWatch.LocalServers;
import io.gradstream.console.ClusterState;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClusterDescription;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.CoordinatorStatus;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.GradstreamException;
import org.agrona.CloseHelper;

/**
 * Asks the coordinators for their status, again and again, over a media driver of its own or one that runs. For one
 * thread.
 */
final class StatusSession implements AutoCloseable
{
    /** Time without an answer after which coordinators count as absent: they elect a leader in less. */
    static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    /** Time after which a partition whose primary has not described its content is shown without. */
    static final long DESCRIBE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    /** Time after which a question whose answer was lost is asked again. */
    private static final long ASK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PARK_NS = 1_000_000;

    private final List<String> coordinators;
    private final String jobName;
    private final BooleanSupplier isStopped;
    private final Connection connection;
    private CoordinatorLink link;
    private GradstreamClient observer;
    private ClusterMap map;
    private CoordinatorStatus status;
    private ClusterState state;
    private Throwable lastError;
    private boolean isUnreachable;

    private StatusSession(final ClusterAccess access, final BooleanSupplier isStopped)
    {
        coordinators = access.coordinators();
        jobName = access.job();
        this.isStopped = isStopped;
        connection = access.open((error) -> lastError = error);
    }

    /**
     * Start a driver if there is none, and a client; the coordinators are found with the first sample.
     *
     * @param isStopped true from when the user wants to stop.
     */
    static StatusSession open(final ClusterAccess access, final BooleanSupplier isStopped)
    {
        final StatusSession session = new StatusSession(access, isStopped);
        try
        {
            session.link = ClusterChannel.link(session.connection.aeron(), session.coordinators,
                session.connection.address(), (error) -> session.lastError = error);
            return session;
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(session);
            throw ex;
        }
    }

    /**
     * Ask, and wait for the answer.
     *
     * @param servers of this host, whose counters are read.
     * @param earlier state, for rates; null for the first one.
     * @return the state of the cluster, or null if stopped meanwhile.
     * @throws IllegalStateException if no answer comes in {@link #ANSWER_TIMEOUT_NS}.
     */
    ClusterState look(final LocalServers servers, final ClusterState earlier)
    {
        status = null;
        state = !await(() -> null != status && null != map && map.version() >= status.mapVersion(),
            this::requestStatus) ? null : new StateReader(
            map, named(), status, link.pollWorkStatus(), servers.counters(), servers.isAlive())
            .state(coordinators, System.currentTimeMillis(), earlier);

        return state;
    }

    /** The state that was looked at last. */
    ClusterState state()
    {
        return state;
    }

    /** Ask for the status of the job once its number is known; false if not now. */
    private boolean requestStatus()
    {
        if (null == map)
        {
            return false;
        }
        final ClusterMap.Job job = map.job(jobName);
        link.jobId(null == job ? ClusterMap.Job.FIRST_ID : job.id());

        return link.requestStatus();
    }

    /** The job that the user named, or null if no job is defined yet. */
    private ClusterMap.Job named()
    {
        final ClusterMap.Job job = map.job(jobName);
        if (null == job && !map.jobs().isEmpty())
        {
            throw new UsageException("no job=" + jobName + ": the cluster has " +
                map.jobs().stream().map(ClusterMap.Job::name).toList() + "; create it with 'job create " + jobName +
                "'");
        }

        return job;
    }

    /** The jobs of the newest map. */
    List<ClusterMap.Job> jobs()
    {
        return map.jobs();
    }

    /** The newest map. */
    ClusterMap map()
    {
        return map;
    }

    /**
     * Add a job, and wait until it is there and placed.
     *
     * @return false if stopped meanwhile.
     * @throws IllegalStateException if it is not in {@link #ANSWER_TIMEOUT_NS}.
     */
    boolean createJob(final String name, final JobSpec job)
    {
        final long clusterId = map.clusterId();
        try
        {
            return await(() -> null != map.job(name) && map.isPlaced(map.job(name)),
                () -> null != map.job(name) || link.createJob(clusterId, name, job));
        }
        catch (final IllegalStateException ex)
        {
            throw new IllegalStateException(null != map.job(name) ? "the job " + name + " is there, and not placed:" +
                " it waits for " + job.copies() + " servers that are heard and not drained" :
                "the coordinators have not taken the job " + name + ": " + ex.getMessage() + ". They refuse a job for" +
                " which there is no room, and say so in their own output", ex);
        }
    }

    /**
     * Delete a job, and wait until the coordinators have decided so.
     *
     * @return false if stopped meanwhile.
     * @throws IllegalStateException if they do not in {@link #ANSWER_TIMEOUT_NS}.
     */
    boolean deleteJob(final int jobId)
    {
        final long clusterId = map.clusterId();
        return await(() -> null == map.job(jobId), () -> link.deleteJob(clusterId, jobId));
    }

    /**
     * Bind the job's slots otherwise, and wait until the coordinators have decided so.
     *
     * @return false if stopped meanwhile.
     * @throws IllegalStateException if they do not in {@link #ANSWER_TIMEOUT_NS}.
     */
    boolean setConsistency(final Consistency consistency)
    {
        final long clusterId = map.clusterId();
        link.jobId(named().id());
        return await(() -> consistency.equals(job().consistency()),
            () -> link.setConsistency(clusterId, consistency));
    }

    /**
     * Limit the job otherwise, and wait until the coordinators have decided so.
     *
     * @return false if stopped meanwhile.
     * @throws IllegalStateException if they do not in {@link #ANSWER_TIMEOUT_NS}.
     */
    boolean setLimits(final JobSpec.Limits limits)
    {
        final long clusterId = map.clusterId();
        link.jobId(named().id());
        return await(() -> limits.equals(job().limits()), () -> link.setLimits(clusterId, limits));
    }

    /**
     * Leave a server without places, or let it have some again, and wait until the coordinators have decided so.
     *
     * @return false if stopped meanwhile.
     * @throws IllegalStateException if they do not in {@link #ANSWER_TIMEOUT_NS}.
     */
    boolean drain(final int node, final boolean isDraining)
    {
        final long clusterId = map.clusterId();
        status = null;
        try
        {
            return await(() -> null != status && isDraining == status.draining().contains(node),
                () -> link.drain(clusterId, node, isDraining) && link.requestStatus());
        }
        catch (final IllegalStateException ex)
        {
            throw null == status ? ex : new IllegalStateException("the coordinators refuse to drain server " + node +
                ": too few others would be left that are not drained. 'status' shows which are", ex);
        }
    }

    /** The job of the newest map, or null if there is none. */
    JobSpec job()
    {
        return null == named() ? null : named().spec();
    }

    /** Works until something is true, and asks for it again and again; false if stopped meanwhile. */
    private boolean await(final BooleanSupplier isDone, final BooleanSupplier ask)
    {
        final long startNs = System.nanoTime();
        long askedNs = startNs - ASK_INTERVAL_NS;
        while (!isDone.getAsBoolean())
        {
            final long nowNs = System.nanoTime();
            if (isStopped.getAsBoolean())
            {
                return false;
            }
            if (nowNs - startNs >= ANSWER_TIMEOUT_NS)
            {
                throw new IllegalStateException(unanswered());
            }
            doWork(nowNs);
            if (nowNs - askedNs >= ASK_INTERVAL_NS && ask.getAsBoolean())
            {
                askedNs = nowNs;
            }
            LockSupport.parkNanos(PARK_NS);
        }

        return true;
    }

    /**
     * Ask primaries which tables and slots there are; partitions that do not answer are left out.
     *
     * @return the same state with what they know.
     */
    ClusterState describe(final ClusterState state)
    {
        return state.placed() ? ContentReader.add(state, job().consistency(), describe(), true) : state;
    }

    /**
     * Ask primaries how far slots are, as {@link #describe}. The rest of the status stands without it: where no
     * observer gets through from here, none is tried again.
     *
     * @return the same state with the stragglers, if primaries can be asked.
     */
    ClusterState askStragglers(final ClusterState state)
    {
        try
        {
            return isUnreachable ? state :
                ContentReader.add(state, job().consistency(), describe(), false);
        }
        catch (final GradstreamException ex)
        {
            lastError = ex;
            isUnreachable = true;
            return state;
        }
    }

    private ClusterDescription describe()
    {
        if (null == observer)
        {
            // a fixed port is taken by the session with the coordinators
            observer = GradstreamClient.connect(connection.client(ClientContext.OBSERVER)
                .coordinatorResponseEndpoint(connection.anyPort())
                .operationTimeoutNs(ANSWER_TIMEOUT_NS)
                .errorHandler((error) -> lastError = error));
        }

        return observer.describe(DESCRIBE_TIMEOUT_NS);
    }

    /**
     * Keep the session alive until a time, or until stopped.
     *
     * @param deadlineNs of {@link System#nanoTime()}.
     */
    void idleUntil(final long deadlineNs)
    {
        long nowNs = System.nanoTime();
        while (nowNs - deadlineNs < 0 && !isStopped.getAsBoolean())
        {
            doWork(nowNs);
            LockSupport.parkNanos(PARK_NS);
            nowNs = System.nanoTime();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(observer, link, connection);
    }

    private void doWork(final long nowNs)
    {
        connection.aeron().poll();
        link.doWork(nowNs);
        final ClusterMap newest = link.poll();
        map = null == newest ? map : newest;
        final CoordinatorStatus answer = link.pollStatus();
        status = null == answer ? status : answer;
        if (null != observer)
        {
            observer.poll();
        }
    }

    private String unanswered()
    {
        final long seconds = TimeUnit.NANOSECONDS.toSeconds(ANSWER_TIMEOUT_NS);
        return "no coordinator of " + String.join(",", coordinators) + " answers within " + seconds + " s: " +
            link + (null == lastError ? "" : " (" + Failures.oneLine(lastError) + ")") +
            "; start one, or two of three, and name them as their --members does";
    }
}
