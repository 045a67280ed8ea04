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
package io.gradstream.driver;

import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import org.agrona.BitUtil;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.aeron.archive.client.AeronArchive.NULL_POSITION;

/**
 * Makes the recordings of a killed process fit for the next Archive, which refuses to start on a torn last fragment.
 * <p>
 * A torn fragment lies beyond every position its Archive had reported, so cutting it loses nothing acknowledged. The
 * last segment of each recording is checked whole; what rotted earlier shows when it is replayed.
 */
final class TailRepair
{
    private static final Pattern SEGMENT_NAME = Pattern.compile("(\\d{1,19})-(\\d{1,19})\\.rec");
    private static final String SEGMENT_FILES = "*.rec";

    private final Path archiveDirectory;
    private final LastSegment lastSegment = new LastSegment();
    private final Map<Long, Long> lastSegmentPositions = new HashMap<>();
    private final List<String> truncated = new ArrayList<>();
    private final List<String> damaged = new ArrayList<>();

    TailRepair(final Path archiveDirectory)
    {
        this.archiveDirectory = archiveDirectory;
    }

    /**
     * Examine and repair. Only for whoever holds the directory.
     *
     * @return what was found.
     * @throws IOException if a file cannot be read or written.
     */
    RepairReport run() throws IOException
    {
        final long startNs = System.nanoTime();
        findSegments();
        final ArchiveCatalog catalog = ArchiveCatalog.read(archiveDirectory.resolve(ArchiveDirectory.CATALOG_FILE));
        if (catalog.forEach(this::mend) > 0)
        {
            catalog.write();
        }

        return new RepairReport(true, List.copyOf(truncated), List.copyOf(damaged), System.nanoTime() - startNs);
    }

    // A segment file is made empty, then given its length: killed in between, the Archive leaves one without a frame.
    private void findSegments() throws IOException
    {
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(archiveDirectory, SEGMENT_FILES))
        {
            for (final Path segment : segments)
            {
                final Matcher name = SEGMENT_NAME.matcher(segment.getFileName().toString());
                if (0 == Files.size(segment))
                {
                    Files.delete(segment);
                    truncated.add(segment.getFileName() + " removed (an empty segment)");
                }
                else if (name.matches())
                {
                    lastSegmentPositions.merge(
                        Long.parseLong(name.group(1)), Long.parseLong(name.group(2)), Math::max);
                }
            }
        }
    }

    private void mend(final ArchiveCatalog entry) throws IOException
    {
        final RecordingDescriptorDecoder recording = entry.descriptor();
        final Long segmentPosition = lastSegmentPositions.get(recording.recordingId());
        String damage = findContradiction(recording, segmentPosition);
        if (null == damage)
        {
            long stopPosition = recording.startPosition();
            if (null != segmentPosition)
            {
                final LastSegment.Findings findings = mendSegment(recording, segmentPosition);
                stopPosition = Math.max(stopPosition, segmentPosition + findings.endOffset());
                damage = findings.damage();
            }
            if (null == damage && stopPosition != recording.stopPosition())
            {
                entry.stop(stopPosition, System.currentTimeMillis());
            }
        }

        if (null != damage)
        {
            damaged.add("recordingId=" + recording.recordingId() + ": " + damage);
            entry.valid(false);
        }
        else if (null != segmentPosition)
        {
            entry.valid(true);
        }
    }

    private LastSegment.Findings mendSegment(final RecordingDescriptorDecoder recording, final long segmentPosition)
        throws IOException
    {
        final Path file = archiveDirectory.resolve(recording.recordingId() + "-" + segmentPosition + ".rec");
        try (FileChannel segment = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final LastSegment.Findings findings = lastSegment.read(segment, segmentPosition, recording);
            if (findings.tornLength() > 0)
            {
                segment.truncate(findings.endOffset());
                truncated.add(file.getFileName() + " cut at offset " + findings.endOffset() + " (torn fragment of " +
                    findings.tornLength() + " bytes)");
            }
            // killed before, or just now cut
            if (null == findings.damage() && segment.size() < recording.segmentFileLength())
            {
                segment.write(ByteBuffer.allocate(1), recording.segmentFileLength() - 1L);
            }

            return findings;
        }
    }

    /** What no recording says of itself, or null. */
    private static String findContradiction(final RecordingDescriptorDecoder recording, final Long segmentPosition)
    {
        final long startPosition = recording.startPosition();
        final long stopPosition = recording.stopPosition();
        final int termLength = recording.termBufferLength();
        final int segmentLength = recording.segmentFileLength();
        final boolean isGeometry = BitUtil.isPowerOfTwo(termLength) && BitUtil.isPowerOfTwo(segmentLength) &&
            termLength >= LogBufferDescriptor.TERM_MIN_LENGTH && termLength <= LogBufferDescriptor.TERM_MAX_LENGTH &&
            termLength <= segmentLength;
        final boolean isRange = isPosition(startPosition) &&
            (NULL_POSITION == stopPosition || isPosition(stopPosition) && stopPosition >= startPosition);
        final long maxPosition = null == segmentPosition ? Long.MAX_VALUE : segmentPosition + segmentLength;
        if (isGeometry && isRange && startPosition <= maxPosition && stopPosition <= maxPosition)
        {
            return null;
        }

        return "its catalog entry contradicts itself or its files: startPosition=" + startPosition +
            " stopPosition=" + stopPosition + " termBufferLength=" + termLength + " segmentFileLength=" +
            segmentLength + " last segment at position=" + segmentPosition;
    }

    private static boolean isPosition(final long position)
    {
        return position >= 0 && 0 == (position & (FrameDescriptor.FRAME_ALIGNMENT - 1));
    }
}
