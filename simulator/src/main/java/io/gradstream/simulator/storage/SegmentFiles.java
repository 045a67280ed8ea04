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
     * @param records one for each that was written, in order; null for one that cannot be replayed from the end of the
     *                one before.
     * @param end     of the recording, as the repair has it.
     * @param isValid whether the Archive would offer it.
     */
    record Reading(List<SimulatedLogFile.Entry> records, long end, boolean isValid)
    {
    }

    private final Path directory = RecordingFiles.temporaryDirectory("gradstream-simulation");
    private final RecordingFiles files = new RecordingFiles();
    private final SegmentWindow window = new SegmentWindow();
    private final SegmentFrames frames = new SegmentFrames(window, LogRecords::wholeLength);
    /** The segment in the window; null between two readings. */
    private FileChannel segment;
    private long segmentBase;

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

    /**
     * Mend, as the next start would, and read each record. Damage in front of a position does not keep the Archive from
     * replaying what follows that position.
     */
    Reading mendAndRead(final List<SimulatedLogFile.Entry> written)
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
            final boolean isValid = 1 == found[2];

            return new Reading(isValid ? read(found[0], found[1], written) : List.of(), found[1], isValid);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private List<SimulatedLogFile.Entry> read(
        final long start, final long stop, final List<SimulatedLogFile.Entry> written) throws IOException
    {
        final List<SimulatedLogFile.Entry> records = new ArrayList<>();
        long position = start;
        try
        {
            for (final SimulatedLogFile.Entry each : written)
            {
                records.add(each.end <= stop ? read(position, each) : null);
                position = each.end;
            }
        }
        finally
        {
            closeSegment();
        }

        return records;
    }

    /** Reads from where the record before ends: padding may come first. */
    private SimulatedLogFile.Entry read(final long from, final SimulatedLogFile.Entry written) throws IOException
    {
        final long begin = written.end - LogRecords.alignedLength(written.bytes.capacity());
        final boolean isReached = from == begin || isSound(from) && frames.isPadding(offset(from)) &&
            begin == from - offset(from) + frames.end(offset(from));
        final long offset = offset(begin);

        return isReached && isSound(begin) && !frames.isPadding(offset) ?
            new SimulatedLogFile.Entry(
                BufferArena.copy(
                    window.buffer(), window.index(offset) + HEADER_LENGTH, frames.messageLength(offset)),
                begin - offset + frames.end(offset)) :
            null;
    }

    private boolean isSound(final long position) throws IOException
    {
        final long base = position & -TERM_LENGTH;
        if (null == segment || base != segmentBase)
        {
            closeSegment();
            segment = FileChannel.open(file(base), StandardOpenOption.READ);
            segmentBase = base;
            window.open(segment, segment.size());
            frames.open(base, STREAM);
        }

        return null == frames.problem(offset(position));
    }

    private void closeSegment() throws IOException
    {
        if (null != segment)
        {
            segment.close();
            segment = null;
        }
    }

    private static long offset(final long position)
    {
        return position & TERM_LENGTH - 1;
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
