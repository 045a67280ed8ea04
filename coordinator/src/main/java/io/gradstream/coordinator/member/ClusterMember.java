// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.exceptions.AeronException;
import io.gradstream.coordinator.session.MemberCheck;
import io.gradstream.coordinator.session.MemberEndpoint;
import io.gradstream.driver.AgentTerminationMonitor;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.HostDriverException;
import io.gradstream.driver.client.SystemProperty;
import io.gradstream.driver.PortCheck;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static io.gradstream.driver.client.HostDriverException.Reason.LAUNCH_FAILED;

/**
 * One member of a cluster of one or three, in this process: media driver, Archive, consensus module and the service
 * whose log they agree on.
 * <p>
 * A member listens on five consecutive UDP ports, from its port on: ingress, consensus, log, catch-up, Archive.
 * {@link #launch(Context)} may follow a kill -9 at once.
 */
public final class ClusterMember implements AutoCloseable
{
    /** Consecutive UDP ports of a member. */
    public static final int PORTS = MemberEndpoint.PORTS;

    private static final long NEVER = -1;

    private final Context ctx;
    private final AgentTerminationMonitor watch;
    private final ElectionWatch electionWatch = new ElectionWatch();
    private HostDriver host;
    private ConsensusModule consensusModule;
    private MemberCounters counters;
    private ClusteredServiceContainer container;
    private long snapshotNs;
    private long purgedSnapshots = NEVER;
    private boolean isClosed;

    private ClusterMember(final Context ctx)
    {
        this.ctx = ctx;
        watch = new AgentTerminationMonitor(ctx.terminationHook);
    }

