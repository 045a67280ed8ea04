// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import io.aeron.archive.client.AeronArchive;
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
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.aeron.archive.client.AeronArchive.NULL_POSITION;

/**
 * Makes the recordings of a killed process fit for the next Archive, which refuses to start on a torn last fragment.
 * <p>
 * A torn fragment lies beyond every position its Archive had reported, so cutting it loses nothing acknowledged;
 * {@link SegmentTailScan} calls nothing torn that may have been recorded. A stop position that the Archive had written
 * holds: what lies after it is the rest of a truncation that was under way, and is removed. The last segment of each
 * recording is checked whole; what rotted earlier shows when it is replayed. A recording that is damaged, or has a file
 * that cannot be used, is withdrawn and reported, and the others are mended all the same.
 */
public final class TailRepair
{
    private static final Pattern SEGMENT_NAME = Pattern.compile("(\\d{1,18})-(\\d{1,18})\\.rec");
    private static final String SEGMENT_FILES = "*.rec";
    private static final NavigableMap<Long, Path> NO_SEGMENTS = new TreeMap<>();

    private final Path archiveDirectory;
    private final SegmentOpener opener;
    private final SegmentTailScan tailScan;
    /** By recording id and position. */
    private final Map<Long, NavigableMap<Long, Path>> segments = new HashMap<>();
    /** The problem of a segment that could not be put in order, by recording id. */
    private final Map<Long, String> unusable = new HashMap<>();
    private final List<String> truncated = new ArrayList<>();
    private final List<String> damaged = new ArrayList<>();
    private final List<String> mended = new ArrayList<>();

    public TailRepair(final Path archiveDirectory, final RecordCheck recordCheck)
    {
        this(archiveDirectory, recordCheck, FileChannel::open);
    }

    public TailRepair(final Path archiveDirectory, final RecordCheck recordCheck, final SegmentOpener opener)
    {
        this.archiveDirectory = archiveDirectory;
        this.opener = opener;
        tailScan = new SegmentTailScan(recordCheck);
    }

    /** Examine and repair. Only the process that holds the directory may. */
    public RepairReport run() throws IOException
    {
        final long startNs = System.nanoTime();
        findSegments();
        final ArchiveCatalog catalog = ArchiveCatalog.read(archiveDirectory.resolve(ArchiveCatalog.FILE_NAME));
        int changed = catalog.forEach(this::mend);
        final long recordings = segments.keySet().stream().mapToLong((id) -> id + 1).max().orElse(0);
        final long nextRecordingId = catalog.nextRecordingId();
        if (catalog.raiseNextRecordingId(recordings))
        {
            changed++;
            mended.add("the catalog's next recording is " + catalog.nextRecordingId() + ", was " + nextRecordingId);
        }
        if (changed > 0)
        {
            catalog.write();
        }

        return new RepairReport(
            true, List.copyOf(truncated), List.copyOf(damaged), List.copyOf(mended), System.nanoTime() - startNs);
    }

