// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.CatalogHeaderEncoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import io.aeron.archive.codecs.RecordingState;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.codecs.LogRecords;
import io.gradstream.driver.files.ArchiveCatalog;
import io.gradstream.driver.files.SegmentFrames.StreamShape;
import io.gradstream.driver.files.SegmentFrames;
import io.gradstream.driver.files.SegmentWindow;
import io.gradstream.driver.files.TailRepair;
import io.gradstream.simulator.world.BufferArena;
import io.gradstream.simulator.world.ScenarioConfig;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of an Archive that hold one log: written as a killed Archive leaves them, mended by the production repair,
 * and read again frame by frame.
 */
public final class SegmentFiles
{
    /** The shortest that a recording may have. */
    private static final int TERM_LENGTH = ScenarioConfig.SEGMENT_TERM_LENGTH;
    /** A kill ends a write between two of these. */
    static final int PAGE_LENGTH = 4096;

    private static final StreamShape STREAM = new StreamShape(2048, TERM_LENGTH, 7, 1003);
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int ENTRY_LENGTH = 512;
    private static final ThreadLocal<SegmentFiles> OF_THREAD = ThreadLocal.withInitial(SegmentFiles::new);

    /**
     * Records that were read of a log.
     *
     * @param records that are sound, in order, each with the position at which it ends.
     * @param end     of the recording, as the repair has it.
     * @param damage  why the recording was withdrawn, or cannot be read on behind the last sound record; or null.
     * @param isValid whether the Archive would offer it.
     */
    record Reading(List<SimulatedLogFile.Entry> records, long end, String damage, boolean isValid)
    {
    }

    private final Path directory = RecordingFiles.temporaryDirectory("gradstream-simulation");
    private final RecordingFiles files = new RecordingFiles();
    private final SegmentWindow window = new SegmentWindow();
    private final SegmentFrames frames = new SegmentFrames(window, LogRecords::wholeLength);

    private SegmentFiles()
    {
        Runtime.getRuntime().addShutdownHook(new Thread(this::delete));
    }

    /** The thread's own, empty again. */
    static SegmentFiles begin()
    {
        final SegmentFiles files = OF_THREAD.get();
        files.clear();
        return files;
    }

    /**
     * Write a log that begins at a position.
     *
     * @param torn  record that was being written, or null.
     * @param tear  position from which on nothing of it is there.
     * @param flips positions of bits, in bits, that have turned since.
     */
    void write(
        final long start,
        final List<SimulatedLogFile.Entry> records,
        final SimulatedLogFile.Entry torn,
        final long tear,
        final List<Long> flips)
    {
        files.begin(directory, 0, STREAM);
        files.write(start, records, torn, tear, flips);
        writeCatalog(start);
    }

    /** Mend, as the next start would, and read. */
    Reading mendAndRead()
    {
        try
        {
            new TailRepair(directory, LogRecords::wholeLength).run();
            final long[] found = new long[3];
            ArchiveCatalog.read(directory.resolve(ArchiveCatalog.FILE_NAME)).forEach((entry) ->
            {
                found[0] = entry.descriptor().startPosition();
                found[1] = entry.descriptor().stopPosition();
                found[2] = entry.isValid() ? 1 : 0;
            });

            return read(found[0], found[1], 1 == found[2]);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private Reading read(final long start, final long stop, final boolean isValid) throws IOException
    {
        final List<SimulatedLogFile.Entry> records = new ArrayList<>();
        String damage = isValid ? null : "withdrawn";
        long position = start;
        while (null == damage && position < stop)
        {
            final long base = position & -TERM_LENGTH;
            try (FileChannel channel = FileChannel.open(file(base), StandardOpenOption.READ))
            {
                window.open(channel, channel.size());
                frames.open(base, STREAM);
                while (null == damage && position < Math.min(stop, base + TERM_LENGTH))
                {
                    damage = frames.problem(position - base);
                    position = null == damage ? take(records, base, position) : position;
                }
            }
        }

        return new Reading(records, stop, damage, isValid);
    }

    private long take(final List<SimulatedLogFile.Entry> records, final long base, final long position)
        throws IOException
    {
        final long offset = position - base;
        final long end = base + frames.end(offset);
        if (!frames.isPadding(offset))
        {
            final UnsafeBuffer copy = BufferArena.copy(
                window.buffer(), window.index(offset) + HEADER_LENGTH, frames.messageLength(offset));
            records.add(new SimulatedLogFile.Entry(copy, end));
        }

        return end;
    }

    private void writeCatalog(final long start)
    {
        final ByteBuffer content = ByteBuffer.allocateDirect(CatalogHeaderEncoder.BLOCK_LENGTH + 2 * ENTRY_LENGTH);
        final UnsafeBuffer buffer = new UnsafeBuffer(content);
        new CatalogHeaderEncoder().wrap(buffer, 0).version(1).length(CatalogHeaderEncoder.BLOCK_LENGTH)
            .nextRecordingId(1).alignment(ENTRY_LENGTH);
        final int offset = CatalogHeaderEncoder.BLOCK_LENGTH;
        final RecordingDescriptorEncoder entry = new RecordingDescriptorEncoder()
            .wrap(buffer, offset + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH)
            .recordingId(0).startPosition(start).stopPosition(AeronArchive.NULL_POSITION)
            .initialTermId(STREAM.initialTermId()).segmentFileLength(TERM_LENGTH).termBufferLength(TERM_LENGTH)
            .mtuLength(STREAM.mtuLength()).streamId(STREAM.streamId())
            .strippedChannel("aeron:ipc").originalChannel("aeron:ipc").sourceIdentity("aeron:ipc");
        new RecordingDescriptorHeaderEncoder().wrap(buffer, offset)
            .length(entry.encodedLength()).state(RecordingState.VALID);
        RecordingFiles.write(directory.resolve(ArchiveCatalog.FILE_NAME), content);
    }

    private Path file(final long base)
    {
        return directory.resolve("0-" + base + ".rec");
    }

    private void clear()
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                Files.delete(file);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void delete()
    {
        clear();
        try
        {
            Files.delete(directory);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
