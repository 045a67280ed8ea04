// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.AllowBackupAndStandbyAuthorisationService;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.gradstream.coordinator.session.ClusterSession;
import io.gradstream.coordinator.session.MemberEndpoint;
import io.gradstream.driver.AgentTerminationMonitor;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.HostDriver;
import org.agrona.concurrent.NoOpLock;

import java.io.File;
import java.util.concurrent.TimeUnit;

/** Turns a member's settings into those of its host, of Aeron's consensus module and of its service container. */
final class MemberSettings
{
    /**
     * How late driver and Archive may be when they idle: consensus module and service also wait for them in loops of
     * Aeron's own, some of which say nothing of what they did.
     */
    static final long MAX_HOST_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(4);
    /** And how late consensus module and service. */
    static final long MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    static final int SEGMENT_FILE_LENGTH = 4 * 1024 * 1024;
    static final int MAX_LOGS = 16;
    static final int MAX_RECORDINGS = 16;
    static final int MAX_SESSIONS = 512;
    static final long MIN_FREE_BYTES = 64L * 1024 * 1024;

    static final String SHORT_TERM_CHANNEL = "aeron:udp?term-length=64k";
    static final String LOG_CHANNEL = "aeron:udp?term-length=" + ClusterSession.TERM_LENGTH;

    private static final int CONSENSUS_RESPONSE_STREAM_ID = 21;
    private static final int SERVICE_RESPONSE_STREAM_ID = 22;
    private static final int OWN_RESPONSE_STREAM_ID = 24;

    private MemberSettings()
    {
    }

    static HostDriver.Context hostContext(
        final ClusterMember.Context ctx, final MemberEndpoint endpoint, final AgentTerminationMonitor watch)
    {
        return new HostDriver.Context()
            .aeronDirectory(ctx.aeronDirectory)
            .archiveDirectory(MemberDirectory.archive(ctx.dir))
            .archiveControlHost(endpoint.host())
            .archiveControlPort(endpoint.port() + MemberEndpoint.ARCHIVE)
            .archiveId(ctx.memberId)
            .profile(ctx.profile)
            .mtuLength(ChannelMtu.OF_INTERFACE == ctx.mtuLength ?
                Math.min(ChannelMtu.MAX_DEFAULT_LENGTH, ChannelMtu.of(endpoint.at(MemberEndpoint.INGRESS))) :
                ctx.mtuLength)
            .maxSleepNs(MAX_HOST_SLEEP_NS)
            .termLength(ClusterSession.TERM_LENGTH)
            .maxLogs(MAX_LOGS)
            .segmentFileLength(SEGMENT_FILE_LENGTH)
            .minFreeBytes(MIN_FREE_BYTES)
            .fileSyncLevel(syncLevel(ctx))
            .maxConcurrentRecordings(MAX_RECORDINGS)
            .errorLog(ctx.errorLog)
            .terminationHook(watch::terminated);
    }

    /** A client of the member's Archive that is neither consensus module nor service. */
    static AeronArchive connectArchive(final HostDriver host, final Aeron aeron)
    {
        return AeronArchive.connect(host.archiveContext()
            .aeron(aeron)
            .ownsAeronClient(false)
            .lock(NoOpLock.INSTANCE)
            .controlResponseStreamId(OWN_RESPONSE_STREAM_ID));
    }

    /** As Aeron counts: 1 forces what is in a file to disk, and its length with it. */
    private static int syncLevel(final ClusterMember.Context ctx)
    {
        return ctx.isSynced ? 1 : 0;
    }

    static ConsensusModule.Context consensusContext(
        final ClusterMember.Context ctx, final MemberEndpoint endpoint, final HostDriver host,
        final AgentTerminationMonitor watch)
    {
        final Aeron aeron = host.connectPart(true, ctx.errorHandler);

        return new ConsensusModule.Context()
            .aeronDirectoryName(host.aeronDirectoryName())
            .aeron(aeron)
            .ownsAeronClient(true)
            .errorCounter(aeron.addCounter(
                AeronCounters.CLUSTER_CONSENSUS_MODULE_ERROR_COUNT_TYPE_ID, "Cluster Errors"))
            .clusterDir(MemberDirectory.cluster(ctx.dir).toFile())
            // The Aeron directory is new with every start, so no mark file of a killed process bars the next one.
            .markFileDir(new File(host.aeronDirectoryName()))
            .archiveContext(host.archiveContext().controlResponseStreamId(CONSENSUS_RESPONSE_STREAM_ID))
            .clusterMemberId(ctx.memberId)
            .fileSyncLevel(syncLevel(ctx))
            .epochClock(host.clock())
            .clusterClock(host.clock()::time)
            .clusterMembers(MemberEndpoint.clusterMembers(ctx.endpoints))
            .ingressChannel("aeron:udp")
            .logChannel(LOG_CHANNEL)
            .consensusChannel(SHORT_TERM_CHANNEL)
            .leaderArchiveControlChannel(SHORT_TERM_CHANNEL)
            .replicationChannel("aeron:udp?endpoint=" + endpoint.host() + ":0")
            .leaderHeartbeatIntervalNs(ctx.timing.heartbeatIntervalNs())
            .leaderHeartbeatTimeoutNs(ctx.timing.heartbeatTimeoutNs())
            .electionTimeoutNs(ctx.timing.electionTimeoutNs())
            .electionStatusIntervalNs(ctx.timing.statusIntervalNs())
            .startupCanvassTimeoutNs(ctx.timing.startupCanvassNs())
            .sessionTimeoutNs(ctx.timing.sessionTimeoutNs())
            .maxConcurrentSessions(MAX_SESSIONS)
            // Refuses administration by clients, which is what ClusterSession's sign of life relies on.
            .authorisationServiceSupplier(() -> AllowBackupAndStandbyAuthorisationService.INSTANCE)
            .idleStrategySupplier(() -> host.wakeupGroup().join(MAX_SLEEP_NS))
            .threadFactory(watch.threadFactory("gradstream-consensus"))
            .errorHandler(ctx.errorHandler);
    }

    static ClusteredServiceContainer.Context containerContext(
        final ClusterMember.Context ctx, final HostDriver host,
        final AgentTerminationMonitor watch)
    {
        final Aeron aeron = host.connectPart(false, ctx.errorHandler);

        return new ClusteredServiceContainer.Context()
            .aeronDirectoryName(host.aeronDirectoryName())
            .aeron(aeron)
            .ownsAeronClient(true)
            .errorCounter(aeron.addCounter(
                AeronCounters.CLUSTER_CLUSTERED_SERVICE_ERROR_COUNT_TYPE_ID, "Cluster Container Errors"))
            .clusterDir(MemberDirectory.cluster(ctx.dir).toFile())
            .markFileDir(new File(host.aeronDirectoryName()))
            .archiveContext(host.archiveContext().controlResponseStreamId(SERVICE_RESPONSE_STREAM_ID))
            .clusteredService(ctx.service)
            .epochClock(host.clock())
            .idleStrategySupplier(() -> host.wakeupGroup().join(MAX_SLEEP_NS))
            .threadFactory(watch.threadFactory("gradstream-service"))
            .errorHandler(ctx.errorHandler);
    }
}
