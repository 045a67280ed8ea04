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

import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.archive.client.AeronArchive;

import java.util.ArrayList;
import java.util.List;

/**
 * Look-ups in the Archive's catalogue. Each waits for the Archive's answer.
 */
public final class RecordingQuery
{
    /** Most recordings looked at for one stream; a partition keeps one log and a few snapshots. */
    public static final int MAX_RECORDINGS = 1024;

    private RecordingQuery()
    {
    }

    /** Recordings of a stream, oldest first. The alias must be equal, not only contained: job 1 is not job 11. */
    public static List<Recording> list(final AeronArchive archive, final String alias, final int streamId)
    {
        final List<Recording> recordings = new ArrayList<>();
        archive.listRecordingsForUri(0, MAX_RECORDINGS, "alias=" + alias, streamId,
            (controlSessionId, correlationId, recordingId, startTimestamp, stopTimestamp, startPosition, stopPosition,
            initialTermId, segmentFileLength, termBufferLength, mtuLength, sessionId, recordedStreamId,
            strippedChannel, originalChannel, sourceIdentity) ->
            {
                if (alias.equals(ChannelUri.parse(originalChannel).get(CommonContext.ALIAS_PARAM_NAME)))
                {
                    recordings.add(new Recording(
                        recordingId, startPosition, stopPosition, segmentFileLength,
                        new LogGeometry(mtuLength, termBufferLength, initialTermId)));
                }
            });

        return recordings;
    }
}
