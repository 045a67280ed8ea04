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
 * Cuts the end off a recording that has stopped. Replays of it are ended, since the Archive does not cut under them.
 */
public final class RecordingCut
{
    private final long recordingId;
    private final long position;
    private final ArchiveRetry attempts;

    public RecordingCut(final long recordingId, final long position)
    {
        this.recordingId = recordingId;
        this.position = position;
        attempts = new ArchiveRetry("cut of recordingId=" + recordingId);
    }

    /** False if it is not done yet: ask again. */
    public boolean poll(final AeronArchive archive)
    {
        return attempts.succeed(() ->
        {
            archive.stopAllReplays(recordingId);
            archive.truncateRecording(recordingId, position);
        });
    }
}
