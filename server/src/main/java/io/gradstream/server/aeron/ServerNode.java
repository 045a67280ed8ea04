// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.client.SystemProperty;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.server.node.NodeCounters;
import io.gradstream.server.share.ConnectionLimit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One server process's share of a job: the partitions of one node, with their own media driver and Archive or with
 * those of the host. It recovers by itself from what its directory holds; when driver or Archive die, it ends.
 */
public final class ServerNode implements AutoCloseable
{
    private static final int IDLE_MS = 1;

    private final Context ctx;
    private final NodeCounters counters = new NodeCounters();
    private HostDriver host;
    private NodeAgent agent;
    private AutoCloseable running;
    private boolean isClosed;

    private ServerNode(final Context ctx)
    {
        this.ctx = ctx;
    }

    /**
     * Start a node; it serves once its partitions have recovered: see {@link #awaitServing}.
     *
     * @param ctx settings; concluded here.
     * @return the node.
     * @throws IllegalArgumentException                     if a setting is wrong.
     * @throws io.gradstream.driver.client.HostDriverException if driver or Archive cannot start.
     */
    public static ServerNode launch(final Context ctx)
    {
        final ServerNode node = new ServerNode(ctx.conclude());
        try
        {
            node.start();
        }
        catch (final RuntimeException | Error ex)
        {
            CloseHelper.quietClose(node);
            throw ex;
        }

        return node;
    }

    /**
     * True if each of its copies is in sync, as primary or standby, or the coordinator no longer wants that copy.
     * Another server may then be stopped without losing the last copy.
     */
    public boolean isServing()
    {
        return agent.isServing();
    }

    /** The reason why it is not {@link #isServing()}: one line, at most about a second old. */
    public String waitingFor()
    {
        return agent.waitingFor();
    }

    /**
     * True if it has ended by itself. It must then be closed and started again.
     *
     * @return true if it has ended; {@link #failure()} says why.
     */
    public boolean isTerminated()
    {
        return null != agent.failure();
    }

    /**
     * Why it ended by itself.
     *
     * @return the failure, or null; a {@link HostDriverException} if there is no room left for recordings.
     */
    public Throwable failure()
    {
        final Throwable failure = agent.failure();
        try
        {
            if (null != failure && null != host)
            {
                host.checkSpaceToRecord();
            }
        }
        catch (final HostDriverException noRoom)
        {
            return new HostDriverException(noRoom.reason(), noRoom.getMessage(), failure);
        }

        return failure;
    }

    /**
     * True if it ended by itself because it lost its media driver or Archive, or because they gave it up, as after it
     * stood still. The data that it holds may then be sound. May become true a moment after the end.
     */
    public boolean isDriverLost()
    {
        return agent.hasLostClient() || null != host && host.isTerminated();
    }

    /** The Aeron directory in which clients on this host find the media driver. */
    public String aeronDirectoryName()
    {
        return null == host ? ctx.aeronDirectoryName : host.aeronDirectoryName();
    }

