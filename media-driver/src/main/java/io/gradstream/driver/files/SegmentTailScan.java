// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.gradstream.driver.files.SegmentFrames.StreamShape;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Reads the last segment of a recording of a killed process: where its frames end, whether they are right, whether the
 * last one is torn, and whether bytes follow that the recording has given up.
 * <p>
 * A frame is torn if it cannot have been recorded, as {@link SegmentFrames#isTorn} tells. Everything else that is wrong
 * is damage, and nothing of it is cut. The cost has a limit: each byte of one segment is read at most twice.
 * <p>
 * Aeron's own tool reads in chunks of 1 MiB. If the last frame ends at the end of a chunk or crosses it, the tool reads
 * outside the chunk: it crashes, or takes a sound recording away.
 */
final class SegmentTailScan
{
    private final SegmentWindow window = new SegmentWindow();
    private final SegmentFrames frames;

    SegmentTailScan(final RecordCheck recordCheck)
    {
        frames = new SegmentFrames(window, recordCheck);
    }

    /** Read a segment, up to the recording's stop position if it has one. */
    Findings read(final FileChannel segment, final long basePosition, final RecordingDescriptorDecoder recording)
        throws IOException
    {
        final long startTermOffset = recording.startPosition() & (recording.termBufferLength() - 1);
        window.open(segment, Math.min(recording.segmentFileLength(), segment.size()));
        frames.open(basePosition, StreamShape.of(recording));
        final boolean isFirst = basePosition == recording.startPosition() - startTermOffset;
        final long startOffset = isFirst ? startTermOffset : 0;

        return AeronArchive.NULL_POSITION == recording.stopPosition() ?
            readOpen(startOffset) : readStopped(startOffset, recording.stopPosition() - basePosition);
    }

    private Findings readOpen(final long startOffset) throws IOException
    {
        long offset = startOffset;
        while (offset < window.limit() && frames.isFrame(offset))
        {
            final String problem = frames.problem(offset);
            if (null != problem)
            {
                return frames.isTorn(offset) ?
                    new Findings(offset, (int)(frames.end(offset) - offset), false, null) : damaged(offset, problem);
            }
            offset = frames.end(offset);
        }

        final long writtenEnd = window.writtenEnd(offset, window.limit());

        return offset == writtenEnd ? new Findings(offset, 0, false, null) : damaged(
            offset, "nothing is written at offset=" + offset + ", yet what follows is written up to offset=" +
            writtenEnd);
    }

    private Findings readStopped(final long startOffset, final long endOffset) throws IOException
    {
        long offset = startOffset;
        String damage = null;
        while (null == damage && offset < endOffset && frames.isFrame(offset))
        {
            damage = frames.problem(offset);
            offset = null == damage ? frames.end(offset) : offset;
        }
        if (null == damage && offset != endOffset)
        {
            damage = "its frames end at offset=" + offset + " but it was stopped at offset=" + endOffset;
        }

        return null != damage ? damaged(offset, damage) :
            new Findings(offset, 0, window.writtenEnd(offset, window.limit()) > offset, null);
    }

    private static Findings damaged(final long offset, final String damage)
    {
        return new Findings(offset, 0, false, damage);
    }

    /**
     * The findings in a segment.
     *
     * @param endOffset  end of its last whole frame.
     * @param tornLength bytes of a torn frame that begins there, or 0.
     * @param isStale    true if something is written after the stop position.
     * @param damage     any other problem, or null.
     */
    record Findings(long endOffset, int tornLength, boolean isStale, String damage)
    {
    }
}
