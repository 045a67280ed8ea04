// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.RecordingLog;
import io.gradstream.coordinator.session.MemberEndpoint;
import io.gradstream.driver.HostDriver;
import org.agrona.IoUtil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Fetches the others' newest snapshot, and the log after it, for a member whose own log ends before that snapshot: the
 * others may have purged what lies between.
 * <p>
 * It asks them by Aeron's backup protocol, which a member answers that takes part in no election. If none answers in
 * time the member starts with what it has.
 */
final class MemberSeed implements ClusterBackupEventsListener
{
    /** A running member answers within so long, unless its machine is held up. */
    static final long QUERY_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    /** After so long without an answer the next member is asked. */
    static final long ASK_TIMEOUT_NS = QUERY_TIMEOUT_NS / 3;
    /** Snapshot and log are fetched within so long. */
    static final long FETCH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int RESPONSE_STREAM_ID = 23;

    private final ClusterMember.Context ctx;
    private final MemberEndpoint endpoint;
    private final HostDriver host;
    private final Path seedDirectory;
    private long ownEndPosition;
    private boolean isAnswered;
    private boolean isWanted;
    private boolean isFetched;

    MemberSeed(final ClusterMember.Context ctx, final MemberEndpoint endpoint, final HostDriver host)
    {
        this.ctx = ctx;
        this.endpoint = endpoint;
        this.host = host;
        seedDirectory = MemberDirectory.seed(ctx.dir);
    }

    /** Ask the other members, and fetch what is missing. No consensus module runs here yet. */
    void run() throws IOException
    {
        IoUtil.delete(seedDirectory.toFile(), true);
        try (Aeron aeron = host.connectPart(true, ctx.errorHandler);
            AeronArchive archive = MemberSettings.connectArchive(host, aeron))
        {
            final MemberLog own = new MemberLog(MemberDirectory.cluster(ctx.dir), archive);
            ownEndPosition = own.endPosition();
            try (ClusterBackup backup = ClusterBackup.launch(backupContext()))
            {
                await(backup);
            }
            if (isFetched)
            {
                replace(own, archive);
            }
        }
        IoUtil.delete(seedDirectory.toFile(), true);
    }

    private void await(final ClusterBackup backup)
    {
        final long beganNs = System.nanoTime();
        while (!isFetched && !(isAnswered && !isWanted))
        {
            final long waitedNs = System.nanoTime() - beganNs;
            if (!isAnswered && waitedNs > QUERY_TIMEOUT_NS)
            {
                return;
            }
            if (waitedNs > FETCH_TIMEOUT_NS)
            {
                throw new IllegalStateException("the newest snapshot of the other members was not to be had within " +
                    TimeUnit.NANOSECONDS.toSeconds(FETCH_TIMEOUT_NS) + " s; start this one again");
            }
            if (0 == backup.conductorAgentInvoker().invoke())
            {
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    /** A kill in between leaves the old list or the new one, and its recordings. Votes stay as they are. */
    private void replace(final MemberLog own, final AeronArchive archive) throws IOException
    {
        final long recordingId = new MemberLog(seedDirectory, archive).logRecordingId();
        final long beganNs = System.nanoTime();
        while (AeronArchive.NULL_POSITION == archive.getStopPosition(recordingId))
        {
            if (System.nanoTime() - beganNs > FETCH_TIMEOUT_NS)
            {
                throw new IllegalStateException("the Archive did not end recording " + recordingId);
            }
            LockSupport.parkNanos(PARK_NS);
        }

        final List<Long> outdated = own.recordingIds();
        Files.move(
            seedDirectory.resolve(RecordingLog.RECORDING_LOG_FILE_NAME),
            MemberDirectory.cluster(ctx.dir).resolve(RecordingLog.RECORDING_LOG_FILE_NAME),
            StandardCopyOption.ATOMIC_MOVE);
        outdated.forEach(own::delete);
    }

    private ClusterBackup.Context backupContext()
    {
        final Aeron aeron = host.connectPart(true, ctx.errorHandler);
        final String anyPort = endpoint.host() + ":0";

        return new ClusterBackup.Context()
            .aeronDirectoryName(host.aeronDirectoryName())
            .aeron(aeron)
            .ownsAeronClient(true)
            .errorCounter(aeron.addCounter(AeronCounters.CLUSTER_BACKUP_ERROR_COUNT_TYPE_ID, "Cluster Seed Errors"))
            .clusterDir(seedDirectory.toFile())
            .epochClock(host.clock())
            .archiveContext(host.archiveContext().controlResponseStreamId(RESPONSE_STREAM_ID))
            .clusterArchiveContext(new AeronArchive.Context()
                .aeronDirectoryName(host.aeronDirectoryName())
                .controlRequestChannel(MemberSettings.SHORT_TERM_CHANNEL)
                .controlResponseChannel(MemberSettings.SHORT_TERM_CHANNEL + "|endpoint=" + anyPort))
            .consensusChannel(MemberSettings.SHORT_TERM_CHANNEL + "|endpoint=" + endpoint.at(MemberEndpoint.CONSENSUS))
            .clusterConsensusEndpoints(ctx.endpoints.stream()
                .filter((other) -> !other.equals(endpoint))
                .map((other) -> other.at(MemberEndpoint.CONSENSUS))
                .collect(Collectors.joining(",")))
            .catchupEndpoint(anyPort)
            .catchupChannel(MemberSettings.LOG_CHANNEL)
            .initialReplayStart(ClusterBackup.Configuration.ReplayStart.LATEST_SNAPSHOT)
            .sourceType(ClusterBackup.SourceType.ANY)
            .clusterBackupResponseTimeoutNs(ASK_TIMEOUT_NS)
            .clusterBackupCoolDownIntervalNs(ASK_TIMEOUT_NS)
            .eventsListener(this)
            .useAgentInvoker(true)
            .errorHandler(ctx.errorHandler);
    }

    @Override
    public void onBackupQuery()
    {
    }

    @Override
    public void onPossibleFailure(final Exception ex)
    {
        // tried again until the time is up
    }

    @Override
    public void onBackupResponse(
        final io.aeron.cluster.ClusterMember[] members,
        final io.aeron.cluster.ClusterMember source,
        final List<RecordingLog.Snapshot> snapshots)
    {
        isAnswered = true;
        isWanted = snapshots.stream().anyMatch((snapshot) -> snapshot.logPosition() > ownEndPosition);
    }

    @Override
    public void onUpdatedRecordingLog(final RecordingLog log, final List<RecordingLog.Snapshot> snapshots)
    {
        isFetched = isWanted;
    }

    @Override
    public void onLiveLogProgress(final long recordingId, final long counterId, final long position)
    {
    }
}
