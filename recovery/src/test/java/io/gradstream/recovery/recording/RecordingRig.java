// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.ExclusivePublication;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.log.ClockDoneEncoder;
import io.gradstream.codecs.log.EpochStartedEncoder;
import io.gradstream.codecs.log.MessageHeaderEncoder;
import io.gradstream.codecs.log.TableCreatedEncoder;
import io.gradstream.codecs.snapshot.EpochEntryEncoder;
import io.gradstream.codecs.snapshot.SnapshotEndedEncoder;
import io.gradstream.codecs.snapshot.SnapshotStartedEncoder;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A real Archive that records logs and snapshots, for tests of what reads its files: they are read after
 * {@link #stop()}, or from a {@link #copyAsKilled copy} made while it records, which is what a killed process leaves.
 */
final class RecordingRig implements AutoCloseable
{
    static final LogGeometry GEOMETRY = new LogGeometry(8192, 64 * 1024, 7);
    static final int SEGMENT_LENGTH = 128 * 1024;
    static final int JOB = 1;
    static final int PARTITION = 3;
    static final int SLOT = 5;

    final Path archiveDirectory;
    private final File aeronDirectory = TestMemory.directory("recording").toFile();
    private final ArchivingMediaDriver driver;
    private final Aeron aeron;
    private final AeronArchive archive;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(GEOMETRY.mtuLength()));
    private boolean isStopped;

    RecordingRig(final Path directory)
    {
        archiveDirectory = directory.resolve("archive");
        driver = ArchivingMediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(aeronDirectory.getPath())
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                .termBufferSparseFile(true)
                .dirDeleteOnShutdown(true),
            new Archive.Context()
                .aeronDirectoryName(aeronDirectory.getPath())
                .archiveDir(archiveDirectory.toFile())
                .markFileDir(aeronDirectory)
                .controlChannelEnabled(false)
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel("aeron:ipc?term-length=64k"))
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .recordingEventsEnabled(false)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(() -> new SleepingMillisIdleStrategy(1))
                .segmentFileLength(SEGMENT_LENGTH)
                .recordChecksum(Checksums.crc32c())
                .replayChecksum(Checksums.crc32c()));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(aeronDirectory.getPath()));
        archive = AeronArchive.connect(new AeronArchive.Context()
            .aeron(aeron)
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlResponseChannel("aeron:ipc?term-length=64k"));
    }

    Recorded log()
    {
        return log(0);
    }

    /** A log that begins at a position, as a new standby's does. */
    Recorded log(final long position)
    {
        return record(LogGeometry.logAlias(JOB, PARTITION), LogGeometry.logStreamId(PARTITION), position);
    }

    Recorded snapshot()
    {
        return record(LogGeometry.snapshotAlias(JOB, PARTITION), LogGeometry.snapshotStreamId(PARTITION), 0);
    }

    Recorded record(final String alias, final int streamId, final long position)
    {
        final String channel = GEOMETRY.channel(alias, position);
        final ExclusivePublication publication = aeron.addExclusivePublication(channel, streamId);
        archive.startRecording(
            ChannelUri.addSessionId(channel, publication.sessionId()), streamId, SourceLocation.LOCAL, true);

        return new Recorded(publication);
    }

    void purge(final long recordingId, final long position)
    {
        archive.purgeSegments(recordingId, position);
    }

    /** End Archive and driver in order. */
    void stop()
    {
        if (!isStopped)
        {
            isStopped = true;
            CloseHelper.closeAll(archive, aeron, driver);
            IoUtil.delete(aeronDirectory, true);
        }
    }

    RecordingDirectory open()
    {
        stop();
        return RecordingDirectory.open(archiveDirectory);
    }

    /** The files as they are now. */
    RecordingDirectory copyAsKilled(final Path target)
    {
        try (Stream<Path> files = Files.list(archiveDirectory))
        {
            Files.createDirectories(target);
            for (final Path file : files.toList())
            {
                Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        return RecordingDirectory.open(target);
    }

    /** Flip the lowest bit of the byte at a position. */
    static void flip(final RecordingDirectory directory, final RecordingEntry entry, final long position)
        throws IOException
    {
        flip(directory, entry, position, 0);
    }

    static void flip(
        final RecordingDirectory directory, final RecordingEntry entry, final long position, final int bit)
        throws IOException
    {
        try (RandomAccessFile file = file(directory, entry, position))
        {
            final long offset = position - entry.segmentBase(position);
            file.seek(offset);
            final int value = file.read();
            file.seek(offset);
            file.write(value ^ 1 << bit);
        }
    }

    static RandomAccessFile file(final RecordingDirectory directory, final RecordingEntry entry, final long position)
        throws IOException
    {
        return new RandomAccessFile(directory.path().resolve(entry.segmentName(position)).toFile(), "rw");
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
    }

    /**
     * A stream that is recorded.
     */
    final class Recorded
    {
        final long recordingId;
        /** Where each record or frame ends. */
        final List<Long> ends = new ArrayList<>();
        long index;
        long chainHash = LogRecords.EMPTY_CHAIN_HASH;
        private final ExclusivePublication publication;
        private final int counterId;
        private final MessageHeaderEncoder header = new MessageHeaderEncoder();
        private final io.gradstream.codecs.snapshot.MessageHeaderEncoder frameHeader =
            new io.gradstream.codecs.snapshot.MessageHeaderEncoder();
        private final BufferClaim claim = new BufferClaim();

        Recorded(final ExclusivePublication publication)
        {
            this.publication = publication;
            final CountersReader counters = aeron.countersReader();
            await("the recording", () -> publication.isConnected() && CountersReader.NULL_COUNTER_ID !=
                RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId()));
            counterId = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId());
            recordingId = RecordingPos.getRecordingId(counters, counterId);
        }

        void epoch(final long epoch)
        {
            new EpochStartedEncoder().wrapAndApplyHeader(buffer, 0, header).nodeId(2);
            seal(MessageHeaderEncoder.ENCODED_LENGTH + EpochStartedEncoder.BLOCK_LENGTH, epoch);
        }

        void table(final TableSpec spec, final long epoch)
        {
            final TableCreatedEncoder table = new TableCreatedEncoder();
            table.wrapAndApplyHeader(buffer, 0, header)
                .rows(spec.rows()).initialiserSeed(0).tableId(spec.tableId()).dim(spec.dim())
                .elementType((short)spec.elementType().code()).initialiser((short)0).initialiserScale(0)
                .name(spec.name()).function(spec.function());
            seal(MessageHeaderEncoder.ENCODED_LENGTH + table.encodedLength(), epoch);
        }

        /** A clock record made longer, so that a few of them fill a segment. */
        void clock(final long sequence, final long epoch, final int extraLength)
        {
            buffer.setMemory(0, buffer.capacity(), (byte)sequence);
            new ClockDoneEncoder().wrapAndApplyHeader(buffer, 0, header)
                .sequence(sequence).acknowledgedThrough(0).incarnation(1).clock(sequence).slot(SLOT);
            seal(MessageHeaderEncoder.ENCODED_LENGTH + ClockDoneEncoder.BLOCK_LENGTH + extraLength, epoch);
        }

        void clocks(final int count)
        {
            for (int i = 1; i <= count; i++)
            {
                clock(i, 1, 4000);
            }
            awaitRecorded();
        }

        void snapshotStarted(final long position, final long epoch, final long index, final long chainHash)
        {
            new SnapshotStartedEncoder().wrapAndApplyHeader(buffer, 0, frameHeader)
                .position(position).epoch(epoch).index(index).chainHash(chainHash).jobId(JOB).partition(PARTITION);
            frame(SnapshotStartedEncoder.BLOCK_LENGTH);
        }

        void snapshotEntries(final int count)
        {
            for (int i = 1; i <= count; i++)
            {
                new EpochEntryEncoder().wrapAndApplyHeader(buffer, 0, frameHeader).epoch(i).startPosition(i * 64L);
                frame(EpochEntryEncoder.BLOCK_LENGTH);
            }
        }

        void snapshotEnded()
        {
            new SnapshotEndedEncoder().wrapAndApplyHeader(buffer, 0, frameHeader)
                .rowCount(0).frames(ends.size() + 1);
            frame(SnapshotEndedEncoder.BLOCK_LENGTH);
            awaitRecorded();
        }

        void awaitRecorded()
        {
            await("the end of the recording",
                () -> aeron.countersReader().getCounterValue(counterId) == publication.position());
        }

        /** Where the last record begins, if no padding stands before it. */
        long lastBegin()
        {
            return ends.get(ends.size() - 2);
        }

        long end()
        {
            return ends.get(ends.size() - 1);
        }

        void close()
        {
            awaitRecorded();
            publication.close();
        }

        private void frame(final int bodyLength)
        {
            final int length = MessageHeaderEncoder.ENCODED_LENGTH + bodyLength;
            SnapshotFrames.seal(buffer, 0, length, ends.size());
            publish(length);
        }

        private void seal(final int length, final long epoch)
        {
            chainHash = LogRecords.seal(buffer, 0, length, epoch, ++index, chainHash);
            publish(length);
        }

        private void publish(final int length)
        {
            await("room", () -> publication.tryClaim(length, claim) > 0);
            claim.buffer().putBytes(claim.offset(), buffer, 0, length);
            ends.add(publication.position());
            claim.commit();
        }
    }
}
