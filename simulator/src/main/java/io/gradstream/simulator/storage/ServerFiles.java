// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.CatalogHeaderEncoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import io.aeron.archive.codecs.RecordingState;
import io.gradstream.codecs.LogRecords;
import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.driver.files.SegmentFrames.StreamShape;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.simulator.world.ScenarioConfig;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories of servers whose processes have all died: the catalog of an Archive, and the files of logs and
 * snapshots as the kill has left them. The production code reads them.
 */
public final class ServerFiles implements AutoCloseable
{
    private static final int TERM_LENGTH = ScenarioConfig.SEGMENT_TERM_LENGTH;
    private static final int ENTRY_LENGTH = 512;
    private static final int MTU_LENGTH = 2048;
    private static final int INITIAL_TERM_ID = 7;
    private static final int LOG_STREAM_BASE = 1000;
    private static final int SNAPSHOT_STREAM_BASE = 20_000;

    private final Path root = RecordingFiles.temporaryDirectory("gradstream-servers");
    private final RecordingFiles files = new RecordingFiles();

    /** An entry of a catalog. */
    private record Recording(String kind, int partition, int streamId, long start, boolean isValid)
    {
    }

    /**
     * Write the directory of a server.
     *
     * @param server     its number.
     * @param partitions what it has kept of each partition; null for one of which it has nothing.
     * @return the directory as the production code finds it.
     */
    public RecordingDirectory write(final int server, final List<SimulatedStorage> partitions)
    {
        final Path directory = root.resolve("server-" + server);
        final List<Recording> recordings = new ArrayList<>();
        try
        {
            Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        for (int number = 0; number < partitions.size(); number++)
        {
            if (null != partitions.get(number))
            {
                write(directory, number, partitions.get(number), recordings);
            }
        }
        writeCatalog(directory, recordings);

        return RecordingDirectory.open(directory);
    }

    private void write(
        final Path directory, final int number, final SimulatedStorage storage, final List<Recording> recordings)
    {
        if (storage.file().isKept())
        {
            final int streamId = LOG_STREAM_BASE + number;
            files.begin(directory, recordings.size(), shape(streamId));
            storage.file().write(files);
            recordings.add(
                new Recording("log", number, streamId, storage.file().start(), !storage.file().isWithdrawn()));
        }
        for (final SimulatedSnapshot snapshot : storage.snapshots())
        {
            final int streamId = SNAPSHOT_STREAM_BASE + number;
            files.begin(directory, recordings.size(), shape(streamId));
            files.write(0, entries(storage.read(snapshot)), null, 0, snapshot.isSound() ? List.of() :
                List.of((long)RecordingFiles.FIRST_BIT));
            recordings.add(new Recording("snapshot", number, streamId, 0, true));
        }
    }

    private static StreamShape shape(final int streamId)
    {
        return new StreamShape(MTU_LENGTH, TERM_LENGTH, INITIAL_TERM_ID, streamId);
    }

    /** The frames of a snapshot, one after the other. */
    private static List<SimulatedLogFile.Entry> entries(final List<UnsafeBuffer> frames)
    {
        final List<SimulatedLogFile.Entry> entries = new ArrayList<>();
        long position = 0;
        for (final UnsafeBuffer frame : frames)
        {
            final int length = LogRecords.alignedLength(frame.capacity());
            final long next = (position & -TERM_LENGTH) + TERM_LENGTH;
            position = position + length > next ? next + length : position + length;
            entries.add(new SimulatedLogFile.Entry(frame, position));
        }

        return entries;
    }

    private static void writeCatalog(final Path directory, final List<Recording> recordings)
    {
        final ByteBuffer content =
            ByteBuffer.allocateDirect(CatalogHeaderEncoder.BLOCK_LENGTH + (recordings.size() + 1) * ENTRY_LENGTH);
        final UnsafeBuffer buffer = new UnsafeBuffer(content);
        new CatalogHeaderEncoder().wrap(buffer, 0).version(1).length(CatalogHeaderEncoder.BLOCK_LENGTH)
            .nextRecordingId(recordings.size()).alignment(ENTRY_LENGTH);
        for (int id = 0; id < recordings.size(); id++)
        {
            final Recording recording = recordings.get(id);
            final int offset = CatalogHeaderEncoder.BLOCK_LENGTH + id * ENTRY_LENGTH;
            final String channel = "aeron:ipc?alias=gradstream-" + recording.kind + "-" + ScenarioConfig.JOB_ID + "-" +
                recording.partition;
            final RecordingDescriptorEncoder entry = new RecordingDescriptorEncoder()
                .wrap(buffer, offset + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH)
                .recordingId(id).startPosition(recording.start).stopPosition(AeronArchive.NULL_POSITION)
                .initialTermId(INITIAL_TERM_ID).segmentFileLength(TERM_LENGTH).termBufferLength(TERM_LENGTH)
                .mtuLength(MTU_LENGTH).streamId(recording.streamId)
                .strippedChannel("aeron:ipc").originalChannel(channel).sourceIdentity("aeron:ipc");
            new RecordingDescriptorHeaderEncoder().wrap(buffer, offset).length(entry.encodedLength())
                .state(recording.isValid ? RecordingState.VALID : RecordingState.INVALID);
        }
        RecordingFiles.write(directory.resolve(ArchiveCatalog.FILE_NAME), content);
    }

    @Override
    public void close()
    {
        IoUtil.delete(root.toFile(), true);
    }
}
