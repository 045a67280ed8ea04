// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

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
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.SnapshotSink;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.function.Doubling;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.function.UserProvider;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.partition.PushPartHeader;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.testing.TestMemory;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A live partition whose log and snapshots a real Archive records, and what its state hash was at each position.
 */
final class RecordedPartition implements AutoCloseable
{
    static final LogGeometry GEOMETRY = new LogGeometry(8192, 64 * 1024, 7);
    static final int SEGMENT_LENGTH = 64 * 1024;
    static final int JOB = 1;
    static final int PARTITION = 0;
    static final TableSpec WEIGHTS = TableSpec.sparse(0, "weights", 2, "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1");
    static final TableSpec WIDE = TableSpec.sparse(1, "wide", 500, "sgd/1 rate=0.1");

    /** With one of a user, which adds what is pushed twice. */
    static final UpdateFunctions FUNCTIONS = UpdateFunctions.BUILT_IN.with(
        new UserProvider("twice", 1, (parameters) -> new Doubling()));

    final TreeMap<Long, Long> hashes = new TreeMap<>();
    final Path archiveDirectory;
    Partition partition;
    RecordedLog log;
    private final File aeronDirectory = TestMemory.directory("recorded").toFile();
    private final ArchivingMediaDriver driver;
    private final Aeron aeron;
    private final AeronArchive archive;
    private final int number;
    private final PartitionFunction placement;
    private final PushPartHeader part = new PushPartHeader();
    private final Sections sections = new Sections();
    private final UnsafeBuffer push = new UnsafeBuffer(ByteBuffer.allocateDirect(8192));
    private final long[] sequences = new long[Consistency.MAX_SLOTS];
    private boolean isStopped;

    /** The only partition of its job. */
    RecordedPartition(final Path directory)
    {
        this(directory, PARTITION, 1);
    }

    /** One of several. */
    RecordedPartition(final Path directory, final int number, final int partitionCount)
    {
        this.number = number;
        placement = new PartitionFunction(partitionCount);
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

    /** Start an epoch on a log of its own and create the tables. */
    void start()
    {
        start(1);
    }

    /** As {@link #start()}, under another epoch. */
    void start(final long epoch)
    {
        partition = new Partition(JOB, number, 0, placement,
            (number, spec, rowLength) -> new InMemoryRowStore(rowLength, 10_000),
            RecoveryMode.REPLAY, FUNCTIONS);
        hashes.put(0L, partition.stateHash());
        log = new RecordedLog(record(LogGeometry.logAlias(JOB, number), LogGeometry.logStreamId(number)));
        final LogAppender appender = new LogAppender(
            log, partition, (previous, end, buffer, offset, length) -> {}, (started) -> true);
        appender.startEpoch(epoch);
        await("the epoch's start", () -> partition.tryStartEpoch(appender));
        note();
        createTable(WEIGHTS);
        createTable(WIDE);
    }

    void createTable(final TableSpec spec)
    {
        await("table " + spec.name(), () -> Outcome.NOT_NOW != partition.onCreateTable(spec, partition.epoch()));
        note();
    }

    /** Push one row of a table. */
    void push(final TableSpec table, final long key, final float value)
    {
        push(0, table, key, value);
    }

    /** A slot pushes one row of a table. */
    void push(final int slot, final TableSpec table, final long key, final float value)
    {
        final PushEncoder encoder = new PushEncoder();
        encoder.wrapAndApplyHeader(push, 0, new MessageHeaderEncoder())
            .sectionsCount(1).next().tableId(table.tableId()).rowCount(1).valuesLength(table.valuesLength())
            .keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        final UnsafeBuffer body = new UnsafeBuffer(new byte[Long.BYTES + table.valuesLength()]);
        body.putLong(0, key, ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < table.dim(); i++)
        {
            body.putFloat(Long.BYTES + i * Float.BYTES, value / (i + 1), ByteOrder.LITTLE_ENDIAN);
        }
        encoder.putBody(body, 0, body.capacity());
        final int begin = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;
        part.set(slot, 1, partition.epoch(), ++sequences[slot], 0, 0);
        await("room", () -> Outcome.APPENDED ==
            partition.onPush(part, sections, push, begin, encoder.limit() - begin));
        await("recording", () -> log.stream.recorded() > partition.cursor().position() - SEGMENT_LENGTH / 4);
        partition.progress().onPositions(slot, log.stream.recorded(), log.stream.recorded(), 0);
        note();
    }

    /** The slot ends an iteration; returns the position of that. */
    long clock(final long clock)
    {
        return clock(0, clock);
    }

    /** As {@link #clock(long)}, of another slot. */
    long clock(final int slot, final long clock)
    {
        part.set(slot, 1, partition.epoch(), ++sequences[slot], 0, clock);
        await("room", () -> Outcome.APPENDED == partition.onClockDone(part));
        note();

        return partition.cursor().position();
    }

    /** The first key at or behind one that belongs to the partition. */
    long ownKey(final TableSpec table, final long from)
    {
        long key = from;
        while (placement.partitionOf(table.tableId(), key) != number)
        {
            key++;
        }

        return key;
    }

    void pushes(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            push(0 == i % 3 ? WEIGHTS : WIDE, i % 17, 0.37f * i - 3);
        }
    }

