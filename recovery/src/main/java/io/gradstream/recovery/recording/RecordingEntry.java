// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.aeron.archive.client.AeronArchive;
import io.gradstream.recovery.archive.client.LogGeometry;

/**
 * The entry of one recording in an Archive's catalog.
 *
 * @param recordingId   of the recording, unique in its directory.
 * @param kind          what it holds.
 * @param jobId         of the job, 0 for {@link Kind#OTHER}.
 * @param partition     whose log or snapshot it is, 0 for {@link Kind#OTHER}.
 * @param startPosition of its first byte kept.
 * @param stopPosition  where it ends, or {@link #NOT_STOPPED} if it was not closed in order.
 * @param segmentLength bytes of a segment file.
 * @param geometry      of its stream.
 * @param streamId      of its stream.
 * @param isWithdrawn   true if the Archive has found it damaged, so that it no longer offers it.
 */
public record RecordingEntry(
    long recordingId,
    Kind kind,
    int jobId,
    int partition,
    long startPosition,
    long stopPosition,
    int segmentLength,
    LogGeometry geometry,
    int streamId,
    boolean isWithdrawn)
{
    /** Stop position of a recording whose process was killed: its end is where its sound frames end. */
    public static final long NOT_STOPPED = AeronArchive.NULL_POSITION;

    /** The kind of content of a recording. */
    public enum Kind
    {
        /** The log of a partition. */
        LOG,
        /** One snapshot of a partition. */
        SNAPSHOT,
        /** A stream that is not Gradstream's. */
        OTHER
    }

    /**
     * True if it is the log or a snapshot of this partition.
     *
     * @param wantedKind LOG or SNAPSHOT.
     */
    public boolean is(final Kind wantedKind, final int wantedJobId, final int wantedPartition)
    {
        return kind == wantedKind && jobId == wantedJobId && partition == wantedPartition;
    }

    /** True if it was closed in order, so that the catalog knows its end. */
    public boolean isStopped()
    {
        return NOT_STOPPED != stopPosition;
    }

    /**
     * First position of the segment file that holds a position.
     *
     * @param position at or after the start.
     * @return position, the number in the file's name.
     */
    public long segmentBase(final long position)
    {
        return AeronArchive.segmentFileBasePosition(
            startPosition, position, geometry.termLength(), segmentLength);
    }

    /** Name of the segment file that holds a position at or after the start. */
    public String segmentName(final long position)
    {
        return recordingId + "-" + segmentBase(position) + ".rec";
    }
}
