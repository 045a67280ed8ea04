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

import io.aeron.archive.client.ArchiveException;

/**
 * Cuts or deletes a recording that has stopped. Replays of it are ended before, each time it is tried, since the
 * Archive does neither under them.
 */
public final class RecordingChange
{
    private final long recordingId;
    private final ArchiveRequest.Sender sender;
    private final Deadline deadline;
    private ArchiveRequest endOfReplays;
    private ArchiveRequest change;

    private RecordingChange(final String awaited, final long recordingId, final ArchiveRequest.Sender sender)
    {
        this.recordingId = recordingId;
        this.sender = sender;
        deadline = new Deadline(awaited);
    }

    public static RecordingChange cut(final long recordingId, final long position)
    {
        return new RecordingChange("cut of recordingId=" + recordingId, recordingId, (proxy, correlationId, session) ->
            proxy.truncateRecording(recordingId, position, correlationId, session));
    }

    public static RecordingChange deletion(final long recordingId)
    {
        return new RecordingChange("deletion of recordings", recordingId, (proxy, correlationId, session) ->
            proxy.purgeRecording(recordingId, correlationId, session));
    }

    /** False if it is not done yet: ask again. */
    public boolean poll(final ArchiveClient client)
    {
        if (null == endOfReplays)
        {
            endOfReplays = new ArchiveRequest(
                "end of replays of recordingId=" + recordingId, (proxy, correlationId, session) ->
                proxy.stopAllReplays(recordingId, correlationId, session));
            change = new ArchiveRequest("change of recordingId=" + recordingId, sender);
        }
        try
        {
            return endOfReplays.poll(client) && change.poll(client);
        }
        catch (final ArchiveException ex)
        {
            if (!ArchiveRequest.isCollision(ex.errorCode()) || deadline.isOver())
            {
                throw ex;
            }
            endOfReplays = null;

            return false;
        }
    }
}
