// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.gradstream.codecs.LogRecords;
import io.gradstream.driver.files.SegmentFrames.StreamShape;
import io.gradstream.driver.files.SegmentFrames;
import io.gradstream.driver.files.SegmentWindow;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Walks the frames of a recording in order, without padding, and judges each; then says how the recording ends.
 * <p>
 * The process that wrote the recording may have been killed in the middle of a write. Then the catalog does not know
 * the end: the recording ends after the last sound frame. A part of one frame with nothing after it is a torn tail,
 * which was never reported as recorded. If anything else follows, the recording is broken there. Frames are judged as
 * the repair of a killed Archive judges them, and those of Gradstream's own streams more strictly.
 */
public final class RecordingReader implements AutoCloseable
{
    /** The way a recording ends. */
    public enum End
    {
        /** Every frame up to its end is sound. */
        COMPLETE,
        /** Its process was killed while it wrote the last frame, which does not count. */
        TORN,
        /** Bytes that were recorded are damaged or missing. */
        BROKEN
    }

    private final SegmentWindow window = new SegmentWindow();
    private final SegmentFrames frames = new SegmentFrames(window, LogRecords::wholeLength);
    private final RecordingDirectory directory;
    private final RecordingEntry entry;
    private final StreamShape shape;
    private FileChannel segment;
    private long segmentBase = -1;
    private long position;
    private long beginPosition;
    private int offset;
    private int length;
    private End end;
    private String problem;

    RecordingReader(final RecordingDirectory directory, final RecordingEntry entry, final long fromPosition)
    {
        final LogGeometry geometry = entry.geometry();
        this.directory = directory;
        this.entry = entry;
        shape = new StreamShape(
            geometry.mtuLength(), geometry.termLength(), geometry.initialTermId(), entry.streamId());
        position = fromPosition;
        beginPosition = fromPosition;
    }

    /** Go to the next frame that is not padding; false if there is none: {@link #end()} says why. */
    public boolean next()
    {
        try
        {
            while (null == end)
            {
                final String wrong = problemAt(position);
                if (null != wrong)
                {
                    finish(wrong);
                }
                else if (null == end && step())
                {
                    return true;
                }
            }

            return false;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + file(position), ex);
        }
    }

    /** The way the recording ends, or null while there may be more frames. */
    public End end()
    {
        return end;
    }

    /** The problem at {@link #position()}, or null if the end is complete or not reached. */
    public String problem()
    {
        return problem;
    }

    /**
     * The end of the current frame, padding to its alignment included. At the end of the recording, where sound frames
     * end.
     */
    public long position()
    {
        return position;
    }

    public long beginPosition()
    {
        return beginPosition;
    }

    /** Buffer off heap that holds the current frame's body until the next one is asked for. */
    public DirectBuffer buffer()
    {
        return window.buffer();
    }

    public int offset()
    {
        return offset;
    }

    public int length()
    {
        return length;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(segment, window);
    }

    private String problemAt(final long at) throws IOException
    {
        if (entry.isStopped() && at >= entry.stopPosition())
        {
            end = End.COMPLETE;
            return null;
        }
        if (!open(at))
        {
            return "segment file " + entry.segmentName(at) + " is missing";
        }
        final long frame = at - segmentBase;
        final String wrong = frames.problem(frame);
        if (null != wrong)
        {
            return wrong;
        }
        if (entry.isStopped() && segmentBase + frames.end(frame) > entry.stopPosition())
        {
            return "its frame goes beyond the recording's end at " + entry.stopPosition();
        }

        return Kind.OTHER == entry.kind() ? null : problemOfOurs(frame);
    }

    /** No claim is ever aborted in a log, so what pads fills up its term; and each record is one frame. */
    private String problemOfOurs(final long frame) throws IOException
    {
        if (frames.isPadding(frame))
        {
            return frames.isAtTermEnd(frames.end(frame)) ? null : "padding in the middle of a term";
        }

        return frames.isUnfragmented(frame) ? null : "its frame holds a part of a record";
    }

    private boolean step() throws IOException
    {
        final long frame = position - segmentBase;
        final boolean isPadding = frames.isPadding(frame);
        beginPosition = position;
        position = segmentBase + frames.end(frame);
        offset = window.index(frame) + SegmentFrames.HEADER_LENGTH;
        length = frames.messageLength(frame);

        return !isPadding;
    }

    private void finish(final String wrong) throws IOException
    {
        if (entry.isStopped())
        {
            end = End.BROKEN;
            problem = wrong;
            return;
        }

        final long writtenEnd = writtenEnd();
        if (writtenEnd == position)
        {
            end = End.COMPLETE;
            return;
        }
        final boolean isTorn = open(position) && writtenEnd <= segmentBase + window.limit() &&
            frames.isTorn(position - segmentBase);
        end = isTorn ? End.TORN : End.BROKEN;
        problem = isTorn ? wrong : wrong + ", and it is not the rest of a write: something is written up to " +
            "position=" + writtenEnd;
    }

    /** Where the last byte ends that is not zero, in the files that are there, or the position. */
    private long writtenEnd() throws IOException
    {
        long written = position;
        for (final long base : directory.segmentBases(entry))
        {
            if (base + entry.segmentLength() > position && open(Math.max(base, entry.startPosition())))
            {
                final long from = Math.max(position, base);
                final long writtenHere = base + window.writtenEnd(from - base, window.limit());
                written = writtenHere > from ? writtenHere : written;
            }
        }

        return written;
    }

    /** Have the window on the segment that holds a position; false if its file is missing. */
    private boolean open(final long at) throws IOException
    {
        final long base = entry.segmentBase(at);
        if (base == segmentBase)
        {
            return true;
        }
        segmentBase = -1;
        CloseHelper.close(segment);
        segment = null;
        final Path file = file(at);
        if (!Files.isRegularFile(file))
        {
            return false;
        }
        segment = FileChannel.open(file, StandardOpenOption.READ);
        window.open(segment, Math.min(entry.segmentLength(), segment.size()));
        frames.open(base, shape);
        segmentBase = base;

        return true;
    }

    private Path file(final long at)
    {
        return directory.path().resolve(entry.segmentName(at));
    }
}
