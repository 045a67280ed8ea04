// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.archive.client.ArchiveException;

import java.util.ArrayList;
import java.util.List;

/** Asks once which recordings of a stream the Archive's catalog lists. */
public final class RecordingQuery extends ArchiveRequest
{
    /** Most recordings looked at for one stream; a partition keeps one log and a few snapshots. */
    static final int MAX_RECORDINGS = 1024;

    private final List<Recording> recordings = new ArrayList<>();
    private final String alias;
    private int listed;

    public RecordingQuery(final String alias, final int streamId)
    {
        super("list of recordings of " + alias, (proxy, correlationId, sessionId) -> proxy.listRecordingsForUri(
            0, MAX_RECORDINGS, "alias=" + alias, streamId, correlationId, sessionId),
            (code) -> ArchiveException.ACTIVE_LISTING == code);
        this.alias = alias;
    }

    /** Once it is answered: recordings, oldest first. */
    public List<Recording> recordings()
    {
        return recordings;
    }

    /** Once it is answered: the newest recording, or null if there is none. */
    public Recording newest()
    {
        return recordings.isEmpty() ? null : recordings.get(recordings.size() - 1);
    }

    /** Returns true with the last one. The alias must be equal, not only contained: job 1 is not job 11. */
    boolean onRecording(final String originalChannel, final Recording recording)
    {
        if (alias.equals(ChannelUri.parse(originalChannel).get(CommonContext.ALIAS_PARAM_NAME)))
        {
            recordings.add(recording);
        }
        if (MAX_RECORDINGS == ++listed)
        {
            onAnswered(recording.recordingId());
            return true;
        }

        return false;
    }
}