    /**
     * Start a member. If any part cannot start, whatever had started is stopped again. The service is started on a
     * thread of its own; the first election goes on after this returns.
     *
     * @param ctx settings; concluded here.
     * @return the running member.
     * @throws IllegalArgumentException if a setting is wrong.
     * @throws HostDriverException      if the machine does not allow it: see its reason.
     */
    public static ClusterMember launch(final Context ctx)
    {
        ctx.conclude();
        final ClusterMember member = new ClusterMember(ctx);
        try
        {
            member.start();
            return member;
        }
        catch (final HostDriverException | Error ex)
        {
            member.close();
            throw ex;
        }
        catch (final IOException | RuntimeException ex)
        {
            member.close();
            throw new HostDriverException(
                LAUNCH_FAILED, "cannot start cluster member " + ctx.memberId + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * True if a directory holds what a member agreed to.
     *
     * @param dir of a member, running or not.
     * @return false if it is empty or has lost it.
     */
    public static boolean hasLog(final Path dir)
    {
        return MemberDirectory.hasLog(dir);
    }

    /** The absolute path of the directory by which clients in this process find the member's driver. */
    public String aeronDirectoryName()
    {
        return host.aeronDirectoryName();
    }

    /** True if this member leads now. */
    public boolean isLeader()
    {
        return Cluster.Role.LEADER == Cluster.Role.get(counters.role());
    }

    /**
     * True if this member leads, or follows a leader whose log it has caught up with. False while it takes part in an
     * election or catches up.
     */
    public boolean isSettled()
    {
        return ElectionState.CLOSED == ElectionState.get(counters.electionState());
    }

    /**
     * Ask all members to snapshot their service, so that a start replays the log only from there. Done some time
     * later: see {@link #snapshots()}.
     *
     * @return false if this member does not lead or another request is under way.
     */
    public boolean requestSnapshot()
    {
        return ClusterControl.ToggleState.SNAPSHOT.toggle(counters.controlToggle());
    }

    /** Number of snapshots this member has taken since it started. */
    public long snapshots()
    {
        return counters.snapshots().get();
    }

    /**
     * Keep the log short, from time to time: where this member leads, all members snapshot their service at the
     * interval set. Here this member deletes what lies before its last but one snapshot. May wait for the Archive.
     * Once parts of this member have ended, nothing is done: to wait for a driver that is gone takes half a minute.
     *
     * @param nowNs of a clock that does not go back.
     */
    public void maintain(final long nowNs)
    {
        if (watch.mayHaveEnded())
        {
            return;
        }
        final long taken = snapshots();
        if (taken != purgedSnapshots)
        {
            purgedSnapshots = taken;
            snapshotNs = nowNs;
            purge();
        }
        else if (nowNs - snapshotNs >= ctx.snapshotIntervalNs && requestSnapshot())
        {
            snapshotNs = nowNs;
        }
    }

    /**
     * End a member that does not get out of an election by itself: it must be started again.
     *
     * @param nowNs of a clock that does not go back.
     */
    void watchElection(final long nowNs)
    {
        if (watch.mayHaveEnded())
        {
            return;
        }
        final String problem = electionWatch.look(
            nowNs, ElectionState.get(counters.electionState()), counters.errors().get());
        if (null != problem)
        {
            ctx.errorLog.accept("cluster member " + ctx.memberId + " " + problem + ": it ends, to be started again");
            watch.terminated();
        }
    }

    private void purge()
    {
        try (Aeron aeron = host.connectPart(true, ctx.errorHandler);
            AeronArchive archive = MemberSettings.connectArchive(host, aeron))
        {
            new MemberLog(MemberDirectory.cluster(ctx.dir), archive).purge();
        }
        catch (final AeronException ex)
        {
            // such as a replay to a member that catches up: done with the next snapshot
            ctx.errorHandler.onError(ex);
        }
    }

    /** True once a part has ended without {@link #close()}: then the process must stop. */
    public boolean isTerminated()
    {
        return watch.isTerminated();
    }

    /** Stop the member. Its driver's clients should be closed before. */
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            watch.closing();
            CloseHelper.closeAll(consensusModule, container, host);
        }
    }

    private void start() throws IOException
    {
        final MemberEndpoint endpoint = ctx.endpoints.get(ctx.memberId);
        for (int offset = MemberEndpoint.INGRESS; offset < MemberEndpoint.ARCHIVE; offset++)
        {
            PortCheck.checkFree(endpoint.host(), endpoint.port() + offset, "members");
        }

        host = HostDriver.launch(MemberSettings.hostContext(ctx, endpoint, watch));
        ctx.errorHandler(host.keepingErrors(ctx.errorHandler));
        MemberDirectory.prepare(ctx.dir);
        if (ctx.endpoints.size() > 1)
        {
            new MemberSeed(ctx, endpoint, host).run();
        }
        consensusModule = ConsensusModule.launch(MemberSettings.consensusContext(ctx, endpoint, host, watch));
        counters = new MemberCounters(Path.of(host.aeronDirectoryName()), consensusModule.context());
        container = ClusteredServiceContainer.launch(MemberSettings.containerContext(ctx, host, watch));
    }

    /**
     * The system properties that a member's settings begin with, and their defaults; profile and datagrams are those of
     * {@link HostDriver.Configuration}.
     */
    public static final class Configuration
    {
        /** How soon members give up a leader: {@code quiet} or {@code shared}, the same on all of them. */
        public static final String TIMING_PROP_NAME = "gradstream.coordinator.timing";
        /** Default of {@link #TIMING_PROP_NAME}. */
        public static final String TIMING_DEFAULT = "shared";
        /** The log is replayed from no earlier than so long before a start, and kept for twice as long. */
        public static final String SNAPSHOT_INTERVAL_PROP_NAME = "gradstream.coordinator.snapshot.interval";
        /** Default of {@link #SNAPSHOT_INTERVAL_PROP_NAME}. */
        public static final long SNAPSHOT_INTERVAL_DEFAULT_NS = TimeUnit.MINUTES.toNanos(10);
        /** True if each decision is forced to disk before it counts. */
        public static final String SYNC_PROP_NAME = "gradstream.coordinator.sync";
        /** Default of {@link #SYNC_PROP_NAME}. */
        public static final boolean SYNC_DEFAULT = false;

        private Configuration()
        {
        }

        static ClusterTiming timing()
        {
            return "quiet".equals(SystemProperty.word(TIMING_PROP_NAME, TIMING_DEFAULT, "quiet", "shared")) ?
                ClusterTiming.QUIET : ClusterTiming.SHARED;
        }

        static long snapshotIntervalNs()
        {
            return SystemProperty.durationNs(
                SNAPSHOT_INTERVAL_PROP_NAME, SNAPSHOT_INTERVAL_DEFAULT_NS, 1, Long.MAX_VALUE);
        }

        static boolean isSynced()
        {
            return SystemProperty.isTrue(SYNC_PROP_NAME, SYNC_DEFAULT);
        }
    }

    /**
     * The settings of a member: setters only set, {@link #conclude()} checks them all before anything opens. They
     * begin as {@link Configuration} says.
     */
    public static final class Context
    {
        int memberId;
        List<String> members;
        List<MemberEndpoint> endpoints;
        Path dir;
        Path aeronDirectory;
        DriverProfile profile = HostDriver.Configuration.profile();
        int mtuLength = HostDriver.Configuration.mtuLength();
        ClusterTiming timing = Configuration.timing();
        boolean isSynced = Configuration.isSynced();
        long snapshotIntervalNs = Configuration.snapshotIntervalNs();
        ClusteredService service;
        Runnable terminationHook = () -> {};
        Consumer<String> errorLog = (line) -> System.err.println(line);
        ErrorHandler errorHandler = new CountedErrors("cluster member");
        private boolean isConcluded;

        /**
         * Check every setting. Called by {@link ClusterMember#launch(Context)}.
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
            endpoints = MemberEndpoint.parseAll("members", members);
            MemberCheck.requireRange("memberId", memberId, 0, endpoints.size() - 1);
            MemberCheck.requirePresent("dir", dir);
            MemberCheck.requirePresent("profile", profile);
            if (!ChannelMtu.isAllowed(mtuLength))
            {
                throw MemberCheck.invalid("mtuLength", mtuLength, "must be " + ChannelMtu.allowed());
            }
            MemberCheck.requirePresent("timing", timing);
            MemberCheck.requireRange("snapshotIntervalNs", snapshotIntervalNs, 1, Long.MAX_VALUE);
            MemberCheck.requirePresent("service", service);
            MemberCheck.requirePresent("terminationHook", terminationHook);
            MemberCheck.requirePresent("errorLog", errorLog);
            MemberCheck.requirePresent("errorHandler", errorHandler);
            dir = dir.toAbsolutePath().normalize();

            return this;
        }

        /** Which of the members this is, from 0. */
        public Context memberId(final int memberId)
        {
            this.memberId = memberId;
            return this;
        }

        /** {@code host:port} of all members, one or three, in the order of their ids and the same on each of them. */
        public Context members(final List<String> hostPorts)
        {
            this.members = hostPorts;
            return this;
        }

        /**
         * The directory in which the member keeps log, snapshots and votes; its own, and never lost while the others
         * live on.
         */
        public Context dir(final Path dir)
        {
            this.dir = dir;
            return this;
        }

        /** Directory the driver shares with its clients; by default a new one in /dev/shm. */
        public Context aeronDirectory(final Path aeronDirectory)
        {
            this.aeronDirectory = aeronDirectory;
            return this;
        }

        /** How soon the driver gives up a silent peer. A member's threads sleep when idle whatever the profile. */
        public Context profile(final DriverProfile profile)
        {
            this.profile = profile;
            return this;
        }

        /**
         * Longest datagram in bytes; by default what fits the interface that holds the member's address. The members'
         * log keeps that of its first leader.
         */
        public Context mtuLength(final int mtuLength)
        {
            this.mtuLength = mtuLength;
            return this;
        }

        /** How soon members give up a leader; the same on all of them. */
        public Context timing(final ClusterTiming timing)
        {
            this.timing = timing;
            return this;
        }

        /** How often members snapshot their service, for {@link ClusterMember#maintain(long)}. */
        public Context snapshotIntervalNs(final long snapshotIntervalNs)
        {
            this.snapshotIntervalNs = snapshotIntervalNs;
            return this;
        }

        /**
         * True if what members agree on is forced to disk before it counts, so that it survives a loss of power. False
         * unless set: then it survives the end of the process, not that of the machine.
         */
        public Context sync(final boolean isSynced)
        {
            this.isSynced = isSynced;
            return this;
        }

        /** The service whose commands the members agree on. */
        public Context service(final ClusteredService service)
        {
            this.service = service;
            return this;
        }

        /** Called once, on a thread of its own, when a part ends without being closed. */
        public Context terminationHook(final Runnable terminationHook)
        {
            this.terminationHook = terminationHook;
            return this;
        }

        /**
         * Takes a line for what goes wrong with driver and Archive and does not end them; standard error unless set.
         */
        public Context errorLog(final Consumer<String> errorLog)
        {
            this.errorLog = errorLog;
            return this;
        }

        /** Told the errors of consensus module and service. */
        public Context errorHandler(final ErrorHandler errorHandler)
        {
            this.errorHandler = errorHandler;
            return this;
        }
    }
}