    /**
     * Wait until it serves.
     *
     * @param timeoutNs longest wait in nanoseconds.
     * @return false if it does not serve by then, or has ended.
     */
    public boolean awaitServing(final long timeoutNs)
    {
        final SleepingMillisIdleStrategy idleStrategy = new SleepingMillisIdleStrategy(IDLE_MS);
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (!isServing() && !isTerminated() && System.nanoTime() - deadlineNs < 0)
        {
            idleStrategy.idle();
        }

        return isServing();
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            CloseHelper.closeAll(running, host, ctx::releaseDirectory);
        }
    }

    private void start()
    {
        final String nodeId = Integer.toString(ctx.nodeId);
        ctx.requireDirectory("role", "server");
        ctx.requireDirectory("node", nodeId);
        if (ctx.hasOwnArchive())
        {
            host = HostDriver.launch(ctx.hostContext().terminationHook(this::onHostTerminated));
            ctx.errorHandler(host.keepingErrors(ctx.errorHandler));
        }
        else
        {
            ctx.awaitExternalDriver();
        }
        ctx.claimDirectory("role", "server");
        ctx.claimDirectory("node", nodeId);
        final Supplier<Aeron.Context> clients =
            null == host ? ctx::externalAeronContext : host.agentThread()::aeronContext;
        final Supplier<AeronArchive.Context> archiveContexts =
            null == host ? ctx::externalArchiveContext : host::archiveContext;
        final Runnable recordingAwaited = null == host ? () -> {} : host.wakeupGroup()::hurry;
        agent = new NodeAgent(new NodeProcess(ctx, clients, archiveContexts, recordingAwaited, counters));
        running = null == host ?
            startOnThread() : host.agentThread().start(agent, ctx.errorHandler, agent::hasLocalWorkers);
    }

    private AutoCloseable startOnThread()
    {
        final AgentRunner runner = new AgentRunner(ctx.profile.newIdleStrategy(), ctx.errorHandler, null, agent);
        AgentRunner.startOnThread(runner);

        return runner;
    }

    private void onHostTerminated()
    {
        if (null != agent)
        {
            agent.fail(new IllegalStateException("the media driver or Archive of this node has ended"));
        }
    }

    /**
     * The system properties that a node's settings begin with, and their defaults; profile and datagrams are those of
     * {@link HostDriver.Configuration}.
     */
    public static final class Configuration
    {
        /** Bytes of log after which a partition takes a snapshot; where a log is kept, the least for a small state. */
        public static final String SNAPSHOT_LOG_BYTES_PROP_NAME = "gradstream.server.snapshot.log.bytes";
        /** Default of {@link #SNAPSHOT_LOG_BYTES_PROP_NAME}. */
        public static final long SNAPSHOT_LOG_BYTES_DEFAULT = 64L * 1024 * 1024;
        /** How long the replay of a partition's log may take at a start. */
        public static final String RECOVERY_TIME_PROP_NAME = "gradstream.server.recovery.time";
        /** Default of {@link #RECOVERY_TIME_PROP_NAME}. */
        public static final long RECOVERY_TIME_DEFAULT_NS = TimeUnit.SECONDS.toNanos(2);
        /**
         * Rate at which a start is expected to replay the log on any machine; {@code perf replay} measures the rate of
         * one.
         */
        public static final long REPLAY_BYTES_PER_SECOND = 200_000_000;
        /** Time after which a primary takes a snapshot of new records, however few they are; 0: never. */
        public static final String SNAPSHOT_INTERVAL_PROP_NAME = "gradstream.server.snapshot.interval";
        /** Default of {@link #SNAPSHOT_INTERVAL_PROP_NAME} where snapshots are all there is; else it is never. */
        public static final long SNAPSHOT_INTERVAL_DEFAULT_NS = TimeUnit.SECONDS.toNanos(5);
        /** True if the whole log is kept, including the part before the oldest snapshot. */
        public static final String KEEP_LOG_ALL_PROP_NAME = "gradstream.server.keep.log.all";
        /** Default of {@link #KEEP_LOG_ALL_PROP_NAME}. */
        public static final boolean KEEP_LOG_ALL_DEFAULT = false;
        /**
         * Bytes of pushes that a node holds for sequential jobs until all slots have ended a clock; 0: a sixteenth of
         * the heap, because sums and records take room besides, and at most 64 MiB. No more than 512 MiB.
         */
        public static final String HELD_BYTES_PROP_NAME = "gradstream.server.held.bytes";
        /** Default of {@link #HELD_BYTES_PROP_NAME}. */
        public static final long HELD_BYTES_DEFAULT = 0;
        /**
         * True if the pushes of one duty cycle are added up before they are logged, where the staleness bound is not 0.
         */
        public static final String SUM_CYCLES_PROP_NAME = "gradstream.server.sum.cycles";
        /** Default of {@link #SUM_CYCLES_PROP_NAME}. */
        public static final boolean SUM_CYCLES_DEFAULT = false;
        /** Term length of each worker's response stream in bytes. */
        public static final String RESPONSE_TERM_LENGTH_PROP_NAME = "gradstream.server.response.term.length";
        /** Default of {@link #RESPONSE_TERM_LENGTH_PROP_NAME}, and the least. */
        public static final int RESPONSE_TERM_LENGTH_DEFAULT = 1024 * 1024;
        /** Most workers and observers connected at once, of all jobs; one job may have three quarters of them. */
        public static final String MAX_CONNECTIONS_PROP_NAME = "gradstream.server.max.connections";
        /** Default of {@link #MAX_CONNECTIONS_PROP_NAME}: one job may have more than coordinators have sessions. */
        public static final int MAX_CONNECTIONS_DEFAULT = 1024;
        /** Silence after which a worker is forgotten. */
        public static final String WORKER_TIMEOUT_PROP_NAME = "gradstream.server.worker.timeout";
        /** Default of {@link #WORKER_TIMEOUT_PROP_NAME}. */
        public static final long WORKER_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(10);
        /**
         * Bytes a second that a node reads from its disk for copies that join, all together; 0: no limit. What is
         * pushed meanwhile, and what copies in sync are sent, does not count.
         */
        public static final String MOVE_BANDWIDTH_PROP_NAME = "gradstream.server.move.bandwidth";
        /** Default of {@link #MOVE_BANDWIDTH_PROP_NAME}. */
        public static final long MOVE_BANDWIDTH_DEFAULT = 0;
        /** How soon neighbours in a chain notice each other's silence: {@code quiet} or {@code shared}. */
        public static final String CHAIN_TIMING_PROP_NAME = "gradstream.server.chain.timing";
        /** Default of {@link #CHAIN_TIMING_PROP_NAME}. */
        public static final String CHAIN_TIMING_DEFAULT = "shared";

        /** A joiner asks again for a snapshot of which nothing comes for 3 s, and a frame may have 64 KiB. */
        public static final long LEAST_MOVE_BANDWIDTH = 1024 * 1024;
        static final long LEAST_HELD_BYTES = 1024 * 1024;
        /** At most as many bytes as are added up in a part of the time after which a head is suspected. */
        static final long MOST_HELD_BYTES = 64L * 1024 * 1024;
        /** Limited because one partition may hold all of them, adds them up in one go, and keeps them in arrays. */
        static final long MAX_HELD_BYTES = 512L * 1024 * 1024;
        static final int HEAP_SHARE_HELD = 16;
        static final int MAX_RESPONSE_TERM_LENGTH = 64 * 1024 * 1024;
        static final long UNSET = -1;
        static final long MAX_RECOVERY_NS = TimeUnit.HOURS.toNanos(1);

        private Configuration()
        {
        }

        static long snapshotLogBytes()
        {
            return SystemProperty.number(SNAPSHOT_LOG_BYTES_PROP_NAME, SNAPSHOT_LOG_BYTES_DEFAULT, 1, Long.MAX_VALUE);
        }

        static long recoveryTimeNs()
        {
            return SystemProperty.durationNs(RECOVERY_TIME_PROP_NAME, RECOVERY_TIME_DEFAULT_NS, 0, MAX_RECOVERY_NS);
        }

        static long snapshotIntervalNs()
        {
            return SystemProperty.durationNs(SNAPSHOT_INTERVAL_PROP_NAME, UNSET, 0, Long.MAX_VALUE);
        }

        static boolean keepLogAll()
        {
            return SystemProperty.isTrue(KEEP_LOG_ALL_PROP_NAME, KEEP_LOG_ALL_DEFAULT);
        }

        static long heldBytes()
        {
            return SystemProperty.number(HELD_BYTES_PROP_NAME, HELD_BYTES_DEFAULT, 0, MAX_HELD_BYTES);
        }

        static boolean sumCycles()
        {
            return SystemProperty.isTrue(SUM_CYCLES_PROP_NAME, SUM_CYCLES_DEFAULT);
        }

        static int responseTermLength()
        {
            return SystemProperty.powerOfTwo(RESPONSE_TERM_LENGTH_PROP_NAME, RESPONSE_TERM_LENGTH_DEFAULT,
                RESPONSE_TERM_LENGTH_DEFAULT, MAX_RESPONSE_TERM_LENGTH);
        }

        static int maxConnections()
        {
            return (int)SystemProperty.number(MAX_CONNECTIONS_PROP_NAME, MAX_CONNECTIONS_DEFAULT,
                ConnectionLimit.LEAST, ConnectionLimit.MOST);
        }

        static long workerTimeoutNs()
        {
            return SystemProperty.durationNs(WORKER_TIMEOUT_PROP_NAME, WORKER_TIMEOUT_DEFAULT_NS, 1, Long.MAX_VALUE);
        }

        static long moveBandwidth()
        {
            return SystemProperty.number(MOVE_BANDWIDTH_PROP_NAME, MOVE_BANDWIDTH_DEFAULT, 0, Long.MAX_VALUE);
        }

        static ChainTiming chainTiming()
        {
            return "quiet".equals(SystemProperty.word(
                CHAIN_TIMING_PROP_NAME, CHAIN_TIMING_DEFAULT, "quiet", "shared")) ?
                ChainTiming.QUIET : ChainTiming.SHARED;
        }
    }

    /**
     * The settings of a node: setters only set, {@link #conclude()} checks them all before anything opens. Their
     * initial values are those of {@link Configuration}.
     */
    public static final class Context extends NodeSettings<Context>
    {
        private boolean isConcluded;

        @Override
        Context self()
        {
            return this;
        }

        /**
         * Check every setting and choose those left open. Called by {@link ServerNode#launch(Context)}.
         *
         * @return this.
         * @throws IllegalArgumentException naming the setting, its value and what is allowed.
         * @throws IllegalStateException    if called twice.
         */
        public Context conclude()
        {
            if (isConcluded)
            {
                throw new IllegalStateException("isConcluded=true: each launch needs a Context of its own");
            }
            isConcluded = true;
            check();

            return this;
        }
    }
}
