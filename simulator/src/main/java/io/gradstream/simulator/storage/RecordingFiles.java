// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.codecs.LogRecords;
import io.gradstream.driver.files.SegmentFrames.StreamShape;
import io.gradstream.simulator.world.ScenarioConfig;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Writes the segment files of one recording after the other, frame by frame, as a killed Archive leaves them. */
final class RecordingFiles
{
    /** In bits: the first bit of the message of a recording's first frame. */
    static final int FIRST_BIT = DataHeaderFlyweight.HEADER_LENGTH * Byte.SIZE;

    private static final int TERM_LENGTH = ScenarioConfig.SEGMENT_TERM_LENGTH;
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Checksum checksum = Checksums.crc32c();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(TERM_LENGTH);
    private final UnsafeBuffer segment = new UnsafeBuffer(bytes);
    private final DataHeaderFlyweight header = new DataHeaderFlyweight();
    private Path directory;
    private long recordingId;
    private StreamShape shape;

    /** Create a directory in memory, if there is such, else on disk. */
    static Path temporaryDirectory(final String prefix)
    {
        try
        {
            return Files.isWritable(MEMORY) ?
                Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** The next recording is this. */
    void begin(final Path newDirectory, final long newRecordingId, final StreamShape newShape)
    {
        directory = newDirectory;
        recordingId = newRecordingId;
        shape = newShape;
    }

    /**
     * Write a recording that begins at a position.
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
        long base = start & -TERM_LENGTH;
        long position = start;
        segment.setMemory(0, TERM_LENGTH, (byte)0);
        final List<SimulatedLogFile.Entry> all = new ArrayList<>(records);
        if (null != torn)
        {
            all.add(torn);
        }
        for (final SimulatedLogFile.Entry each : all)
        {
            final long begin = each.end - LogRecords.alignedLength(each.bytes.capacity());
            if (begin > position)
            {
                frame(position, (int)(begin - position), DataHeaderFlyweight.HDR_TYPE_PAD);
            }
            if (begin >= base + TERM_LENGTH)
            {
                writeSegment(base, flips);
                base = begin & -TERM_LENGTH;
                segment.setMemory(0, TERM_LENGTH, (byte)0);
            }
            record(begin, each);
            position = each.end;
        }
        if (null != torn)
        {
            final int cut = (int)(tear - base);
            segment.setMemory(cut, TERM_LENGTH - cut, (byte)0);
        }
        writeSegment(base, flips);
    }

    private void record(final long position, final SimulatedLogFile.Entry entry)
    {
        final int length = entry.bytes.capacity();
        final int body = frame(position, HEADER_LENGTH + length, DataHeaderFlyweight.HDR_TYPE_DATA);
        segment.putBytes(body, entry.bytes, 0, length);
        header.sessionId(checksum.compute(
            segment.addressOffset(), body, LogRecords.alignedLength(length) - HEADER_LENGTH));
    }

    private int frame(final long position, final int length, final int type)
    {
        final int offset = (int)(position & TERM_LENGTH - 1);
        header.wrap(segment, offset, HEADER_LENGTH);
        header.frameLength(length).version(DataHeaderFlyweight.CURRENT_VERSION)
            .flags(DataHeaderFlyweight.BEGIN_AND_END_FLAGS).headerType(type);
        header.termOffset(offset).streamId(shape.streamId())
            .termId(shape.initialTermId() + (int)(position / TERM_LENGTH));

        return offset + HEADER_LENGTH;
    }

    private void writeSegment(final long base, final List<Long> flips)
    {
        for (final long bit : flips)
        {
            final long offset = bit / Byte.SIZE - base;
            if (offset >= 0 && offset < TERM_LENGTH)
            {
                segment.putByte((int)offset, (byte)(segment.getByte((int)offset) ^ 1 << (int)(bit % Byte.SIZE)));
            }
        }
        write(directory.resolve(recordingId + "-" + base + ".rec"), bytes.clear());
    }

    static void write(final Path file, final ByteBuffer content)
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        {
            while (content.hasRemaining())
            {
                channel.write(content);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
