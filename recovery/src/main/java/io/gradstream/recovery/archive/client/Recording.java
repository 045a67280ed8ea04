// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.archive.client.AeronArchive;

/**
 * A recording, as the Archive's catalog lists it.
 *
 * @param recordingId   of the recording.
 * @param startPosition of its first byte kept.
 * @param stopPosition  where it ends, or {@link AeronArchive#NULL_POSITION} while it goes on.
 * @param segmentLength bytes of a segment file.
 * @param geometry      of its stream.
 */
public record Recording(
    long recordingId, long startPosition, long stopPosition, int segmentLength, LogGeometry geometry)
{
    /** The id that stands for no recording. */
    public static final long NO_RECORDING = AeronArchive.NULL_POSITION;

    public boolean isActive()
    {
        return AeronArchive.NULL_POSITION == stopPosition;
    }

    public long segmentBase(final long position)
    {
        return AeronArchive.segmentFileBasePosition(startPosition, position, geometry.termLength(), segmentLength);
    }
}
