// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
