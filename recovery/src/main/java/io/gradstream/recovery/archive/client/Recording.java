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
    /** What stands for the id of a recording where there is none. */
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
