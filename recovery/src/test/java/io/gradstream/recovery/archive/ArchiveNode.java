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
package io.gradstream.recovery.archive;

import io.aeron.Aeron;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

import java.io.File;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A node for tests: media driver, Archive with checksums, clients and archivist, which can be restarted.
 */
final class ArchiveNode implements AutoCloseable
{
    static final int SEGMENT_LENGTH = 1024 * 1024;

    final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    ArchiveConnection connection;
    Archivist archivist;
    private final File dir = new File("/dev/shm/gradstream-test-" + UUID.randomUUID());
    private ArchivingMediaDriver driver;
    private Aeron aeron;
    private Aeron archivistAeron;
    private AgentRunner runner;

    ArchiveNode()
    {
        start();
    }

    void restart()
    {
        stop();
        start();
    }

    ArchiveReplicaStorage storage(final int partition)
    {
        return storage(partition, LogGeometry.DEFAULT, false);
    }

    ArchiveReplicaStorage storage(final int partition, final LogGeometry geometry, final boolean keepLogAll)
    {
        return new ArchiveReplicaStorage(
            connection, archivist, geometry, 1, partition, keepLogAll, SystemNanoClock.INSTANCE);
    }

    AeronArchive archive()
    {
        return connection.archive();
    }

    List<Recording> logs(final int partition)
    {
        return Catalogue.list(
            archive(), LogGeometry.logAlias(1, partition), LogGeometry.logStreamId(partition));
    }

    List<Recording> snapshots(final int partition)
    {
        return Catalogue.list(
            archive(), LogGeometry.snapshotAlias(1, partition), LogGeometry.snapshotStreamId(partition));
    }

    File segment(final long recordingId, final long base)
    {
        return new File(archiveDir(), recordingId + "-" + base + ".rec");
    }

    static void await(final String what, final BooleanSupplier condition)
    {
        final SleepingMillisIdleStrategy idleStrategy = new SleepingMillisIdleStrategy(1);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("gave up awaiting " + what);
            }
            idleStrategy.idle();
        }
    }

    @Override
    public void close()
    {
        stop();
        IoUtil.delete(dir, true);
    }

    private File archiveDir()
    {
        return new File(dir, "archive");
    }

    private void start()
    {
        final String aeronDir = new File(dir, "driver-" + UUID.randomUUID()).getPath();
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
                .archiveDir(archiveDir())
                .markFileDir(new File(aeronDir))
                .controlChannelEnabled(false)
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel("aeron:ipc?term-length=64k"))
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .recordingEventsEnabled(false)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(() -> new SleepingMillisIdleStrategy(1))
                .segmentFileLength(SEGMENT_LENGTH)
                .recordChecksum(Checksums.crc32c())
                .replayChecksum(Checksums.crc32c())
                .errorHandler(errors::add));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(aeronDir).errorHandler(errors::add));
        archivistAeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(aeronDir).errorHandler(errors::add));
        connection = new ArchiveConnection(() -> connect(aeron));
        archivist = new Archivist(new ArchiveConnection(() -> connect(archivistAeron)), errors::add);
        runner = new AgentRunner(new SleepingMillisIdleStrategy(1), errors::add, null, archivist);
        AgentRunner.startOnThread(runner);
    }

    private void stop()
    {
        CloseHelper.closeAll(runner, connection, archivistAeron, aeron, driver);
    }

    private AeronArchive connect(final Aeron client)
    {
        return AeronArchive.connect(new AeronArchive.Context()
            .aeron(client)
            .lock(NoOpLock.INSTANCE)
            .errorHandler(errors::add)
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlResponseChannel("aeron:ipc?term-length=64k"));
    }
}