    // A segment file is made empty, then given its length: killed in between, the Archive leaves one without a frame.
    private void findSegments() throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(archiveDirectory, SEGMENT_FILES))
        {
            for (final Path file : files)
            {
                final Matcher name = SEGMENT_NAME.matcher(file.getFileName().toString());
                if (name.matches())
                {
                    findSegment(file, Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
                }
            }
        }
    }

    private void findSegment(final Path file, final long recordingId, final long position)
    {
        try
        {
            if (0 == Files.size(file))
            {
                remove(file, "an empty segment");
                return;
            }
        }
        catch (final IOException ex)
        {
            unusable.put(recordingId, cannotBeUsed(ex));
        }
        segments.computeIfAbsent(recordingId, (id) -> new TreeMap<>()).put(position, file);
    }

    private void mend(final ArchiveCatalog entry) throws IOException
    {
        final RecordingDescriptorDecoder recording = entry.descriptor();
        final NavigableMap<Long, Path> files = segments.getOrDefault(recording.recordingId(), NO_SEGMENTS);
        if (files.isEmpty() && entry.isUnfinished())
        {
            entry.delete();
            mended.add("recordingId=" + recording.recordingId() + " was not begun: its catalog entry is unfinished");
            return;
        }

        final String damage = findDamage(entry, files);
        if (null != damage)
        {
            damaged.add("recordingId=" + recording.recordingId() + ": " + damage);
            entry.valid(false);
        }
        else if (!files.isEmpty())
        {
            entry.valid(true);
        }
    }

    /**
     * Put the end in order. Returns the damage, or null. A file that cannot be used is damage of its recording alone.
     */
    private String findDamage(final ArchiveCatalog entry, final NavigableMap<Long, Path> files)
    {
        final RecordingDescriptorDecoder recording = entry.descriptor();
        final String unusableFile = unusable.get(recording.recordingId());
        final String damage = null == unusableFile ? findContradiction(recording) : unusableFile;
        if (null != damage)
        {
            return damage;
        }
        try
        {
            return NULL_POSITION == recording.stopPosition() ?
                mendOpen(entry, files) : mendStopped(recording, files);
        }
        catch (final IOException ex)
        {
            return cannotBeUsed(ex);
        }
    }

    /** Let a recording that was under way end where its frames end. Returns the damage, or null. */
    private String mendOpen(final ArchiveCatalog entry, final NavigableMap<Long, Path> files) throws IOException
    {
        final RecordingDescriptorDecoder recording = entry.descriptor();
        long stopPosition = recording.startPosition();
        if (!files.isEmpty())
        {
            final long basePosition = files.lastKey();
            if (stopPosition > basePosition + recording.segmentFileLength())
            {
                return "startPosition=" + stopPosition + " is after its last segment, position=" + basePosition;
            }
            final SegmentTailScan.Findings findings = mendSegment(recording, basePosition, files.get(basePosition));
            if (null != findings.damage())
            {
                return findings.damage();
            }
            stopPosition = Math.max(stopPosition, basePosition + findings.endOffset());
        }
        entry.stop(stopPosition, System.currentTimeMillis());

        return null;
    }

    /**
     * See that a stopped recording is there up to its stop position, and remove what lies after it. Returns the damage,
     * or null.
     */
    private String mendStopped(final RecordingDescriptorDecoder recording, final NavigableMap<Long, Path> files)
        throws IOException
    {
        final long startPosition = recording.startPosition();
        final long stopPosition = recording.stopPosition();
        final long lastPosition = AeronArchive.segmentFileBasePosition(
            startPosition, Math.max(startPosition, stopPosition - 1), recording.termBufferLength(),
            recording.segmentFileLength());
        final NavigableMap<Long, Path> behind = files.tailMap(lastPosition, false);
        for (final Path file : behind.values())
        {
            remove(file, "after the stop position");
        }
        behind.clear();

        final Path last = files.get(lastPosition);
        if (null != last)
        {
            return mendSegment(recording, lastPosition, last).damage();
        }

        return stopPosition == startPosition ? null :
            "its last segment is missing, position=" + lastPosition + " stopPosition=" + stopPosition;
    }

    private SegmentTailScan.Findings mendSegment(
        final RecordingDescriptorDecoder recording, final long basePosition, final Path file) throws IOException
    {
        final SegmentTailScan.Findings findings;
        try (FileChannel channel = opener.open(file, StandardOpenOption.READ))
        {
            findings = tailScan.read(channel, basePosition, recording);
        }
        if (null == findings.damage())
        {
            cut(file, findings, recording.segmentFileLength());
        }

        return findings;
    }

    private void cut(final Path file, final SegmentTailScan.Findings findings, final int segmentLength)
        throws IOException
    {
        try (FileChannel channel = opener.open(file, StandardOpenOption.WRITE))
        {
            if (findings.tornLength() > 0 || findings.isStale())
            {
                channel.truncate(findings.endOffset());
                truncated.add(file.getFileName() + " cut at offset " + findings.endOffset() +
                    (findings.isStale() ? " (after the stop position)" :
                    " (torn fragment of " + findings.tornLength() + " bytes)"));
            }
            // now cut, or killed when it had been
            if (channel.size() < segmentLength)
            {
                channel.write(ByteBuffer.allocate(1), segmentLength - 1L);
            }
        }
    }

    private void remove(final Path file, final String reason) throws IOException
    {
        Files.delete(file);
        truncated.add(file.getFileName() + " removed (" + reason + ")");
    }

    private static String cannotBeUsed(final IOException ex)
    {
        return "a segment cannot be read or written: " + ex + "; see to its permissions and its disk";
    }

    /** Find a contradiction in a catalog entry, which no recording would have. Null if there is none. */
    private static String findContradiction(final RecordingDescriptorDecoder recording)
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

        return isGeometry && isRange ? null : "its catalog entry contradicts itself: startPosition=" + startPosition +
            " stopPosition=" + stopPosition + " termBufferLength=" + termLength + " segmentFileLength=" +
            segmentLength;
    }

    private static boolean isPosition(final long position)
    {
        return position >= 0 && 0 == (position & (FrameDescriptor.FRAME_ALIGNMENT - 1));
    }

    /** Opens a segment file; a test replaces it by one that is refused. */
    public interface SegmentOpener
    {
        FileChannel open(Path file, StandardOpenOption option) throws IOException;
    }

    /**
     * The findings in an archive directory at start.
     *
     * @param ran       true if the last stop was unclean, so that recordings were examined at all.
     * @param truncated one line for each segment whose torn last fragment was cut off; nothing acknowledged is lost by
     *                  it.
     * @param damaged   one line for each recording that the Archive will no longer offer, because its last segment or
     *                  its catalog entry is wrong in another way, or a file of it cannot be used: it has to come from
     *                  another copy.
     * @param mended    one line for each thing in the catalog that a kill had left half written.
     * @param tookNs    nanoseconds the examination took.
     */
    public record RepairReport(
        boolean ran, List<String> truncated, List<String> damaged, List<String> mended, long tookNs)
    {
        /** Nothing was to be examined. */
        public static final RepairReport NOT_NEEDED = new RepairReport(false, List.of(), List.of(), List.of(), 0);
    }
}