    /** A snapshot of the state as it is now; returns its recording. */
    long takeSnapshot()
    {
        final RecordedSnapshot sink = new RecordedSnapshot(
            record(LogGeometry.snapshotAlias(JOB, number), LogGeometry.snapshotStreamId(number)));
        partition.snapshots().start(sink);
        await("snapshot", () ->
        {
            partition.snapshots().doWork();
            return !partition.snapshots().isUnderWay();
        });

        return sink.stream.recordingId;
    }

    void purgeLog(final long position)
    {
        archive.purgeSegments(log.stream.recordingId, position / SEGMENT_LENGTH * SEGMENT_LENGTH);
    }

    RecordingDirectory stopAndOpen()
    {
        if (!isStopped)
        {
            isStopped = true;
            if (null != log)
            {
                await("the end of the log", () -> log.stream.recorded() == log.position());
            }
            CloseHelper.closeAll(archive, aeron, driver);
            IoUtil.delete(aeronDirectory, true);
        }

        return RecordingDirectory.open(archiveDirectory);
    }

    @Override
    public void close()
    {
        stopAndOpen();
        partition.close();
    }

    private void note()
    {
        hashes.put(partition.cursor().position(), partition.stateHash());
    }

    private Stream record(final String alias, final int streamId)
    {
        final String channel = GEOMETRY.channel(alias, 0);
        final ExclusivePublication publication = aeron.addExclusivePublication(channel, streamId);
        archive.startRecording(
            ChannelUri.addSessionId(channel, publication.sessionId()), streamId, SourceLocation.LOCAL, true);

        return new Stream(publication);
    }

    private static void await(final String what, final BooleanSupplier condition)
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

    private final class Stream
    {
        final ExclusivePublication publication;
        final BufferClaim claim = new BufferClaim();
        final long recordingId;
        private final int counterId;

        Stream(final ExclusivePublication publication)
        {
            this.publication = publication;
            final CountersReader counters = aeron.countersReader();
            await("the recording", () -> publication.isConnected() && CountersReader.NULL_COUNTER_ID !=
                RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId()));
            counterId = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archive.archiveId());
            recordingId = RecordingPos.getRecordingId(counters, counterId);
        }

        boolean tryClaim(final int length)
        {
            return publication.tryClaim(length, claim) > 0;
        }

        long recorded()
        {
            return aeron.countersReader().getCounterValue(counterId);
        }
    }

    /** The log of the partition. */
    final class RecordedLog implements Log
    {
        final Stream stream;

        RecordedLog(final Stream stream)
        {
            this.stream = stream;
        }

        @Override
        public int maxRecordLength()
        {
            return stream.publication.maxPayloadLength();
        }

        @Override
        public long position()
        {
            return stream.publication.position();
        }

        @Override
        public boolean tryClaim(final int length)
        {
            return stream.tryClaim(length);
        }

        @Override
        public boolean tryPadTo(final long position)
        {
            throw new IllegalStateException("nobody follows, position=" + position);
        }

        @Override
        public long claimEndPosition()
        {
            return stream.publication.position();
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return stream.claim.buffer();
        }

        @Override
        public int offset()
        {
            return stream.claim.offset();
        }

        @Override
        public void commit()
        {
            stream.claim.commit();
        }

        @Override
        public long recordedPosition()
        {
            return stream.recorded();
        }

        @Override
        public boolean isAlive()
        {
            return true;
        }

        @Override
        public void close()
        {
            stream.publication.close();
        }
    }

    /** One snapshot of the partition. */
    private final class RecordedSnapshot implements SnapshotSink
    {
        final Stream stream;

        RecordedSnapshot(final Stream stream)
        {
            this.stream = stream;
        }

        @Override
        public int maxFrameLength()
        {
            return stream.publication.maxPayloadLength();
        }

        @Override
        public boolean tryClaim(final int length)
        {
            return stream.tryClaim(length);
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return stream.claim.buffer();
        }

        @Override
        public int offset()
        {
            return stream.claim.offset();
        }

        @Override
        public void commit()
        {
            stream.claim.commit();
        }

        @Override
        public void complete()
        {
            await("the end of the snapshot", () -> stream.recorded() == stream.publication.position());
            stream.publication.close();
        }

        @Override
        public boolean hasFailed()
        {
            return false;
        }

        @Override
        public boolean isVerified()
        {
            return stream.publication.isClosed();
        }

        @Override
        public long olderPosition()
        {
            return 0;
        }
    }
}
