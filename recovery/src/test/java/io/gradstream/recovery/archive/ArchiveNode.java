// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.aeron.Aeron;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchiveTool;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.driver.files.WithdrawnRecordings;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A node for tests: media driver, Archive with checksums, and clients, which can be restarted. Whatever a test
 * awaits, the clients of all nodes are driven meanwhile, on the thread of the test.
 */
final class ArchiveNode implements AutoCloseable
{
    static final int SEGMENT_LENGTH = 1024 * 1024;
    static final int MAX_REPLAYS = 20;

    private static final Set<ArchiveNode> NODES = new CopyOnWriteArraySet<>();

    final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final File dir = TestMemory.directory("archive").toFile();
    private final File archiveDir;
    private final long minFreeBytes;
    private final List<AutoCloseable> left = new ArrayList<>();
    private String aeronDir;
    private ArchivingMediaDriver driver;
    private boolean isDriverStopped;
    private AeronArchive archive;
    private Aeron aeron;
    private ArchiveClient client;

    ArchiveNode()
    {
        archiveDir = new File(dir, "archive");
        minFreeBytes = 0;
        start();
    }

    /** With recordings in a directory of the test's, and room that must be free to begin one. */
    ArchiveNode(final File archiveDir, final long minFreeBytes)
    {
        this.archiveDir = archiveDir;
        this.minFreeBytes = minFreeBytes;
        start();
    }

    /** As a driver that ends by itself would; clients find that out. */
    void stopDriver()
    {
        isDriverStopped = true;
        driver.close();
    }

    boolean isDriverStopped()
    {
        return isDriverStopped;
    }

    ArchiveClient client()
    {
        return client;
    }

    int doWork()
    {
        return aeron.conductorAgentInvoker().invoke() + client.doWork(System.nanoTime());
    }

    void restart()
    {
        stop();
        start();
    }

    /** As a host does that has found a recording damaged. */
    void restartWithdrawn(final String alias, final long recordingId)
    {
        stop();
        ArchiveTool.markRecordingInvalid(
            new PrintStream(OutputStream.nullOutputStream()), archiveDir, recordingId);
        start();
        new WithdrawnRecordings(Map.of(alias, recordingId)).announce(archive.context().aeron(), archive.archiveId());
    }

    /** Driver and Archive live on, and so do the clients of the life before, as far as they know. */
    void restartClients()
    {
        left.add(client);
        left.add(aeron);
        startClient();
    }

    ArchiveReplicaStorage storage(final int partition)
    {
        return storage(partition, LogGeometry.DEFAULT, false);
    }

    ArchiveReplicaStorage storage(final int partition, final LogGeometry geometry, final boolean keepLogAll)
    {
        final ArchiveReplicaStorage storage = newStorage(partition, geometry, keepLogAll);
        await("what the Archive holds", storage::isReady);

        return storage;
    }

    ArchiveReplicaStorage newStorage(final int partition, final LogGeometry geometry, final boolean keepLogAll)
    {
        return new ArchiveReplicaStorage(
            client, geometry, 1, partition, keepLogAll, false, SystemNanoClock.INSTANCE);
    }

    AeronArchive archive()
    {
        return archive;
    }

    List<Recording> logs(final int partition)
    {
        return list(LogGeometry.logAlias(1, partition), LogGeometry.logStreamId(partition));
    }

    List<Recording> snapshots(final int partition)
    {
        return list(LogGeometry.snapshotAlias(1, partition), LogGeometry.snapshotStreamId(partition));
    }

    private List<Recording> list(final String alias, final int streamId)
    {
        final List<Recording> recordings = new ArrayList<>();
        archive.listRecordingsForUri(0, Integer.MAX_VALUE, "alias=" + alias, streamId,
            (controlSessionId, correlationId, recordingId, startTimestamp, stopTimestamp, startPosition, stopPosition,
            initialTermId, segmentFileLength, termBufferLength, mtuLength, sessionId, recordedStreamId,
            strippedChannel, originalChannel, sourceIdentity) -> recordings.add(new Recording(
            recordingId, startPosition, stopPosition, segmentFileLength,
            new LogGeometry(mtuLength, termBufferLength, initialTermId))));

        return recordings;
    }

    File directory(final String name)
    {
        return new File(dir, name);
    }

    File segment(final long recordingId, final long base)
    {
        return new File(archiveDir, recordingId + "-" + base + ".rec");
    }

    static void await(final String what, final BooleanSupplier condition)
    {
        final SleepingMillisIdleStrategy idleStrategy = new SleepingMillisIdleStrategy(1);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean())
        {
            final int workCount = NODES.stream().mapToInt(ArchiveNode::doWork).sum();
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("gave up awaiting " + what);
            }
            idleStrategy.idle(workCount);
        }
    }

    @Override
    public void close()
    {
        stop();
        IoUtil.delete(dir, true);
    }

    private void start()
    {
        aeronDir = new File(dir, "driver-" + UUID.randomUUID()).getPath();
        driver = ArchivingMediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(aeronDir)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                .termBufferSparseFile(true)
                .ipcTermBufferLength(64 * 1024)
                .errorHandler(errors::add)
                .dirDeleteOnShutdown(true),
            new Archive.Context()
                .aeronDirectoryName(aeronDir)
                .archiveDir(archiveDir)
                .markFileDir(new File(aeronDir))
                .controlChannelEnabled(false)
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel("aeron:ipc?term-length=64k"))
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .recordingEventsEnabled(false)
                .lowStorageSpaceThreshold(minFreeBytes)
                .connectTimeoutNs(TimeUnit.SECONDS.toNanos(2))
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(() -> new SleepingMillisIdleStrategy(1))
                .segmentFileLength(SEGMENT_LENGTH)
                .maxConcurrentReplays(MAX_REPLAYS)
                .recordChecksum(Checksums.crc32c())
                .replayChecksum(Checksums.crc32c())
                .errorHandler(errors::add));
        archive = AeronArchive.connect(archiveContext());
        startClient();
    }

    private void startClient()
    {
        aeron = Aeron.connect(aeronContext().useConductorAgentInvoker(true).errorHandler(errors::add));
        client = new ArchiveClient(aeron, this::archiveContext, errors::add);
        NODES.add(this);
    }

    private void stop()
    {
        NODES.remove(this);
        CloseHelper.closeAll(left);
        left.clear();
        CloseHelper.closeAll(client, aeron, archive, driver);
    }

    Aeron.Context aeronContext()
    {
        return new Aeron.Context().aeronDirectoryName(aeronDir);
    }

    AeronArchive.Context archiveContext()
    {
        return new AeronArchive.Context()
            .aeronDirectoryName(aeronDir)
            .lock(NoOpLock.INSTANCE)
            .errorHandler(errors::add)
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlResponseChannel("aeron:ipc?term-length=64k");
    }
}
