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

import java.util.List;

/**
 * Deletes recordings that have stopped, one after the other. Replays of them are ended, since the Archive does not
 * delete under them.
 */
public final class RecordingsPurge
{
    private final List<Recording> recordings;
    private final ArchiveRetry attempts = new ArchiveRetry("deletion of recordings");
    private int next;

    public RecordingsPurge(final List<Recording> recordings)
    {
        this.recordings = recordings;
    }

    public boolean isDone()
    {
        return next == recordings.size();
    }

    public int poll(final AeronArchive archive)
    {
        if (isDone())
        {
            return 0;
        }
        final long recordingId = recordings.get(next).recordingId();
        final boolean isPurged = attempts.succeed(() ->
        {
            archive.stopAllReplays(recordingId);
            archive.purgeRecording(recordingId);
        });
        next += isPurged ? 1 : 0;

        return isPurged ? 1 : 0;
    }
}
